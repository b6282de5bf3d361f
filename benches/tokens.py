#!/usr/bin/env python3
"""tokens.py MASTOR REPOSITORY…: what the agents would send for whole services, from dry runs; nothing is sent.

For each repository: operations, prompts, input tokens, the share of prompt bytes that an earlier prompt begins with (what a provider's prefix cache
serves) against the same prompts with the operation first and files in the order of their paths, and the tokens of one prompt an operation
that held the whole files of its closure. Tokens are bytes / 3.5, an upper estimate.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def common(a, b):
    n = min(len(a), len(b))
    if a[:n] == b[:n]:
        return n
    low, high = 0, n
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[:middle] == b[:middle] else (low, middle - 1)
    return low


def shared(prompts):
    total = sum(map(len, prompts))
    served = sum(max((common(p, q) for q in prompts[:n]), default=0) for n, p in enumerate(prompts))
    return served / total if total else 0.0


def naive(prompt):
    """The same prompt as one would write it first: the task and operation, then files by path."""
    head, _, rest = prompt.partition("=== F1 ")
    files, mark, task = rest.partition("\n# Task: ")
    blocks = re.split(r"\n(?==== F\d+ )", "=== F1 " + files) if rest else []
    named = sorted(re.sub(r"^=== F\d+ ", "=== ", block) for block in blocks)
    return mark + task + head + "".join(named)


def main():
    mastor, repositories = sys.argv[1], sys.argv[2:]
    print(f"{'repository':22} {'ops':>4} {'calls':>5} {'tokens in':>10} {'prefix':>7} {'naive':>6} {'whole files':>12}")
    sums = [0, 0, 0, 0]
    for repository in repositories:
        with tempfile.TemporaryDirectory() as folder:
            copy, prompts = pathlib.Path(folder) / "copy", pathlib.Path(folder) / "prompts"
            subprocess.run(["git", "clone", "-q", repository, copy], check=True)
            settings = copy / "mastor.toml"
            if settings.exists():
                settings.unlink()
            settings.write_text('[model.primary]\nbase-url = "http://127.0.0.1:9/v1"\nmodel = "none"\n')
            arguments = ["generate", "--all", "--engine", "agents", "--dry-run", "--show-prompts", str(prompts), "--format", "json"]
            ran = subprocess.run([mastor, *arguments], cwd=copy, capture_output=True, text=True, check=False)
            if ran.returncode:
                print(f"{pathlib.Path(repository).name:22} {ran.stderr.strip().splitlines()[-1]}")
                continue
            told = json.loads(ran.stdout)["planned"]
            texts = [path.read_text() for path in sorted(prompts.iterdir())]
            whole = int(told["whole_file_bytes"] / 3.5)
            ops = len({call["subject"] for call in told["calls"]}) - 1
            print(f"{pathlib.Path(repository).name:22} {ops:4} {len(told['calls']):5} {told['input_tokens']:10} "
                  f"{shared(texts):7.1%} {shared([naive(t) for t in texts]):6.1%} {whole:12}", flush=True)
            for n, value in enumerate((ops, len(told["calls"]), told["input_tokens"], whole)):
                sums[n] += value
            shutil.rmtree(prompts)
    print(f"{'sum':22} {sums[0]:4} {sums[1]:5} {sums[2]:10} {'':7} {'':6} {sums[3]:12}")


if __name__ == "__main__":
    main()
