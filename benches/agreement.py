#!/usr/bin/env python3
"""How well `mastor strength --fast` agrees with PITest, mutant by mutant.

    agreement.py [-v] FOLDER...

FOLDER is a service that both have measured on the same commit and suite: `mastor strength`, then `mastor strength --fast`. A mutant of PITest and one of
ours are the same where class, line and mutator are; of several on a line, the first is the first. -v names those on which they differ."""

import collections
import json
import pathlib
import sys

NOTICED = {"KILLED", "TIMED_OUT", "MEMORY_ERROR", "RUN_ERROR"}
START = "ApplicationStartsTest#starts"


def came(mutant):
    status = mutant["status"]
    if status in NOTICED:
        return "killed"
    if status == "SURVIVED" and all(test == START for test in mutant["covered_by"]):
        return "start-up"
    return {"SURVIVED": "survived", "NO_COVERAGE": "not covered", "UNDECIDED": "undecided"}.get(status)


def read(path):
    mutants = [json.loads(line) for line in path.read_text().splitlines()]
    found = collections.defaultdict(list)
    for mutant in mutants:
        kind = mutant["mutator"].split(".")[-1].replace("Mutator", "", 1)
        at = mutant["id"].split("@")
        place = int(at[1]) if at[1].isdigit() else 0
        if came(mutant):
            found[mutant["class"].split("$")[0], mutant["line"], kind].append((place, mutant))
    return {key: [mutant for _, mutant in sorted(all_, key=lambda one: one[0])] for key, all_ in found.items()}


def compare(folder, loud):
    cache = pathlib.Path(folder) / ".mastor/cache/strength"
    histories = [path for path in (cache / "history").iterdir() if path.suffix != ".part"]
    pit, own = read(max(histories, key=lambda path: path.stat().st_mtime)), read(cache / "fast")
    pairs, only_pit, only_own = [], 0, 0
    missing, more = collections.Counter(), collections.Counter()
    for key in sorted(set(pit) | set(own)):
        a, b = pit.get(key, []), own.get(key, [])
        pairs += zip(a, b)
        only_pit, only_own = only_pit + max(0, len(a) - len(b)), only_own + max(0, len(b) - len(a))
        missing[key[2]] += max(0, len(a) - len(b))
        more[key[2]] += max(0, len(b) - len(a))
    table = collections.Counter((came(a), came(b)) for a, b in pairs)
    said = [(a, b) for a, b in pairs if came(b) != "undecided"]
    same = sum(came(a) == came(b) for a, b in said)
    noticed = sum((came(a) == "killed") == (came(b) == "killed") for a, b in said)
    score = lambda of: 100 * of["killed"] / max(1, of["killed"] + of["survived"])
    scores = [collections.Counter(came(one) for all_ in side.values() for one in all_) for side in (pit, own)]
    print(f"{folder}: PITest {sum(map(len, pit.values()))}, ours {sum(map(len, own.values()))}, both {len(pairs)}, "
          f"undecided {len(pairs) - len(said)}, the same outcome {same} of {len(said)} ({100 * same / max(1, len(said)):.1f} %), "
          f"killed or not {100 * noticed / max(1, len(said)):.1f} %, score {score(scores[0]):.1f} % and {score(scores[1]):.1f} %")
    for (a, b), count in sorted(table.items()):
        print(f"    PITest {a:12} ours {b:12} {count}")
    for name, counts in (("only PITest", missing), ("only ours", more)):
        print(f"    {name}: " + ", ".join(f"{kind} {count}" for kind, count in counts.items() if count))
    if loud:
        for key in sorted(set(pit) | set(own)):
            a, b = pit.get(key, []), own.get(key, [])
            if len(a) != len(b):
                print("    count", *key, len(a), len(b))
            for x, y in zip(a, b):
                if came(x) != came(y):
                    print("    differ", *key, f"{came(x)} / {came(y)}", x["killed_by"], x["method"])


if __name__ == "__main__":
    for folder in sys.argv[1:]:
        if folder != "-v":
            compare(folder, "-v" in sys.argv)
