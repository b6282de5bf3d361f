#!/usr/bin/env python3
"""The same single edits of a Java service, and what each tool says of them: mastor, Schemathesis, EvoMaster, oasdiff, and the project's own tests.

    benches/compare.py choose SETTINGS REPOSITORY EDITS --count 10 --out CHOSEN
    benches/compare.py run SETTINGS REPOSITORY CHOSEN --out RESULTS [--mastor FILE] [--schemathesis FILE] [--oasdiff FILE] [--evomaster JAR --python FILE]
    benches/compare.py table RESULTS… --judged FILE

EDITS is what `cargo bench --bench edits -- true REPOSITORY --out EDITS` writes (`true` in place of mastor: nobody has said anything of them yet).
`choose` takes the kinds in turn, leaves out refactorings and what does not compile, and numbers what it takes. Somebody then judges each edit before any
tool has run: FILE has `{"service", "edit", "changes": true, false or null, "operations": ["GET /a/{id}"]}`, one a line; null is an edit that hardly a caller
can notice, and is counted in neither column. `run` makes each edit in a clone of its
own and asks every tool that was named; the project's own tests run where SETTINGS says how. RESULTS gets one JSON line for each edit and tool; what is
there already is not run again.

SETTINGS (TOML; benches/compare-orders.toml is one):

    name = "orders"
    dir = "."                        # where the commands run, below the repository
    compile = "mvn -q compile"       # for `choose`
    build = "mvn -q -DskipTests package"
    start = "java -jar target/orders.jar --server.port={port}"
    ready = "/products"              # answers 200 once the service is up
    within = 90                      # seconds until then
    document = "openapi.yaml"        # of the base, in `dir`; given to Schemathesis and EvoMaster
    path = ""                        # what the document's paths are below, on the service
    served = "/v3/api-docs"          # where the service serves a document, for oasdiff; left out: the document in the repository is compared
    convert = "swagger2openapi {in} -o {out}"   # where what it serves is no OpenAPI 3
    headers = ["Authorization: Basic …"]        # sent by Schemathesis and EvoMaster
    test = "mvn -q test"             # the project's own tests; left out: it has none
    reports = "target/surefire-reports"

mastor runs twice: on the code alone, and with the service where the repository's mastor.toml says how it is started.
What counts as told: a change that mastor reports; a failure of Schemathesis (operation, check, status) that neither of two runs on the base had, with the
same seed; a test of a suite that EvoMaster wrote on the base, or of the project, that fails on the head and in neither of two runs on the base; an entry of
oasdiff's changelog that two starts of the base do not give; a service that no longer starts.

Needs git, a JDK, Maven, and the tools; nothing beyond loopback is asked for by this script.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.error
import urllib.request
import xml.etree.ElementTree

LIMIT = 900
SEED = "1"
EXAMPLES = "15"
SUITE_SECONDS = 60
TOLD, NOTHING, UNDECIDED, FAILED, LATE = "told", "nothing", "undecided", "failed", "late"


class Failed(Exception):
    """A command that did not do what it should; the message says which."""


class Late(Exception):
    """A command that took longer than the limit."""


def finish(command, folder, limit=LIMIT, env=None):
    """Runs a command to its end, in a process group that is ended with it."""
    arguments = command if isinstance(command, list) else ["sh", "-c", command]
    process = subprocess.Popen(arguments, cwd=folder, env={**os.environ, **(env or {})}, start_new_session=True, text=True, errors="replace",
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired as error:
        raise Late(f"{arguments[-1]}: no end within {limit} s") from error
    finally:
        end(process)
    return process.returncode, out, err


def end(process):
    """Ends a process and its group: asked first, so that it can end what it started in other groups."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(60)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def must(command, folder):
    code, out, err = finish(command, folder)
    if code:
        raise Failed(f"{command}: exit {code}\n{(out + err)[-2000:]}")
    return out


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Place:
    """A clone of the service in a folder of its own; every start is on the same port, because suites and documents hold it."""

    def __init__(self, settings, repository, scratch):
        self.settings, self.scratch = settings, pathlib.Path(scratch)
        self.root = self.scratch / "clone"
        self.port = free_port()
        must(["git", "clone", "-q", "--no-hardlinks", os.path.abspath(repository), str(self.root)], scratch)
        self.folder = self.root / settings.get("dir", ".")
        self.edit, self.built = None, None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def document(self):
        return self.folder / self.settings["document"]

    def apply(self, edit):
        self.restore()
        self.edit = edit
        self.write()

    def write(self):
        """Writes the edited file anew, so that a build does not pass it over."""
        if self.edit:
            path = self.root / self.edit["file"]
            text = subprocess.run(["git", "show", f"HEAD:{self.edit['file']}"], cwd=self.root, check=True, capture_output=True).stdout
            for start, end, new in sorted(self.edit["places"], reverse=True):
                text = text[:start] + new.encode() + text[end:]
            path.write_bytes(text)
            self.built = None

    def restore(self):
        if self.edit:
            path = self.root / self.edit["file"]
            must(["git", "checkout", "-q", "--", self.edit["file"]], self.root)
            path.touch()
        self.edit, self.built = None, None

    def build(self):
        """Builds once for each edit, and says how long that took."""
        if self.built is None:
            began = time.monotonic()
            must(self.settings["build"], self.folder)
            self.built = time.monotonic() - began
        return self.built

    @contextlib.contextmanager
    def service(self):
        """The service, freshly started; yields the seconds until it was ready."""
        began = time.monotonic()
        with open(self.scratch / "service.log", "wb") as log:
            process = subprocess.Popen(["sh", "-c", "exec " + self.settings["start"].replace("{port}", str(self.port))], cwd=self.folder,
                                       stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        try:
            until = began + self.settings.get("within", 90)
            while not self.answers(self.settings["ready"]):
                if process.poll() is not None or time.monotonic() > until:
                    raise Failed("the service does not start: " + (self.scratch / "service.log").read_text(errors="replace")[-600:])
                time.sleep(0.2)
            yield time.monotonic() - began
        finally:
            end(process)

    def answers(self, path):
        with contextlib.suppress(OSError, ValueError):
            with urllib.request.urlopen(self.url + path, timeout=5) as answer:
                return answer.status == 200
        return False


class Mastor:
    """`mastor ci` on the work tree: on the code alone, or with the service that mastor.toml names."""

    def __init__(self, binary, with_service):
        self.binary, self.with_service = binary, with_service
        self.name = "mastor, with the service" if with_service else "mastor, code alone"

    def base(self, place):
        if self.with_service and "service" not in tomllib.loads((place.folder / "mastor.toml").read_text()):
            raise Failed("mastor.toml does not say how the service is started")
        self.ask(place)

    def ask(self, place):
        alone = [] if self.with_service else ["--no-service", "--slices", "off"]
        code, out, err = finish([self.binary, "ci", "--since", "HEAD", "--format", "json", *alone], place.folder)
        if code not in (0, 1):
            raise Failed(f"mastor ci: exit {code}: {err[-600:]}")
        return json.loads(out)

    def head(self, place):
        place.write()
        began = time.monotonic()
        report = self.ask(place)
        seconds = {"tool": time.monotonic() - began}
        changes = report.get("changes", [])
        states = {one["op_id"]: one["state"] for one in report.get("compared", [])}
        unsure = sorted(op for op, state in states.items() if state == "undecided")
        says = [f"{one['op_id']}: {one['what']} ({one['kind']})" for one in changes] + [f"{op}: undecided" for op in unsure]
        state = TOLD if changes else UNDECIDED if unsure else NOTHING
        return state, sorted({one["op_id"] for one in changes}) or unsure, says, seconds


class Schemathesis:
    name = "Schemathesis"

    def __init__(self, binary):
        self.binary = binary

    def base(self, place):
        self.known = set()
        for _ in range(2):
            with place.service():
                self.known |= self.ask(place)

    def ask(self, place):
        folder = place.scratch / "schemathesis"
        shutil.rmtree(folder, ignore_errors=True)
        headers = [part for header in place.settings.get("headers", []) for part in ("-H", header)]
        code, out, err = finish([self.binary, "run", str(place.document), "--url", place.url + place.settings.get("path", ""), "--seed", SEED,
                                 "--max-examples", EXAMPLES, "--continue-on-failure", "--no-shrink", "--request-timeout", "10", "--report", "ndjson",
                                 "--report-ndjson-path", str(folder / "events.ndjson"), *headers], place.scratch)
        if code not in (0, 1):
            raise Failed(f"schemathesis: exit {code}: {(out + err)[-600:]}")
        return failures((folder / "events.ndjson").read_text().splitlines())

    def head(self, place):
        def work():
            new = sorted(self.ask(place) - self.known)
            return [one[0] for one in new], [f"{operation}: {check}, status {status}" for operation, check, status in new]
        return on_service(place, work)


def failures(lines):
    """Operation, check and status of every failed check in the events of Schemathesis."""
    found = set()
    for line in lines:
        recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder") or {}
        for case, checks in recorder.get("checks", {}).items():
            response = recorder.get("interactions", {}).get(case, {}).get("response") or {}
            for check in checks:
                failure = check.get("failure_info", {}).get("failure")
                if failure:
                    found.add((failure.get("operation") or recorder["label"], failure["type"], str(response.get("status_code"))))
    return found


def on_service(place, work):
    """Builds, starts, and has a tool work on the service; a head that does not start is told."""
    seconds = {"build": place.build()}
    began = time.monotonic()
    try:
        with place.service() as start:
            seconds["start"] = start
            began = time.monotonic()
            operations, says = work()
            seconds["tool"] = time.monotonic() - began
    except Failed as error:
        if not str(error).startswith("the service does not start"):
            raise
        return TOLD, [], [str(error)[:200]], {**seconds, "start": time.monotonic() - began}
    return TOLD if says else NOTHING, sorted(set(operations)), says, seconds


class Oasdiff:
    name = "oasdiff"

    def __init__(self, binary):
        self.binary = binary

    def base(self, place):
        self.document, again = place.scratch / "base-document", place.scratch / "base-document-again"
        self.known = set()
        if "served" not in place.settings:
            shutil.copy(place.document, self.document)
            return
        for document in (self.document, again):
            with place.service():
                self.fetch(place, document)
        # A document that is made at the start may differ from start to start.
        self.known = {text for one, other in ((self.document, again), (again, self.document)) for _, text in self.compare(one, other)}

    def fetch(self, place, to):
        with urllib.request.urlopen(place.url + place.settings["served"], timeout=60) as answer:
            to.write_bytes(answer.read())
        if convert := place.settings.get("convert"):
            raw = to.rename(to.with_suffix(".raw"))
            must(convert.replace("{in}", shlex.quote(str(raw))).replace("{out}", shlex.quote(str(to))), place.folder)

    def compare(self, base, head):
        """Operation and text of each entry of the changelog."""
        code, out, err = finish([self.binary, "changelog", str(base), str(head), "--format", "json"], head.parent)
        if code:
            raise Failed(f"oasdiff: exit {code}: {err[-600:]}")
        changes = json.loads(out or "[]") or []
        changes = changes.get("changes", []) if isinstance(changes, dict) else changes
        entries = ((f"{one.get('operation', '')} {one.get('path', '')}".strip(), one["text"]) for one in changes)
        return [(operation, f"{operation}: {text}") for operation, text in entries]

    def new(self, head):
        found = [one for one in self.compare(self.document, head) if one[1] not in self.known]
        return [operation for operation, _ in found], [text for _, text in found]

    def head(self, place):
        if "served" not in place.settings:
            began = time.monotonic()
            operations, says = self.new(place.document)
            return TOLD if says else NOTHING, operations, says, {"tool": time.monotonic() - began}
        document = place.scratch / "head-document"

        def work():
            self.fetch(place, document)
            return self.new(document)
        return on_service(place, work)


class EvoMaster:
    """Writes a suite on the base, black-box; the suite then runs on each head."""

    name = "EvoMaster"

    def __init__(self, jar, python):
        self.jar, self.python = jar, python

    def base(self, place):
        self.folder = place.scratch / "evomaster"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        headers = [part for at, header in enumerate(place.settings.get("headers", [])) for part in (f"--header{at}", header)]
        with place.service():
            code, out, err = finish(["java", "-jar", self.jar, "--blackBox", "true", "--bbSwaggerUrl", place.document.as_uri(), "--bbTargetUrl", place.url,
                                     "--outputFormat", "PYTHON_UNITTEST", "--outputFolder", str(self.folder), "--maxTime", f"{SUITE_SECONDS}s",
                                     "--seed", SEED, *headers], self.folder)
        if code:
            raise Failed(f"EvoMaster: exit {code}: {(out + err)[-1500:]}")
        self.known = set()
        for _ in range(2):
            with place.service():
                failed, self.ran = self.ask()
                self.known |= failed
        if not self.ran:
            raise Failed("EvoMaster wrote no test that runs")

    def ask(self):
        failed, ran = set(), 0
        for suite in sorted(path.stem for path in self.folder.glob("*_Test.py")):
            _, _, err = finish([self.python, "-m", "unittest", "-v", suite], self.folder)
            results = re.findall(r"^(test_\w+) \([^)]*\)(?:\n[^\n]*?)? ?\.\.\. (?:.*?)(ok|FAIL|ERROR|skipped)", err, re.MULTILINE)
            ran += len(results)
            failed |= {f"{suite}.{name}" for name, result in results if result in ("FAIL", "ERROR")}
        return failed, ran

    def head(self, place):
        def work():
            failed = sorted(self.ask()[0] - self.known)
            return [operation for name in failed for operation in self.operations(name)], failed
        return on_service(place, work)

    def operations(self, name):
        """The operations that a test calls, by the comments that EvoMaster writes into it."""
        suite, test = name.split(".")
        text = (self.folder / f"{suite}.py").read_text()
        calls = text.split(f"def {test}(", 1)[0].rsplit("# Calls:", 1)[-1]
        return [f"{verb} {path}" for verb, path in re.findall(r"\(\d+\) (GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS):(\S+)", calls)]

    def note(self):
        return f"{self.ran} tests, {len(self.known)} of them left out as they fail on the base"


class OwnTests:
    name = "own tests"

    def base(self, place):
        self.known = self.ask(place) | self.ask(place)

    def ask(self, place):
        reports = place.folder / place.settings["reports"]
        shutil.rmtree(reports, ignore_errors=True)
        code, out, err = finish(place.settings["test"], place.folder)
        failed = set()
        for path in reports.glob("TEST-*.xml"):
            for case in xml.etree.ElementTree.parse(path).iter("testcase"):
                if case.find("failure") is not None or case.find("error") is not None:
                    failed.add(f"{case.get('classname')}.{case.get('name')}")
        if code and not failed:
            raise Failed(f"the tests did not run: {(out + err)[-600:]}")
        return failed

    def head(self, place):
        place.write()
        began = time.monotonic()
        new = sorted(self.ask(place) - self.known)
        place.write()
        return TOLD if new else NOTHING, [], new, {"tool": time.monotonic() - began}


def tools_of(given, settings):
    """The tools that were named and can run; one that was named and is missing ends the run."""
    for path in (given.mastor, given.schemathesis, given.oasdiff, given.evomaster, given.python):
        if path and not (os.path.exists(path) or shutil.which(path)):
            sys.exit(f"{path}: no such file; leave the tool out, or install it")
    if given.evomaster and not given.python:
        sys.exit("--evomaster needs --python: a Python with `requests` and `timeout-decorator`, for the suites that it writes")
    here = lambda path: os.path.abspath(path) if os.path.exists(path) else path
    tools = []
    if given.mastor:
        tools += [Mastor(here(given.mastor), False), Mastor(here(given.mastor), True)]
    if settings.get("test"):
        tools.append(OwnTests())
    if given.oasdiff:
        tools.append(Oasdiff(here(given.oasdiff)))
    if given.schemathesis:
        tools.append(Schemathesis(here(given.schemathesis)))
    if given.evomaster:
        tools.append(EvoMaster(here(given.evomaster), os.path.join(os.getcwd(), given.python)))
    unwanted = [tool for tool in tools if any(one in tool.name for one in given.without or [])]
    return [tool for tool in tools if tool not in unwanted]


def lines_of(path):
    return [json.loads(line) for line in open(path)] if os.path.exists(path) else []


def judge_head(tool, place):
    """What a tool says of the edit that stands in the clone."""
    try:
        return tool.head(place)
    except Late as error:
        return LATE, [], [str(error)], {"tool": float(LIMIT)}
    except Failed as error:
        return FAILED, [], [str(error)], {}


def run(given):
    settings = tomllib.load(open(given.settings, "rb"))
    edits, done = lines_of(given.edits), {(one["edit"], one["tool"]) for one in lines_of(given.out)}
    with tempfile.TemporaryDirectory(prefix="compare-") as scratch, open(given.out, "a") as out:
        def write(edit, tool, state, operations, says, seconds):
            row = {"service": settings["name"], "edit": edit, "tool": tool.name, "state": state, "operations": operations, "says": says[:20],
                   "seconds": {name: round(value, 1) for name, value in seconds.items()}}
            print(json.dumps(row), file=out, flush=True)
            print(f"{settings['name']} {edit} {tool.name}: {state} {row['seconds']} {'; '.join(says[:2])[:160]}", flush=True)

        place = Place(settings, given.repository, scratch)
        tools = [tool for tool in tools_of(given, settings) if any((edit["edit"], tool.name) not in done for edit in edits)]
        for tool in list(tools):
            began = time.monotonic()
            try:
                place.build()
                tool.base(place)
                note = [tool.note()] if hasattr(tool, "note") else []
                write("base", tool, NOTHING, [], note, {"tool": time.monotonic() - began})
            except (Failed, Late, OSError) as error:
                write("base", tool, FAILED, [], [str(error)], {})
                tools.remove(tool)
        for edit in edits:
            place.apply(edit)
            for tool in tools:
                if (edit["edit"], tool.name) not in done:
                    write(edit["edit"], tool, *judge_head(tool, place))


def choose(given):
    """Takes the kinds of edits in turn; what does not compile is not taken."""
    settings = tomllib.load(open(given.settings, "rb"))
    kinds = collections.defaultdict(list)
    # Where the repository was built, EDITS may hold edits of generated code.
    tracked = set(must(["git", "ls-files"], given.repository).splitlines())
    for edit in lines_of(given.edits):
        if not edit["refactoring"] and edit["file"] in tracked:
            kinds[edit["kind"]].append(edit)
    waiting = [edit for turn in range(max(map(len, kinds.values()), default=0)) for kind in sorted(kinds) for edit in kinds[kind][turn:turn + 1]]
    taken = []
    with tempfile.TemporaryDirectory(prefix="compare-") as scratch:
        place = Place(settings, given.repository, scratch)
        must(settings["compile"], place.folder)
        for edit in waiting:
            if len(taken) == given.count:
                break
            place.apply(edit)
            if finish(settings["compile"], place.folder)[0] == 0:
                taken.append({"service": settings["name"], "edit": len(taken) + 1,
                              **{name: edit[name] for name in ("kind", "file", "line", "places", "diff")}})
                print(f"{len(taken)} {edit['kind']} {edit['file']}:{edit['line']}\n{edit['diff']}\n", flush=True)
    with open(given.out, "w") as out:
        out.writelines(json.dumps(edit) + "\n" for edit in taken)


def is_same_operation(one, other):
    """Whether two texts name one operation, whatever its variables are called and below whatever path its service lies."""
    parts = lambda text: re.sub(r"\{[^}]*\}", "{}", text).rstrip("/").partition(" ")
    (verb, _, path), (other_verb, _, other_path) = parts(one), parts(other)
    short, long = sorted((path, other_path), key=len)
    return verb.upper() == other_verb.upper() and long.endswith(short) and "{" not in long.removesuffix(short)


def table(given):
    judged = {(one["service"], one["edit"]): one for one in lines_of(given.judged)}
    rows, last = collections.defaultdict(dict), {}
    for one in (line for path in given.results for line in lines_of(path)):
        if one["edit"] != "base":
            rows[one["tool"]][(one["service"], one["edit"])] = one
        else:
            last[(one["service"], one["tool"])] = one
    services = list(dict.fromkeys(service for service, _ in judged))
    counts = {s: sum(j["changes"] is True for (service, _), j in judged.items() if service == s) for s in services}
    open_ones = sum(one["changes"] is None for one in judged.values())
    print(f"{len(judged)} edits: {sum(counts.values())} change behaviour, {len(judged) - sum(counts.values()) - open_ones} do not, {open_ones} are left open\n")
    print("| tool | told | " + " | ".join(services) + " | right operation | could not tell | alarms | failed, late | seconds | of these the tool |")
    print("|---|--:|" + "--:|" * len(services) + "--:|--:|--:|--:|--:|--:|")
    for tool, by_edit in rows.items():
        print(line_of(tool, by_edit, judged, services))
    for (service, tool), one in last.items():
        print(f"\n{service}, {tool}, on the base: {one['state']} {one['says']} {one['seconds']}", end="")
    print()


def line_of(tool, by_edit, judged, services):
    told = [key for key, one in by_edit.items() if one["state"] == TOLD and judged[key]["changes"] is True]
    alarms = [key for key, one in by_edit.items() if one["state"] == TOLD and judged[key]["changes"] is False]
    right = [key for key in told if any(is_same_operation(a, b) for a in by_edit[key]["operations"] for b in judged[key]["operations"])]
    count = lambda *states: sum(one["state"] in states for one in by_edit.values())
    asked, idle = (sum(judged[key]["changes"] is what for key in by_edit) for what in (True, False))
    of = lambda s: sum(key[0] == s and judged[key]["changes"] is True for key in by_edit)
    each = lambda s: f"{sum(key[0] == s for key in told)} of {of(s)}" if any(key[0] == s for key in by_edit) else "–"
    timed = [one["seconds"] for one in by_edit.values() if one["seconds"]]
    median = lambda values: f"{statistics.median(values):.1f}" if timed else "–"
    seconds = f"{median([sum(one.values()) for one in timed])} | {median([one.get('tool', 0) for one in timed])}"
    named = "–" if tool == OwnTests.name else str(len(right))
    return (f"| {tool} | {len(told)} of {asked} | " + " | ".join(map(each, services))
            + f" | {named} | {count(UNDECIDED)} | {len(alarms)} of {idle} | {count(FAILED, LATE)} | {seconds} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="The head of this file says more.")
    verbs = parser.add_subparsers(required=True)
    for verb in (choose, run):
        one = verbs.add_parser(verb.__name__)
        one.set_defaults(verb=verb)
        one.add_argument("settings")
        one.add_argument("repository")
        one.add_argument("edits")
        one.add_argument("--out", required=True)
        if verb is choose:
            one.add_argument("--count", type=int, default=10)
        else:
            for tool in ("mastor", "schemathesis", "oasdiff", "evomaster", "python"):
                one.add_argument("--" + tool)
            one.add_argument("--without", action="append", help="a part of a tool's name that is left out all the same")
    one = verbs.add_parser("table")
    one.set_defaults(verb=table)
    one.add_argument("results", nargs="+")
    one.add_argument("--judged", required=True)
    given = parser.parse_args()
    # A terminated run ends what it started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        given.verb(given)
    except (Failed, Late) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
