"""Badges, as the Java code beside it has them: `badges.py PORT`."""
import http.server, json, re, sys

badges = {n: {"id": n, "name": name, "level": 10} for n, name in [(1, "Swimmer"), (2, "Runner")]}
made = 2


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

    def badge(self):
        number = self.path.removeprefix("/badges/")
        if not re.fullmatch(r"-?\d+", number):
            return 400, None
        return (200, int(number)) if int(number) in badges else (404, None)

    def wanted(self):
        """The name and the level in the body; none where it cannot be read."""
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get_content_type() != "application/json":
            return 415, None
        try:
            body = json.loads(text)
            name, level = body.get("name"), body.get("level")
        except (ValueError, AttributeError):
            return 400, None
        if isinstance(name, (dict, list)) or isinstance(level, (dict, list, bool)):
            return 400, None
        try:
            level = int(level or 0)
        except ValueError:
            return 400, None
        return 200, (name if name is None or isinstance(name, str) else json.dumps(name), level)

    def refused(self, name, level):
        if any(badge["name"] == name for badge in badges.values()):
            return 409
        return 400 if name is None or not 10 <= level <= 20 else None

    def do_GET(self):
        if self.path == "/badges":
            return self.answer(200, [badges[number] for number in sorted(badges)])
        status, number = self.badge()
        self.answer(status, badges.get(number))

    def do_POST(self):
        global made
        status, wanted = self.wanted()
        if status != 200:
            return self.answer(status)
        name, level = wanted
        status = self.refused(name, level) or (422 if level == 13 else None)
        if status:
            return self.answer(status)
        made += 1
        badges[made] = {"id": made, "name": name, "level": level}
        self.answer(201, badges[made])

    def do_PUT(self):
        read, wanted = self.wanted()
        status, number = self.badge()
        if 400 in (status, read):
            return self.answer(400)
        if read != 200:
            return self.answer(read)
        status = self.refused(*wanted) if status == 200 else status
        if status:
            return self.answer(status)
        badges[number].update(name=wanted[0], level=wanted[1])
        self.answer(200, badges[number])

    def do_DELETE(self):
        status, number = self.badge()
        if status == 200:
            del badges[number]
            status = 204
        self.answer(status)

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
