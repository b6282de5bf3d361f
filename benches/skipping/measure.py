#!/usr/bin/env python3
"""How sound it is to skip operations: mutants of single members in a running service, each operation's answers before and after.

    benches/skipping/measure.py PROJECT --start 'java … --server.port={port}' --prefix com.acme. --pitest pitest.jar [--mutants 500]

PROJECT has a committed suite and its locks (`mastor generate --all`); the service is started with an agent that redefines one class at a time.
Every request of the suite's oracles is sent; of operations without one, a request with `1` for each parameter of the path. Requests whose
answer differs between two rounds on the unchanged service are left out. An operation whose answers change must name the member in its lock:
what is printed as `missed` does not. Times are none of this measure's business: a loaded machine changes nothing but how long it takes.
"""

import argparse
import collections
import glob
import hashlib
import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse


def requests(project, most):
    """(operation, method, path with query, headers, body) of the suite's oracles, and one each of what has none."""
    found, seen = [], set()
    for name in sorted(glob.glob(f"{project}/.mastor/suite/*.json")):
        count = 0
        for oracle in json.load(open(name))["oracles"]:
            if oracle["as"] != "anonymous" or count == most:
                continue
            one = request(oracle["op_id"], oracle["input"])
            if one and str(one) not in seen:
                seen.add(str(one))
                found.append(one)
                count += 1
    for op_id in locks(project):
        if not any(one[0] == op_id for one in found):
            filled = {name: "1" for name in re.findall(r"\{([^}]*)\}", op_id)}
            found.append(request(op_id, {"path": filled, "query": [], "headers": [], "cookies": []}))
    return found


def request(op_id, given):
    method, template = op_id.split(" ", 1)
    path = re.sub(r"\{([^}]*)\}", lambda m: urllib.parse.quote(given["path"].get(m[1], "1"), safe=""), template)
    if given["query"]:
        path += "?" + urllib.parse.urlencode([tuple(pair) for pair in given["query"]])
    headers, body = dict(map(tuple, given["headers"])), given.get("body")
    if given["cookies"]:
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in given["cookies"])
    if body is None:
        sent = None
    elif "json" in body:
        sent, headers["Content-Type"] = json.dumps(body["json"]), "application/json"
    elif "text" in body:
        sent, headers["Content-Type"] = body["text"], body["media_type"]
    else:
        return None
    return op_id, method, path, headers, sent


def locks(project):
    """The symbols that each operation's lock names."""
    found = {}
    for name in sorted(glob.glob(f"{project}/.mastor/lock/*.lock")):
        lines = open(name).read().splitlines()
        op_id = next(line.split(" ", 1)[1] for line in lines if line.startswith("operation "))
        found[op_id] = {line.split(" ", 2)[2] for line in lines if line.startswith(("code ", "env "))}
    return found


class Service:
    """The service with the agent in it."""

    def __init__(self, start, project, agent, base, prefixes, group):
        self.start, self.project, self.agent, self.base = start, project, agent, base
        self.prefixes, self.group, self.mutants = prefixes, group, []
        self.process = None

    def begin(self):
        port, control = free(), free()
        env = dict(os.environ, JAVA_TOOL_OPTIONS=f"-javaagent:{self.agent}={control}")
        log = open(os.path.join(tempfile.gettempdir(), f"skipping-{os.getpid()}.log"), "w")
        self.process = subprocess.Popen(self.start.replace("{port}", str(port)), shell=True, cwd=self.project, env=env,
                                        stdout=log, stderr=log, start_new_session=True)
        self.port = port
        until = time.time() + 600
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                if time.time() > until or self.process.poll() is not None:
                    raise SystemExit(f"the service does not start: {log.name}")
                time.sleep(0.3)
        time.sleep(2)
        self.control = socket.create_connection(("127.0.0.1", control), 30).makefile("rw", encoding="utf-8")

    def end(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def command(self, line):
        self.control.write(line + "\n")
        self.control.flush()
        lines = []
        for answer in self.control:
            answer = answer.rstrip("\n")
            if answer == "end":
                return lines
            lines.append(answer)
        raise ConnectionError("the service is gone")

    def list(self):
        """The mutants of the classes that are loaded by now, the same list after every start."""
        return [line.split("\t") for line in self.command(f"list {self.group} {' '.join(self.prefixes)}")]

    def ask(self, one):
        """Status and body, told apart by a hash; `None` where no answer comes in time, not even in a long one."""
        return self.within(one, 10) or self.within(one, 60)

    def within(self, one, seconds):
        _, method, path, headers, body = one
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request(method, self.base + path, body.encode() if body is not None else None, headers)
            answer = connection.getresponse()
            told = [answer.status, answer.getheader("Location"), answer.getheader("Content-Type")]
            # The port of an answer is of no interest.
            text = answer.read().replace(str(self.port).encode(), b"")
            try:
                text = json.dumps(unordered(json.loads(text))).encode()
            except ValueError:
                pass
            return hashlib.sha256(repr((told[0], (told[1] or "").replace(str(self.port), ""), told[2])).encode() + text).hexdigest()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()


def unordered(value):
    """JSON whose arrays are sorted: a set of rows comes in another order each time."""
    if isinstance(value, dict):
        return {name: unordered(value[name]) for name in sorted(value) if name != "timestamp"}
    if isinstance(value, list):
        return sorted((unordered(item) for item in value), key=lambda item: json.dumps(item, sort_keys=True))
    return value


def free():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def agent(pitest):
    """The agent, compiled."""
    folder = tempfile.mkdtemp(prefix="skipping-")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Mutants.java")
    subprocess.run(["javac", "--release", "8", "-nowarn", "-cp", pitest, "-d", folder, source], check=True, stderr=subprocess.DEVNULL)
    manifest = os.path.join(folder, "manifest")
    with open(manifest, "w") as out:
        text = f"Class-Path: file:{os.path.abspath(pitest)}"
        lines = [text[:70]] + [" " + text[at:at + 69] for at in range(70, len(text), 69)]
        out.write("Premain-Class: Mutants\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n" + "\n".join(lines) + "\n")
    jar = os.path.join(folder, "agent.jar")
    classes = [f for f in os.listdir(folder) if f.endswith(".class")]
    subprocess.run(["jar", "cfm", jar, manifest, *classes], cwd=folder, check=True)
    return jar


PRIMITIVES = {"B": "byte", "C": "char", "D": "double", "F": "float", "I": "int", "J": "long", "S": "short", "Z": "boolean"}


def parameters(descriptor):
    """Simple names of the parameters' erased types."""
    found = []
    for dims, kind in re.findall(r"(\[*)([BCDFIJSZ]|L[^;]*;)", descriptor[1:descriptor.index(")")]):
        name = PRIMITIVES.get(kind) or re.split(r"[/$]", kind[1:-1])[-1]
        found.append(name + "[]" * len(dims))
    return found


def is_named(symbols, mutant):
    """Whether a lock names the member in which a mutant stands: methods by name and number of parameters, initialisers by their type."""
    name, method, descriptor = mutant[:3]
    dotted = name.replace("$", ".")
    method = re.sub(r"^lambda\$(.*)\$\d+$", r"\1", method)
    inside = [symbol for symbol in symbols if symbol == dotted or symbol.startswith(dotted + "#")]
    if re.search(r"\$\d", name):
        # A local or anonymous class is part of the member around it; locks number them in their own way.
        outer = re.split(r"\$\d", name)[0].replace("$", ".")
        return any(symbol == outer or symbol.startswith((outer + "#", outer + ".")) for symbol in symbols)
    if method in ("<clinit>", "static", "new", "<init>"):
        return bool(inside)
    wanted = parameters(descriptor)
    for symbol in inside:
        found = re.match(r".*#([^(]*)(?:\((.*)\))?$", symbol)
        if not found or found[1] != method:
            # What a compiler or Lombok makes belongs to its field.
            if not found or found[2] is not None or not is_accessor(method, found[1]):
                continue
            return True
        if mutant[1].startswith("lambda$"):
            return True
        given = [] if not found[2] else re.split(r",(?![^<]*>)", found[2])
        if len(given) == len(wanted):
            return True
    return False


def is_accessor(method, field):
    name = field[:1].upper() + field[1:]
    return method in (field, "get" + name, "is" + name, "set" + name, "equals", "hashCode", "toString", "canEqual")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project")
    parser.add_argument("--start", required=True)
    parser.add_argument("--prefix", action="append", required=True)
    parser.add_argument("--pitest", required=True)
    parser.add_argument("--base", default="", help="what stands before the paths of the operations")
    parser.add_argument("--mutants", type=int, default=500)
    parser.add_argument("--group", default="STRONGER", help="PITest's group of mutators: DEFAULTS, STRONGER, ALL")
    parser.add_argument("--each", type=int, default=10, help="most requests of an operation")
    args = parser.parse_args()
    known = locks(args.project)
    service = Service(args.start, args.project, agent(args.pitest), args.base, args.prefix, args.group)
    asked = requests(args.project, args.each)
    service.begin()
    try:
        measure(args, service, known, asked)
    finally:
        service.end()


def settled(service, asked, rounds=6):
    """Requests that answer the same in the last two of some rounds, with their answers; what writes has come to rest by then."""
    answers = [[service.ask(one) for one in asked] for _ in range(rounds)]
    return {at: answers[-1][at] for at in range(len(asked)) if answers[-1][at] and answers[-1][at] == answers[-2][at] == answers[-3][at]}


def measure(args, service, known, asked):
    stable = settled(service, asked)
    mutants = service.list()
    chosen = sorted(random.Random(9).sample(range(len(mutants)), min(args.mutants, len(mutants))))
    operations = {asked[at][0] for at in stable}
    print(f"{len(known)} operations, {len(operations)} with answers that stay; {len(stable)} of {len(asked)} requests; "
          f"{len(chosen)} of {len(mutants)} mutants")
    flagged = changed_in_all = changing = restarts = refused = told = 0
    missed = collections.Counter()
    for number in chosen:
        mutant = mutants[number]
        changed, hung = set(), 0
        try:
            if any(line.startswith("failed") for line in service.command(f"put {number}")):
                refused += 1
                continue
            for at, before in stable.items():
                if asked[at][0] in changed or hung > 2:
                    continue
                answer = service.ask(asked[at])
                hung += answer is None
                if answer != before:
                    changed.add(asked[at][0])
            service.command("take")
            if hung:
                raise ConnectionError("a request is still in the mutant")
            # What the mutant left behind would look like a change of the next one.
            rested = not changed or all(service.ask(asked[at]) == before for at, before in stable.items())
        except (ConnectionError, OSError):
            rested = False
        # What a mutant writes otherwise changes what others read: nobody could tell that by the closure. On a new service each is asked alone.
        suspects = changed - {op for op, symbols in known.items() if is_named(symbols, mutant)}
        if suspects or not rested:
            service.end()
            service.begin()
            restarts += 1
            stable = settled(service, asked)
            if [line[:4] for line in service.list()] != [line[:4] for line in mutants]:
                raise SystemExit("after a restart other classes are loaded")
            for op in sorted(suspects):
                # What others write before it is written without the mutant.
                first = next(at for at in sorted(stable) if asked[at][0] == op)
                for at in range(first):
                    service.ask(asked[at])
                service.command(f"put {number}")
                if service.ask(asked[first]) == stable[first]:
                    changed.discard(op)
                service.end()
                service.begin()
                stable = settled(service, asked)
                service.list()
        named = {op for op, symbols in known.items() if op in operations and is_named(symbols, mutant)}
        if changed:
            changing += 1
            flagged += len(named)
            changed_in_all += len(changed)
        for op in changed - named:
            print("  missed", op, mutant, flush=True)
            missed[f"{op}: {mutant[0]}#{mutant[1]}{mutant[2]} line {mutant[3]} ({mutant[4]})"] += 1
        told += 1
        if told % 50 == 0:
            print(f"  {told}: {changing} change answers, {len(missed)} missed, {restarts} restarts", flush=True)
    print(f"{told} mutants run, {refused} that the JVM refused; {changing} change answers, of {changed_in_all} operations; flagged for them "
          f"{flagged} ({flagged / max(1, changed_in_all):.2f} for each that changed); missed {sum(missed.values())}; {restarts} restarts")
    for what in sorted(missed):
        print("missed", what)


if __name__ == "__main__":
    main()
