"""What people and models write stays text: no template and no code of ours says that something is safe."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.support.commands import ROOT

PACKAGES = ("impactbench", "evaluation", "submissions", "labels")
IN_CODE = re.compile(r"mark_safe\(|SafeString\((?!\"\"\))|SafeText|autoescape\s*=\s*False|__html__")
IN_TEMPLATES = re.compile(
    r"\|\s*(?:safe|safeseq)\b|autoescape\s+off|\{%\s*debug|\son[a-z]+=[\"']|javascript:|hx-on", re.IGNORECASE
)
# What the Content-Security-Policy refuses as well; a block of data is no script.
INLINE = re.compile(r"<script(?![^>]*(?:\bsrc=|application/json))|<style|\sstyle=", re.IGNORECASE)
# File: (how often, what makes it harmless).
ALLOWED = {
    "labels/charts/strips.py": (1, "numbers and our own words"),
    "labels/charts/differences.py": (2, "numbers and our own words"),
    "labels/charts/history.py": (1, "numbers, and words that are escaped"),
    "labels/templatetags/page_head.py": (1, "data in which no character is left that HTML knows"),
    "labels/charts/repeats.py": (1, "numbers and our own words"),
    "labels/charts/dots.py": (3, "numbers and our own words"),
    "labels/charts/metric_dots.py": (1, "numbers and our own words"),
    "labels/transcripts.py": (2, "escaped, or markdown rendered without HTML and cleaned by nh3"),
    "labels/citations.py": (2, "escaped or cleaned before it comes here"),
    "labels/analysis.py": (1, "our own style sheets"),
    "templates/labels/report_file.html": (1, "our own style sheets, in a file that is no page of the site"),
    "templates/account/email/base_message.txt": (1, "a mail in plain text"),
    "templates/account/messages/cannot_delete_primary_email.txt": (1, "text that the page escapes"),
    "templates/account/messages/email_confirmation_failed.txt": (1, "text that the page escapes"),
    "templates/account/messages/email_confirmed.txt": (1, "text that the page escapes"),
    "templates/account/messages/email_deleted.txt": (1, "text that the page escapes"),
}


def _found(paths: Iterable[Path], pattern: re.Pattern[str]) -> dict[str, int]:
    """How often each file holds the pattern, where it does."""
    counts = {
        path.relative_to(ROOT).as_posix(): len(pattern.findall(path.read_text(encoding="utf-8"))) for path in paths
    }
    return {name: count for name, count in counts.items() if count}


def _allowed(start: str, end: str = "") -> dict[str, int]:
    return {name: count for name, (count, _) in ALLOWED.items() if name.startswith(start) and name.endswith(end)}


def _sources() -> Iterator[Path]:
    return (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def _templates() -> Iterator[Path]:
    return (path for path in (ROOT / "templates").rglob("*") if path.is_file())


def test_code_says_that_text_is_safe_only_where_it_is_allowed() -> None:
    assert _found(_sources(), IN_CODE) == _allowed("", ".py")


def test_templates_say_that_text_is_safe_only_where_it_is_allowed() -> None:
    assert _found(_templates(), IN_TEMPLATES) == _allowed("templates/", ".txt")


def test_no_page_has_an_inline_script_or_style() -> None:
    pages = (path for path in _templates() if path.suffix == ".html")

    assert _found(pages, INLINE) == _allowed("templates/", ".html")


def test_the_patterns_see_what_they_are_for() -> None:
    assert IN_CODE.search("return mark_safe(text)")
    assert IN_TEMPLATES.search("{{ text | safe }}")
    assert IN_TEMPLATES.search('<a onclick="x()">')
    assert IN_TEMPLATES.search("{% autoescape off %}")
    assert INLINE.search("<script>")
    assert not INLINE.search('<script src="/static/a.js" defer>')
    assert not IN_TEMPLATES.search('<meta content="on">')
