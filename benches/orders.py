#!/usr/bin/env python3
"""Every order of up to four commands over each change of the demo, with the real service: no `ci` may end 0 while what it found is not accepted.

    benches/orders.py target/release/mastor [--change meant|unmeant|refactoring] [--suite with|without] [--depth N]

Each change stands on a branch of its own, over a suite that was made with the service, or without. A command is a step from one state of the suite
to another, and what it writes is committed; so each state is entered once, and all orders are walked. `ci` must end 1 on a change of behaviour
and 0 on the refactoring, at every step; no command may lose an expectation of the base. Prints a line for every walk; exits 1 where one failed.
Needs a JDK and Maven (MASTOR_TOOLS, else what is on the path).
"""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMANDS = [
    ("ci", "--since", "main", "--no-service"),
    ("ci", "--since", "main"),
    ("check",),
    ("generate", "--no-service"),
    ("generate",),
    ("audit", "--since", "main"),
]
EXIT = {"meant": 1, "unmeant": 1, "refactoring": 0}
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]


def git(folder, *arguments):
    return subprocess.run([*GIT, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder, text):
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", text)


def suite(folder):
    """What of the suite is committed: path and bytes."""
    paths = git(folder, "ls-files", ".mastor").splitlines()
    return {path: open(os.path.join(folder, path), "rb").read() for path in paths}


def restore(folder, state):
    for path in suite(folder):
        os.remove(os.path.join(folder, path))
    for path, content in state.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)


def oracles(state):
    """What a suite expects: file, request and assertions."""
    files = ((path, json.loads(content)) for path, content in state.items() if "/suite/" in path and path.endswith(".json"))
    what = lambda oracle: json.dumps([oracle.get("input"), oracle.get("assertions")], sort_keys=True)
    return {(path, what(oracle)) for path, document in files for oracle in document.get("oracles", [])}


def walk(mastor, change, with_service, depth):
    folder = tempfile.mkdtemp(prefix="mastor-orders-")
    try:
        return steps(mastor, folder, change, with_service, depth)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def steps(mastor, folder, change, with_service, most):
    def run(*arguments):
        return subprocess.run([mastor, *arguments], cwd=folder, capture_output=True, text=True, env={**os.environ, "MASTOR_SLICES": "off"})

    shutil.copytree(os.path.join(HERE, "examples/orders"), folder, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("target"))
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "An order service")
    made = run("generate", "--all", *([] if with_service else ["--no-service"]))
    assert made.returncode == 0, made.stderr
    commit(folder, "The suite")
    begin = suite(folder)
    wanted = oracles(begin)
    assert wanted, "no oracles in " + ", ".join(begin)
    git(folder, "checkout", "-q", "-b", "feature")
    name = next(name for name in os.listdir(os.path.join(HERE, "examples/orders-changes")) if name.endswith("-" + change))
    # As written now: a build passes over a file that is older than what it has built.
    shutil.copytree(os.path.join(HERE, "examples/orders-changes", name), folder, dirs_exist_ok=True, copy_function=shutil.copyfile)
    os.remove(os.path.join(folder, "message.txt"))
    commit(folder, change)

    known, waiting, runs, failed = {frozenset(begin.items())}, collections.deque([((), begin)]), 0, []
    while waiting:
        way, state = waiting.popleft()
        for command in COMMANDS:
            restore(folder, state)
            commit(folder, "A state of the suite")
            ran = run(*command)
            runs += 1
            here = " > ".join(" ".join(one) for one in (*way, command))
            if command[0] == "ci" and ran.returncode != EXIT[change]:
                failed.append(f"{here}: exit {ran.returncode}\n{ran.stdout}\n{ran.stderr}")
            commit(folder, "What it wrote")
            after = suite(folder)
            # What was never confirmed the base itself may refute.
            if with_service and (lost := wanted - oracles(after)):
                failed.append(f"{here}: lost {sorted(lost)[:3]}")
            if len(way) + 1 < most and frozenset(after.items()) not in known:
                known.add(frozenset(after.items()))
                waiting.append(((*way, command), after))
    return len(known), runs, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mastor")
    parser.add_argument("--change", choices=list(EXIT), action="append")
    parser.add_argument("--suite", choices=["with", "without"], action="append")
    parser.add_argument("--depth", type=int, default=4)
    given = parser.parse_args()
    mastor, bad = os.path.abspath(given.mastor), False
    for change in given.change or EXIT:
        for how in given.suite or ["with", "without"]:
            begun = time.monotonic()
            states, runs, failed = walk(mastor, change, how == "with", given.depth)
            bad |= bool(failed)
            print(f"{change}, suite made {how} the service: {states} states, {runs} runs, {len(failed)} failed, "
                  f"{time.monotonic() - begun:.0f} s", flush=True)
            print("".join("  " + text + "\n" for text in failed), end="", flush=True)
    sys.exit(bad)


if __name__ == "__main__":
    main()
