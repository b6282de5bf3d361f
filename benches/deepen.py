#!/usr/bin/env python3
"""What `ci --deepen` takes in a shallow clone of depth 1, against a full clone: bytes over the wire, fetches and seconds, over a real git server.

    benches/deepen.py target/release/mastor                      # a synthetic history of 4000 commits
    benches/deepen.py target/release/mastor --repo DIR [--behind 500]  # a repository's own history

The base is a branch that went on for so many commits since the head left it. `git daemon` serves on loopback; a proxy before it counts. Only
Python's own library and git are used; nothing of the repository is changed.
"""

import argparse
import os
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time


def git(*arguments, cwd=None, **more):
    return subprocess.run(["git", *arguments], cwd=cwd, check=True, capture_output=True, **more).stdout.decode().strip()


def body(rng, size):
    """Text that packs about as well as code does."""
    words = "int final return String new if this get set find order list value null throw".split()
    lines = [f"    {rng.choice(words)} {rng.choice(words)}{rng.randrange(10**4)}({rng.choice(words)});\n" for _ in range(size // 30)]
    return lines


def synthetic(folder, commits, behind, files=1200):
    """A bare repository: `main` of so many commits, `feature` that left it `behind` commits ago and has three of its own."""
    rng = random.Random(7)
    git("init", "-q", "--bare", "-b", "main", folder)
    contents = {f"src/main/java/com/acme/p{n % 60}/C{n}.java": body(rng, int(rng.lognormvariate(8.3, 0.9))) for n in range(files)}
    contents["src/main/java/com/acme/Api.java"] = [
        "package com.acme;\n", "import org.springframework.web.bind.annotation.*;\n", "@RestController\n", "class Api {\n",
        "    @GetMapping(\"/x\")\n", "    String x() { return \"a\"; }\n", "}\n"]
    pom = "<project><dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId><version>3.2.0</version></dependency></dependencies></project>\n"
    out = subprocess.Popen(["git", "fast-import", "--quiet"], cwd=folder, stdin=subprocess.PIPE)
    stamp = 1_700_000_000

    def commit(ref, changed, parent=None):
        nonlocal stamp
        stamp += 600
        lines = [f"commit {ref}\ncommitter A <a@example.com> {stamp} +0000\ndata 25\nChange what was to change\n"]
        if parent:
            lines.append(f"from {parent}\n")
        for path, text in changed.items():
            lines.append(f"M 100644 inline {path}\ndata {len(text)}\n{text}\n")
        out.stdin.write("".join(lines).encode())

    commit("refs/heads/main", {"pom.xml": pom, **{path: "".join(lines) for path, lines in contents.items()}})
    for n in range(commits):
        changed = {}
        for path in rng.sample(sorted(contents), rng.choice([1, 1, 2, 3, 5])):
            lines = contents[path]
            for _ in range(rng.randrange(1, 12)):
                lines.insert(rng.randrange(len(lines) - 1) if "Api" not in path else 0, body(rng, 30)[0] if "Api" not in path else "\n")
            changed[path] = "".join(lines)
        commit("refs/heads/main", changed)
        if n == commits - behind - 1:
            api = "".join(contents["src/main/java/com/acme/Api.java"]).replace('"a"', '"b"')
            for m in range(3):
                commit("refs/heads/feature", {"src/main/java/com/acme/Api.java": api + "\n" * m}, None if m else "refs/heads/main")
    out.stdin.close()
    assert out.wait() == 0
    git("gc", "-q", cwd=folder)


def served(repo, folder, behind):
    """A bare copy of a repository, whose `main` is its HEAD and whose `feature` left it so many commits ago."""
    git("clone", "-q", "--bare", "--single-branch", f"file://{os.path.abspath(repo)}", folder)
    tip = git("rev-parse", "HEAD", cwd=folder)
    left = git("rev-list", "--first-parent", f"--skip={behind}", "-n1", tip, cwd=folder)
    tree = git("rev-parse", f"{left}^{{tree}}", cwd=folder)
    who = {**os.environ, **{f"GIT_{role}_{what}": "a@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}
    own = git("commit-tree", tree, "-p", left, "-m", "Change nothing", cwd=folder, env=who)
    git("symbolic-ref", "HEAD", "refs/heads/main", cwd=folder)
    git("update-ref", "refs/heads/main", tip, cwd=folder)
    git("update-ref", "refs/heads/feature", own, cwd=folder)


class Proxy:
    """Passes everything on and counts it."""

    def __init__(self, to):
        self.to, self.bytes, self.connections = to, 0, 0
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listening.accept()
            self.connections += 1
            server = socket.create_connection(("127.0.0.1", self.to))
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=self.copy, args=(one, other), daemon=True).start()

    def copy(self, one, other):
        try:
            while data := one.recv(1 << 16):
                self.bytes += len(data)
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def take(self):
        time.sleep(0.1)
        taken, self.bytes, self.connections = (self.bytes, self.connections), 0, 0
        return taken


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("mastor")
    arguments.add_argument("--repo")
    arguments.add_argument("--behind", type=int, default=500)
    arguments.add_argument("--commits", type=int, default=4000)
    given = arguments.parse_args()
    mastor = os.path.abspath(given.mastor)
    temp = tempfile.mkdtemp(prefix="mastor-deepen-")
    daemon = None
    try:
        origin = os.path.join(temp, "origin.git")
        if given.repo:
            served(given.repo, origin, given.behind)
        else:
            synthetic(origin, given.commits, given.behind)
        # As the large hosts have it.
        git("config", "uploadpack.allowReachableSHA1InWant", "true", cwd=origin)
        git("config", "uploadpack.allowFilter", "true", cwd=origin)
        port = free_port()
        daemon = subprocess.Popen(["git", "daemon", "--export-all", f"--base-path={temp}", "--listen=127.0.0.1", f"--port={port}", temp])
        time.sleep(0.5)
        proxy = Proxy(port)
        url = f"git://127.0.0.1:{proxy.port}/origin.git"
        rows = []

        def measured(name, run):
            proxy.take()
            began = time.monotonic()
            told = run()
            seconds = time.monotonic() - began
            rows.append((name, *proxy.take(), seconds))
            return told

        def clone(name, *options):
            measured(name, lambda: git("clone", "-q", "--no-checkout", "--branch", "feature", *options, url, os.path.join(temp, name.replace(" ", "-"))))
            return os.path.join(temp, name.replace(" ", "-"))

        def ci(folder, *options):
            environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
            ran = subprocess.run([mastor, "ci", "--since", "main", "--fail-on", "never", *options], cwd=folder, env=environment, capture_output=True, text=True)
            if ran.returncode not in (0, 3):
                raise SystemExit(ran.stderr[-2000:])
            return [line.split("lacks: ", 1)[1] for line in ran.stderr.splitlines() if "fetched what the clone lacks" in line]

        full = clone("full clone")
        git("checkout", "-q", "feature", cwd=full)
        ci(full)
        began = time.monotonic()
        ci(full)
        alone = time.monotonic() - began
        shallow = clone("clone of depth 1", "--depth", "1")
        git("checkout", "-q", "feature", cwd=shallow)
        shutil.copytree(os.path.join(full, ".mastor"), os.path.join(shallow, ".mastor"), dirs_exist_ok=True)
        fetches = measured("ci --deepen in it", lambda: ci(shallow, "--deepen"))
        other = clone("depth 1 again", "--depth", "1")
        measured("git fetch --unshallow in it", lambda: git("fetch", "-q", "--unshallow", "origin", "+refs/heads/main:refs/remotes/origin/main", cwd=other))
        whole = rows[0][1]
        print(f"{git('rev-list', '--count', 'main', cwd=origin)} commits, {given.behind} behind")
        for name, size, connections, seconds in rows:
            if name != "depth 1 again":
                print(f"{name:28} {size / 1e6:8.2f} MB  {connections:2} connections  {seconds:6.2f} s  {size / whole:6.1%} of the bytes of a full clone")
        print(f"of the seconds of ci --deepen, {alone:.2f} are those of ci without it")
        for line in fetches:
            print(f"  {line}")
        print(f"depth 1 and deepening: {(rows[1][1] + rows[2][1]) / whole:.1%} of the bytes, {(rows[1][3] + rows[2][3] - alone) / rows[0][3]:.0%} of the seconds of a full clone")
    finally:
        if daemon:
            daemon.terminate()
        shutil.rmtree(temp, ignore_errors=True)


main()
