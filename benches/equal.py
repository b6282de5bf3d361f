#!/usr/bin/env python3
"""One suite, three runners, on a project of your own: `mastor check`, the exported tests by Maven, the exported collection by newman.

    benches/equal.py target/release/mastor PROJECT [PROJECT…]     # folders with a mastor.toml that says how the service is started, and a suite
    benches/equal.py target/release/mastor PROJECT --url URL      # a service that runs already; nothing is started or reset

Says for each project how many oracles and sequences there are, what each runner says of them in how many seconds (from the start of the service
on), and every one on which they differ. Where mastor.toml says no other reset, a restart brings the service back to its seed: the tests and the
collection ask for it by MASTOR_RESET. Exits 1 where something differs. Needs Maven and newman (MASTOR_TOOLS, else .tools of this repository).
"""

import argparse
import collections
import http.server
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import urllib.error
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOLS = os.environ.get("MASTOR_TOOLS", os.path.join(HERE, ".tools"))
HELD, BROKEN, LEFT_OUT = "held", "broken", "left out"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Service:
    """The service of a project, as its mastor.toml starts it; each reset is a restart."""

    def __init__(self, folder, settings):
        self.folder, self.settings = folder, settings
        self.port = settings.get("port") or free_port()
        self.restarts, self.process = -1, None
        self.lock = threading.Lock()

    def start(self):
        line = self.settings["start"].replace("{port}", str(self.port))
        env = {**os.environ, **{k: str(v).replace("{port}", str(self.port)) for k, v in self.settings.get("env", {}).items()}}
        self.process = subprocess.Popen(["sh", "-c", line], cwd=self.folder, env=env, start_new_session=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ready = self.settings.get("ready", {})
        within = int(re.sub(r"\D", "", str(ready.get("within", "60")))) if ready else 60
        until = time.monotonic() + within
        while not self.answers(ready.get("url")):
            if self.process.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"{self.folder}: the service does not get ready")
            time.sleep(0.1)
        self.restarts += 1

    def answers(self, url):
        try:
            if url is None:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return True
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{url.lstrip('/')}", timeout=5):
                return True
        except urllib.error.HTTPError as error:
            return error.code < 500
        except OSError:
            return False

    def stop(self):
        if self.process is None:
            return
        for sign in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, sign)
                self.process.wait(10)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue
        self.process.wait()
        self.process = None

    def reset(self):
        with self.lock:
            self.stop()
            self.start()


def control(service):
    """A server whose POST restarts the service; gives its address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            service.reset()
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/reset"


TEXT = r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,}\n]+)"""


def text_of(yaml):
    """A text of the auth file: quoted or plain, variables of the environment filled in."""
    yaml = yaml.strip()
    if yaml.startswith('"'):
        yaml = json.loads(yaml)
    elif yaml.startswith("'"):
        yaml = yaml[1:-1].replace("''", "'")
    return re.sub(r"\$\{(\w+)\}", lambda m: os.environ.get(m[1], ""), yaml)


def of_payload(raw):
    """What settings say a raw body: its name and password where it holds nothing else, else all of it."""
    try:
        pairs = list(json.loads(raw).items())
    except ValueError:
        pairs = [] if re.search(r"[%+{]", raw) else [tuple(pair.split("=", 1)) for pair in raw.split("&")]
    passwords = [pair for pair in pairs if re.search("pass|pwd|pw", pair[0], re.I)]
    if len(pairs) != 2 or len(passwords) != 1 or not all(isinstance(value, str) for _, value in pairs):
        return {"PAYLOAD": raw}
    return {"PASSWORD": passwords[0][1], "USERNAME": next(value for name, value in pairs if name != passwords[0][0])}


def credentials(folder, settings):
    """Settings of the exports: headers, names and passwords that the auth file says of its users."""
    path = settings.get("auth")
    if not path:
        return {}
    with open(os.path.join(folder, path)) as file:
        text = file.read()
    found = {}
    # Users stand as far in as the first name does, their headers further.
    first = re.search(r"(?m)^( *)- name:", text)
    indent = first[1] if first else ""
    for user in re.split(rf"(?m)^{indent}- name:\s*", text.split("authTemplate:")[0])[1:]:
        prefix = "MASTOR_USER_" + re.sub("[^A-Za-z0-9]+", "_", text_of(user.split("\n")[0])).strip("_").upper()
        fixed = user[user.find("fixedHeaders"):].split("loginEndpointAuth")[0] if "fixedHeaders" in user else ""
        for name, value in re.findall(rf"name:\s*([\w-]+)\s*,?\s*value:\s*{TEXT}", fixed):
            found[f"{prefix}_{re.sub('[^A-Za-z0-9]', '_', name).upper()}"] = text_of(value)
        for key in ("username", "password"):
            if value := re.search(rf"\b{key}:\s*{TEXT}", user):
                found[f"{prefix}_{key.upper()}"] = text_of(value[1])
        if value := re.search(r"""payloadRaw:\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\n]+)""", user):
            found.update({f"{prefix}_{name}": said for name, said in of_payload(text_of(value[1])).items()})
    return found


def checked(mastor, folder, url):
    command = [mastor, "check", "--format", "json"] + (["--base-url", url] if url else [])
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if not done.stdout.startswith("{"):
        raise SystemExit(f"mastor check: {done.stderr[-2000:]}")
    words = {"held": HELD, "skipped": LEFT_OUT, "broken": BROKEN, "refuted": BROKEN}
    out = {}
    for one in json.loads(done.stdout)["oracles"]:
        out[one["id"]] = (words.get(one["verdict"], one["verdict"]), json.dumps(one.get("failure") or one.get("reason")))
    return out


def by_maven(module, settings):
    command = ["mvn", "-B", "-q", "-o", "test"]
    done = subprocess.run(command, cwd=module, env={**os.environ, **settings}, capture_output=True, text=True)
    reports = os.path.join(module, "target/surefire-reports")
    if not os.path.isdir(reports):
        raise SystemExit(f"mvn test: {done.stdout[-3000:]}")
    out = {}
    for name in sorted(os.listdir(reports)):
        match = re.fullmatch(r"TEST-mastor\.(\w+)\.xml", name)
        if not match:
            continue
        with open(os.path.join(module, f"src/test/java/mastor/{match[1]}.java")) as file:
            ids = {method: id for id, method in re.findall(r"// (?:op_id: .*   o_id: |s_id: )(\w+).*\n(?:.*\n)*?    void (\w+)\(", file.read())}
        with open(os.path.join(reports, name), errors="replace") as file:
            cases = file.read().split("<testcase ")[1:]
        for case in cases:
            case = case.split("</testcase>")[0].split("<system-")[0]
            method = re.match(r'name="(\w+)', case)[1]
            verdict = BROKEN if re.search("<(failure|error)", case) else LEFT_OUT if "<skipped" in case else HELD
            out[ids[method]] = (verdict, case[:600])
    return out


def by_newman(folder, settings):
    newman = os.path.join(TOOLS, "node_modules/.bin/newman")
    command = [newman, "run", "collection.json", "-e", "environment.json", "--reporters", "json", "--reporter-json-export", "out.json"]
    for name, value in settings.items():
        command += ["--env-var", f"{name}={value}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    try:
        with open(os.path.join(folder, "out.json")) as file:
            report = json.load(file)
    except FileNotFoundError:
        raise SystemExit(f"newman: {done.stdout[-2000:]}{done.stderr[-2000:]}") from None
    out = {}
    executions = report["run"]["executions"]
    for n, one in enumerate(executions):
        name = one["item"]["name"]
        checks = one.get("assertions") or []
        # A login is no oracle, and what is sent again after one was not judged at first.
        if name.startswith("log in: ") or (not checks and any(name == later["item"]["name"] for later in executions[n + 1:])):
            continue
        id = name.rsplit("[", 1)[1].rstrip("]")
        failed = [c["error"]["message"] for c in checks if c.get("error")] + [json.dumps(s["error"]) for s in one.get("testScript") or [] if s.get("error")]
        failed = failed or ([] if checks else [f"no check ran: {one.get('requestError')}"])
        if out.get(id, (HELD,))[0] == HELD:
            out[id] = (BROKEN, failed[0]) if failed else (HELD, "")
    for one in report["run"]["failures"]:
        # What is not sent, because its user is not let in, is named there alone.
        name = one["source"]["name"]
        if not name.startswith("log in: "):
            out.setdefault(name.rsplit("[", 1)[1].rstrip("]"), (BROKEN, one["error"]["message"]))
    with open(os.path.join(folder, "collection.json")) as file:
        said = json.load(file)["info"]["description"]["content"]
    for id, why in re.findall(r"(?m)^Left out: (\w+) (.*)", said):
        out[id] = (LEFT_OUT, why)
    return out


def compare(mastor, folder, url):
    """What the runners say of a project: verdicts and seconds by runner."""
    with open(os.path.join(folder, "mastor.toml"), "rb") as file:
        settings = tomllib.load(file).get("service", {})
    out = tempfile.mkdtemp(prefix="mastor-equal-")
    seconds, verdicts, restarts = {}, {}, {}
    try:
        subprocess.run([mastor, "export", "junit", "postman", "--dir", out], cwd=folder, check=True, capture_output=True)
        with open(os.path.join(out, "postman/environment.json")) as file:
            said = {one["key"]: one["value"] for one in json.load(file)["values"]}
        path = urllib.parse.urlparse(said["baseUrl"]).path
        users = credentials(folder, settings)
        began = time.monotonic()
        verdicts["mastor"] = checked(mastor, folder, url)
        seconds["mastor"] = time.monotonic() - began
        for runner, run, base in (("maven", lambda s: by_maven(os.path.join(out, "junit"), s), "MASTOR_BASE_URL"),
                                  ("newman", lambda s: by_newman(os.path.join(out, "postman"), s), "baseUrl")):
            began = time.monotonic()
            if url:
                verdicts[runner] = run({base: url + path, **users})
            else:
                service = Service(folder, settings)
                try:
                    service.start()
                    reset = {} if said.get("MASTOR_RESET") else {"MASTOR_RESET": control(service)}
                    verdicts[runner] = run({base: f"http://127.0.0.1:{service.port}{path}", **reset, **users})
                finally:
                    service.stop()
                restarts[runner] = service.restarts
            seconds[runner] = time.monotonic() - began
    finally:
        shutil.rmtree(out)
    return verdicts, seconds, restarts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("mastor")
    parser.add_argument("projects", nargs="+")
    parser.add_argument("--url", help="the service runs already, here")
    arguments = parser.parse_args()
    mastor = os.path.abspath(arguments.mastor)
    any_differs = False
    print("| project | oracles | mastor check | mvn test | newman | differ | seconds: mastor, maven, newman | restarts |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for project in arguments.projects:
        verdicts, seconds, restarts = compare(mastor, os.path.abspath(project), arguments.url)
        ids = sorted(set().union(*verdicts.values()))
        of = {id: [verdicts[runner].get(id, ("not there", "")) for runner in verdicts] for id in ids}
        differ = {id: said for id, said in of.items() if len({word for word, _ in said}) > 1}
        counts = [", ".join(f"{n} {word}" for word, n in sorted(collections.Counter(w for w, _ in verdicts[r].values()).items())) for r in verdicts]
        times = ", ".join(f"{seconds[runner]:.0f}" for runner in verdicts)
        print(f"| {os.path.basename(project)} | {len(ids)} | {' | '.join(counts)} | {len(differ)} | {times} | {restarts or ''} |", flush=True)
        for id, said in differ.items():
            print(f"{id}:", *(f"\n    {runner}: {word} {why[:300]}" for runner, (word, why) in zip(verdicts, said)), flush=True)
        any_differs |= bool(differ)
    sys.exit(any_differs)


if __name__ == "__main__":
    main()
