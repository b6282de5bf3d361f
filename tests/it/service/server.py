"""A service for the tests: `server.py PORT MODE [ARG]`. Writes the numbers of all its processes to `pids` in its folder."""
import http.server, os, signal, socket, subprocess, sys, threading, time

port, mode = int(sys.argv[1]), sys.argv[2]
arg = sys.argv[3] if len(sys.argv) > 3 else ""


def note(pid):
    with open("pids", "a") as file:
        file.write(f"{pid}\n")


class Handler(http.server.BaseHTTPRequestHandler):
    resets = 0

    def answer(self, status, text=""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        self.answer(503 if mode == "unhealthy" and self.path == "/health" else 200, "ok")

    def do_POST(self):
        print("reset asked", flush=True)
        self.answer(500 if mode == "reset-fails" else 204)

    def log_message(self, *_):
        pass


def serve(on):
    http.server.ThreadingHTTPServer.allow_reuse_address = True
    server = http.server.ThreadingHTTPServer(("127.0.0.1", on), Handler)
    print(f"started on port {on}", flush=True)
    server.serve_forever()


def once(on):
    """Answers one request, and listens no more."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", on))
    listening.listen()
    while True:
        connection, _ = listening.accept()
        data = connection.recv(10000)
        if data:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            connection.close()
            listening.close()
            return
        connection.close()


note(os.getpid())
print(f"hello from {mode}", flush=True)
if mode == "dies":
    time.sleep(0.2)
    print("there is no database", flush=True)
    sys.exit(3)
if mode == "dies-later":
    threading.Timer(float(arg), lambda: os._exit(4)).start()
if mode == "never":
    time.sleep(1000)
if mode == "early":
    once(port)
    time.sleep(0.5)
if mode == "too-early":
    once(port)
    time.sleep(1000)
if mode == "flood":
    def flood():
        while True:
            sys.stdout.write(("flood " * 30 + "\n") * 1000)
    threading.Thread(target=flood, daemon=True).start()
    time.sleep(float(arg))
if mode == "elsewhere":
    port = int(arg)
if mode == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if mode == "children":
    note(subprocess.Popen(["sleep", "1000"]).pid)
    note(subprocess.Popen(["sleep", "1000"], start_new_session=True).pid)
serve(port)
