"""Stands in for the example's service: customers and quotes, with its seeds, and a reset."""
import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

SEEDS = {1: ("Ada Weber", "ada@example.com", "DE"), 2: ("Luc Martin", "luc@example.com", "FR"), 3: ("Nora Gruber", "nora@example.com", "AT")}
STATE = {}


def reset():
    STATE["customers"] = dict(SEEDS)
    STATE["next"] = 4


def shown(number):
    name, email, country = STATE["customers"][number]
    return {"id": number, "name": name, "email": email, "country": country}


def quote(query):
    try:
        quantity, price = int(query["quantity"][0]), int(query["unitPriceCents"][0])
    except (KeyError, ValueError):
        return 400, {"code": "bad_request", "message": "the request cannot be read"}
    coupon = query.get("coupon", [None])[0]
    if not 1 <= quantity <= 10 or not 0 < price <= 1_000_000 or coupon not in (None, "SAVE05", "SAVE10"):
        return 422, {"code": "unprocessable", "message": "no"}
    percent = (10 if quantity >= 8 else 5 if quantity >= 4 else 0) + {None: 0, "SAVE05": 5, "SAVE10": 10}[coupon]
    percent = min(percent, 15)
    subtotal = quantity * price
    return 200, {"quantity": quantity, "unitPriceCents": price, "discountPercent": percent,
                 "totalCents": subtotal - subtotal * percent // 100, "currency": "EUR"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=None):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        if data:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def customer(self):
        found = re.fullmatch(r"/customers/(\d+)", urlparse(self.path).path)
        number = int(found[1]) if found else None
        return number if number in STATE["customers"] else None

    def do_GET(self):
        url = urlparse(self.path)
        if url.path == "/quotes":
            return self.answer(*quote(parse_qs(url.query)))
        number = self.customer()
        if number is None:
            return self.answer(404, {"code": "not_found", "message": "there is none"})
        return self.answer(200, shown(number))

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/reset":
            reset()
            return self.answer(204)
        try:
            given = json.loads(body)
            one = (given["name"], given["email"], given["country"])
        except (ValueError, KeyError, TypeError):
            return self.answer(400, {"code": "bad_request", "message": "the request cannot be read"})
        if any(email == one[1] for _, email, _ in STATE["customers"].values()):
            return self.answer(409, {"code": "conflict", "message": "taken"})
        number = STATE["next"]
        STATE["next"] += 1
        STATE["customers"][number] = one
        return self.answer(201, shown(number))

    def do_DELETE(self):
        number = self.customer()
        if number is None:
            return self.answer(404, {"code": "not_found", "message": "there is none"})
        if number in (1, 2):
            return self.answer(409, {"code": "conflict", "message": "has orders"})
        del STATE["customers"][number]
        return self.answer(204)

    def log_message(self, *_):
        pass


reset()
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
