"""Makes the pictures of the README from a real run of the demo: the comment of the pull request, and what the terminal shows; light and dark.

    docs/pictures/make.py target/release/mastor

It needs what `tests/tools.sh` installs. A test compares what the pictures say with what the demo says now.
"""

import html
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TOOLS = pathlib.Path(os.environ.get("MASTOR_TEST_TOOLS", ROOT / ".tools"))
COLUMNS = 110
COLOURS = {
    "light": {"back": "#ffffff", "edge": "#d1d9e0", "text": "#1f2328", "faint": "#59636e", "strong": "#0969da"},
    "dark": {"back": "#0d1117", "edge": "#3d444d", "text": "#f0f6fc", "faint": "#9198a1", "strong": "#4493f8"},
}


def run(*command, cwd=None, env=None):
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command}: {done.stderr}")
    return done


def wrapped(line):
    """A line in pieces of at most COLUMNS characters, broken between words, as a terminal's user would have it."""
    indent = len(line) - len(line.lstrip()) + 2
    pieces = []
    while len(line) > COLUMNS:
        at = line.rfind(" ", indent + 1, COLUMNS + 1)
        at = COLUMNS if at < 0 else at
        pieces.append(line[:at])
        line = " " * indent + line[at:].lstrip()
    return pieces + [line]


def terminal(lines, colours):
    """Lines of a terminal as an SVG."""
    shown = [piece for line in lines for piece in wrapped(line)]
    height = 20 * len(shown) + 52
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="960" height="{height}" viewBox="0 0 960 {height}" role="img">',
        "<title>mastor demo in a terminal</title>",
        f'<rect x="0.5" y="0.5" width="959" height="{height - 1}" rx="8" fill="{colours["back"]}" stroke="{colours["edge"]}"/>',
    ]
    out += [f'<circle cx="{22 + 18 * at}" cy="20" r="5.5" fill="{colours["edge"]}"/>' for at in range(3)]
    for at, line in enumerate(shown):
        kind = "strong" if line.startswith(("$", "mastor:")) else "text" if line[:1].isdigit() else "faint"
        weight = ' font-weight="600"' if kind == "strong" else ""
        out.append(
            f'<text x="18" y="{56 + 20 * at}" fill="{colours[kind]}"{weight} xml:space="preserve" '
            f'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">{html.escape(line)}</text>'
        )
    return "\n".join(out) + "\n</svg>\n"


def main():
    mastor = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        demo = pathlib.Path(folder) / "demo"
        done = run(mastor, "demo", "--no-service", "--dir", demo, cwd=folder)
        report = done.stdout.split("\n\n")[0].splitlines()
        counts = report[-1].rsplit(" · ", 1)[0]
        found = done.stderr.split("What was planted", 1)[1].splitlines()[1:4]
        lines = ["$ mastor ci --since main", *report[:-1], counts, "", "What was planted, and what was found of it:", *found]
        for name, colours in COLOURS.items():
            (HERE / f"demo-{name}.svg").write_text(terminal(lines, colours), encoding="utf-8")
        env = {**os.environ, "GITHUB_ACTIONS": "true", "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "acme/orders"}
        comment = run(mastor, "comment", "--from", demo / ".mastor/out/report.json", "--print", cwd=folder, env=env).stdout
        (HERE / "comment.md").write_text(comment, encoding="utf-8")
        pages = pathlib.Path(folder) / "pages"
        pages.mkdir()
        (pages / "comment.md").write_text(comment, encoding="utf-8")
        scripts = ROOT / "tests/tools/browser"
        run(TOOLS / "bin/python" if (TOOLS / "bin/python").exists() else TOOLS / "venv/bin/python", scripts / "gfm.py", pages)
        run("node", HERE / "shoot.mjs", pages / "comment.html", TOOLS / "browser", HERE)


main()
