#!/usr/bin/env python3
"""Sheets on which somebody judges what `mastor` said of single edits, and one recorded edit made again.

    benches/judge.py sheet EDITS > SHEET
    benches/judge.py again REPOSITORY EDITS NUMBER [--mastor FILE] [--diff]

EDITS is what `cargo bench --bench edits -- MASTOR REPOSITORY --out EDITS` writes, one JSON object a line. `sheet` writes the
edits, without the refactorings, for a judge who knows neither `mastor` nor the service, and begins with what the judge is to
do. `again` makes the edit of line NUMBER (from 0) in the repository's work tree, runs `mastor ci --since HEAD`, puts the file
back, and prints what was told then and what is told now.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

TASK = """# How to judge

A tool reads the source of a REST service before and after a change, and tells for each operation that the change touches what
behaves differently. The edits below were made one at a time. The first sentence of each counts: it is the headline.

Judge with fresh eyes, as a strict and fair reviewer who knows the frameworks. For each edit read the code around it (callers,
guards, validators, entities, exception handlers, configuration), and answer:

1. *behaviour*: `yes` if a caller could observe the edit (answers, statuses, bodies, headers, rows, messages, exceptions) in some
   case that can be reached; `no` if not (text of a log, dead code, an equal expression); `nocompile`.
2. *verdict* on the first sentence, where the result is *changed*:
   - `right`: what it says happens under the condition that it gives. A condition may be left out if it is the ordinary case.
   - `farfetched`: true, under a condition that hardly a caller meets, while an ordinary request shows the change too; or about a
     side issue.
   - `wrong`: it does not happen so. A condition that decides is missing or false, the status is another one, the wrong call is
     blamed, or a guard, a validator or a caller excludes the state.
   - `idle`: something was told, and *behaviour* is `no`.
   - `-` for any other result. The *same* with *behaviour* `yes` is silent, the worst result: say so.

Build and run nothing, and change no file. Write a table `| edit | behaviour | verdict | remark |` with one row for each edit, then
the counts and the causes of what is wrong.
"""


def sheet(edits):
    """Writes the sheet of the recorded edits."""
    print(TASK)
    for number, edit in enumerate(edits):
        if edit["refactoring"]:
            continue
        print(f"## edit {number}: {edit['kind']}, {edit['file']}:{edit['line']}\n\n```diff\n{edit['diff']}\n```\n")
        print(f"Result: **{edit['state']}**, {edit['operations']} operations")
        for told in edit["told"][:3]:
            print(f"- told: {told}")
        for stopped in edit["stopped"][:2]:
            print(f"- undecided, since {stopped}")
        print()


def again(repository, edit, mastor, shows_diff):
    """Makes one edit again, and prints what is told before and now."""
    file = pathlib.Path(repository, edit["file"])
    before = file.read_bytes()
    after = before
    for start, end, instead in sorted(edit["places"], key=lambda place: -place[0]):
        after = after[:start] + instead.encode() + after[end:]
    file.write_bytes(after)
    try:
        began = time.monotonic()
        command = [mastor, "ci", "--since", "HEAD", "--slices", "off", "--format", "json"]
        done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
        took = time.monotonic() - began
    finally:
        file.write_bytes(before)
    print(f"{edit['kind']}, {edit['file']}:{edit['line']}")
    if shows_diff:
        print(edit["diff"])
    for told in edit["told"][:3] or [edit["state"]]:
        print(f"  was: {told}")
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"  no report: {done.stderr[-500:]}")
    states = sorted({one["state"] for one in report["compared"]})
    for told in [one["what"] for one in report["changes"]][:3] or [", ".join(states) or "unaffected"]:
        print(f"  is:  {told}")
    for stop in [stop["what"] for one in report["compared"] for stop in one["stopped"]][:2]:
        print(f"  undecided, since {stop}")
    print(f"  {took:.1f} s")


def main():
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("sheet").add_argument("edits")
    made_again = commands.add_parser("again")
    made_again.add_argument("repository")
    made_again.add_argument("edits")
    made_again.add_argument("number", type=int)
    made_again.add_argument("--mastor", default="mastor")
    made_again.add_argument("--diff", action="store_true")
    options = parser.parse_args()
    edits = [json.loads(line) for line in pathlib.Path(options.edits).read_text(encoding="utf-8").splitlines()]
    if options.command == "sheet":
        sheet(edits)
        return
    if not 0 <= options.number < len(edits):
        sys.exit(f"there are {len(edits)} edits, counted from 0")
    again(options.repository, edits[options.number], options.mastor, options.diff)


if __name__ == "__main__":
    main()
