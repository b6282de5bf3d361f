"""Renders every Markdown file of a folder to HTML beside it, by GitHub's own renderer, as a comment: each newline is a break, and raw HTML stays."""

import pathlib
import sys

import cmarkgfm
from cmarkgfm.cmark import Options

OPTIONS = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_HARDBREAKS | Options.CMARK_OPT_FOOTNOTES

for path in sorted(pathlib.Path(sys.argv[1]).glob("*.md")):
    html = cmarkgfm.github_flavored_markdown_to_html(path.read_text(encoding="utf-8"), OPTIONS)
    path.with_suffix(".html").write_text(html, encoding="utf-8")
