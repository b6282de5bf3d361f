#!/usr/bin/env python3
"""How sound it is to skip operations, by changes of the source: each on a branch, through `mastor ci` and `mastor audit`.

    benches/skipping/changes.py PROJECT --mastor target/release/mastor [--changes 50] [--seed 9]

PROJECT is a git repository of your own with a committed suite (`mastor generate --all`) and a `[service]` that builds what is checked out.
One operator, literal or condition in a body of `src/main` is changed at a time; what does not compile is left out. `ci` says which operations
the change affects, `audit` asks all the others on base and head: what differs there was missed. Branches are made in a clone; PROJECT stays as it is.
"""

import argparse
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

SWAPS = [
    (r" == ", " != "),
    (r" != ", " == "),
    (r" <= ", " > "),
    (r" >= ", " < "),
    (r" < (?=[\w(-])", " >= "),
    (r" > (?=[\w(-])", " <= "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r" \+ (?=\d)", " - "),
    (r" - (?=\d)", " + "),
    (r" \* ", " / "),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"(?<![\w.\"])(\d+)(?![\w.\"])", lambda found: str(int(found[1]) + 1)),
    (r"\"([A-Za-z][\w ]*)\"", lambda found: f'"{found[1]}x"'),
    (r"\bif \((?!!)([^&|]*)\) \{", lambda found: f"if (!({found[1]})) {{"),
]


def places(root):
    """(file, line number, line with one thing changed) of all that can be changed."""
    found = []
    for name in sorted(glob.glob(f"{root}/**/src/main/java/**/*.java", recursive=True)):
        depth, comment = 0, False
        for number, line in enumerate(open(name, encoding="utf-8", errors="surrogateescape").read().split("\n")):
            plain = line.strip()
            comment = comment or plain.startswith("/*")
            if not comment and not plain.startswith(("//", "@", "import", "package")) and depth >= 2:
                for pattern, by in SWAPS:
                    for match in re.finditer(pattern, line):
                        found.append((name, number, line[:match.start()] + (by(match) if callable(by) else by) + line[match.end():]))
            comment = comment and "*/" not in plain
            if not comment:
                depth += line.count("{") - line.count("}")
    return found


def git(root, *args):
    return subprocess.run(["git", "-C", root, *args], check=True, capture_output=True, text=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project")
    parser.add_argument("--mastor", required=True)
    parser.add_argument("--changes", type=int, default=50)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--ci-config", default="mastor.toml", help="for `ci`: one without a service saves the time to ask it")
    args = parser.parse_args()
    mastor = os.path.abspath(args.mastor)
    root = os.path.join(tempfile.mkdtemp(prefix="changes-"), "project")
    subprocess.run(["git", "clone", "-q", args.project, root], check=True)
    main_branch = git(root, "rev-parse", "--abbrev-ref", "HEAD").strip()
    all_places = places(root)
    random.Random(args.seed).shuffle(all_places)
    print(f"{len(all_places)} places", flush=True)
    done = missed = affecting = unbuilt = left_out = asked = 0
    for name, number, line in all_places:
        if done == args.changes:
            break
        git(root, "checkout", "-qf", main_branch)
        git(root, "clean", "-qfdx", "-e", ".mastor/cache")
        git(root, "checkout", "-qB", "change")
        lines = open(name, encoding="utf-8", errors="surrogateescape").read().split("\n")
        before, lines[number] = lines[number].strip(), line
        open(name, "w", encoding="utf-8", errors="surrogateescape").write("\n".join(lines))
        git(root, "-c", "user.name=c", "-c", "user.email=c@c", "commit", "-qam", "a change")
        run(root, mastor, "ci", "--since", main_branch, "--engine", "rules", "--no-observe", "--config", args.ci_config)
        report = told_in(root, "report.json")
        run(root, mastor, "audit", "--since", main_branch)
        audit = told_in(root, "audit.json")
        if not report or not audit or "nothing was run" in str(audit.get("level")) or any("build" in note for note in audit["notes"]):
            unbuilt += 1
            continue
        done += 1
        affected = audit["operations"] - audit["left_out"]
        affecting += affected > 0
        left_out += audit["left_out"]
        asked += audit["oracles"] + audit["requests"]
        missed += len(audit["missed"])
        print(f"{os.path.relpath(name, root)}:{number + 1}: {before}  →  {line.strip()}")
        print(f"    {affected} of {audit['operations']} affected; of the others {audit['oracles']} oracles run, {audit['requests']} requests compared, "
              f"{len(audit['missed'])} missed", flush=True)
        for one in audit["missed"]:
            print("    missed", json.dumps(one), flush=True)
    print(f"{done} changes ({unbuilt} more did not build or start): {affecting} affect operations; {left_out} operations left out, "
          f"{asked} oracles and requests of them run, {missed} missed")


def told_in(root, name):
    path = os.path.join(root, ".mastor", "out", name)
    if not os.path.exists(path):
        return None
    told = json.load(open(path))
    os.remove(path)
    return told


def run(root, *command):
    subprocess.run(command, cwd=root, capture_output=True)


if __name__ == "__main__":
    sys.exit(main())
