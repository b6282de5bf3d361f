#!/usr/bin/env python3
"""What broken, huge and malicious inputs cost: seconds, peak memory, exit code and message of `mastor generate` and `mastor ci`, each input as a repository.

    benches/hostile/measure.py MASTOR [--only TEXT] [--seconds 10] [--megabytes 600] [--keep FOLDER]

Every input is committed to a repository of its own; a second commit changes all operations of the controller. Prints a table in Markdown, and ends
with 1 where a run was aborted, was killed (at ten times the bound), or met a bound of seconds or megabytes. Seconds are of a process alone, so nothing else should run.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import inputs


def write(folder: Path, files: dict) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def git(folder: Path, *args: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", folder, *who, *args], check=True, capture_output=True)


def run(command: list, folder: Path, limit: float) -> tuple:
    """(seconds, megabytes, exit code or name of the signal, what it said) of a process."""
    said = tempfile.TemporaryFile()
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=subprocess.STDOUT, env={**os.environ, "NO_COLOR": "1", "CI": ""})
    timer = threading.Timer(limit, process.kill)
    timer.start()
    _, status, used = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - start
    code = process.returncode if process.returncode >= 0 else signal.Signals(-process.returncode).name
    said.seek(0)
    return seconds, used.ru_maxrss / 1024, code, said.read().decode(errors="replace")


def message(said: str) -> str:
    """The line that says what went wrong or came out."""
    lines = [re.sub(r"\s+", " ", line).strip() for line in said.splitlines() if line.strip()]
    wrong = [line for line in lines if line.startswith(("error", "warning")) or "panicked" in line or "overflow" in line]
    return (wrong[0] if wrong else (lines or [""])[-1]).replace("|", "\\|")[:110]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("mastor", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--megabytes", type=float, default=600)
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    mastor, bad = args.mastor.resolve(), []
    print("| input | generate: s | MB | exit | ci: s | MB | exit | message |\n|---|---|---|---|---|---|---|---|")
    for at, (name, files) in enumerate(inputs.inputs()):
        if args.only not in name:
            continue
        folder = (args.keep or Path(tempfile.gettempdir())) / f"mastor-hostile-{os.getpid()}-{at}"
        folder.mkdir(parents=True)
        try:
            write(folder, files)
            git(folder, "init", "-q", "-b", "main")
            git(folder, "add", "-A", "-f")
            git(folder, "commit", "-q", "-m", "base")
            api = folder / inputs.ROOT / ("Api.java" if "Api.java" in "".join(files) else "C0.java")
            text = api.read_text().replace("return n + 1;", "return n + 2;")
            # What runs when the controller is made affects all of its operations.
            api.write_text(re.sub(r"(public class \w+ \{\n)", r"\1private int added = 1;\n", text, count=1))
            git(folder, "commit", "-q", "-am", "head", "--allow-empty")
            limit = 10 * args.seconds
            commands = ["generate --all --no-service", "ci --since HEAD~1 --no-service"]
            runs = [run([mastor, *words.split()], folder, limit) for words in commands]
            cells = " | ".join(f"{seconds:.1f} | {memory:.0f} | {code}" for seconds, memory, code, _ in runs)
            print(f"| {name} | {cells} | {message(runs[0][3])} |", flush=True)
            if any(not isinstance(code, int) or code > 100 or seconds > args.seconds or memory > args.megabytes for seconds, memory, code, _ in runs):
                bad.append(name)
        finally:
            if not args.keep:
                shutil.rmtree(folder, ignore_errors=True)
    print(f"\n{at + 1} inputs, {len(bad)} beyond {args.seconds:.0f} s or {args.megabytes:.0f} MB, or aborted" + "".join(f"\n- {name}" for name in bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
