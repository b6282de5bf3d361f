"""Desks, as the Java code beside it has them: `desks.py PORT`."""
import http.server, json, re, sys

desks = {n: {"id": n, "name": name, "taken": False} for n, name in [(1, "Window"), (2, "Corner"), (3, "Door")]}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, value=None):
        text = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        if value is not None:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def desk(self, pattern):
        found = re.fullmatch(pattern, self.path)
        if found and not re.fullmatch(r"-?\d+", found[1]):
            return 400, None
        return (200, int(found[1])) if found and int(found[1]) in desks else (404, None)

    def do_GET(self):
        if self.path == "/desks":
            return self.answer(200, [desks[number] for number in sorted(desks)])
        status, number = self.desk(r"/desks/([^/]+)")
        self.answer(status, desks.get(number)) if status == 200 else self.answer(status)

    def do_PUT(self):
        status, number = self.desk(r"/desks/([^/]+)/taken")
        if status == 200 and desks[number]["taken"]:
            status = 409
        elif status == 200:
            desks[number]["taken"] = True
            status = 204
        self.answer(status)

    def do_DELETE(self):
        status, number = self.desk(r"/desks/([^/]+)")
        if status == 200:
            del desks[number]
            status = 204
        self.answer(status)

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
