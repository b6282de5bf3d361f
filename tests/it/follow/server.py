"""Tickets, as the Java code beside it has them: `server.py PORT`. A ticket that is closed shows this status:"""
import http.server, json, re, sys

CLOSED = "CLOSED"
tickets = {}
asked = 0


def reset():
    tickets.clear()
    tickets.update({1: {"id": 1, "title": "Leak", "status": "OPEN"}, 2: {"id": 2, "title": "Noise", "status": "OPEN"}})


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, value=None, **headers):
        text = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        if value is not None:
            self.send_header("Content-Type", "application/json")
        for name, header in headers.items():
            self.send_header(name, header)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        global asked
        asked += 1
        one = re.fullmatch(r"/tickets/(\d+)", self.path)
        if self.path == "/tickets":
            self.answer(200, {"tickets": list(tickets.values()), "served": asked})
        elif one and int(one[1]) in tickets:
            self.answer(200, tickets[int(one[1])])
        else:
            self.answer(404)

    def do_PUT(self):
        closed = re.fullmatch(r"/tickets/(\d+)/closed", self.path)
        if closed and int(closed[1]) in tickets:
            tickets[int(closed[1])]["status"] = CLOSED
            self.answer(204)
        else:
            self.answer(404)

    def do_DELETE(self):
        one = re.fullmatch(r"/tickets/(\d+)", self.path)
        self.answer(204 if one and tickets.pop(int(one[1]), None) else 404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/reset":
            reset()
            return self.answer(204)
        try:
            title = json.loads(body)["title"]
        except (ValueError, KeyError, TypeError):
            return self.answer(400)
        number = len(tickets) + 1
        tickets[number] = {"id": number, "title": title, "status": "OPEN"}
        self.answer(201, tickets[number], Location=f"/tickets/{number}")

    def log_message(self, *_):
        pass


reset()
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
