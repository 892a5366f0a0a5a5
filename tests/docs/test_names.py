"""What README and docs/ name exists: addresses, files, targets of make, commands, settings, pictures and words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.core.management import get_commands
from django.urls import Resolver404, resolve

from labels.glossary import TERMS
from tests.docs import known, pages
from tests.support.commands import ROOT
from tests.support.screenshots import FOLDER, PICTURES

_ADDRESS = re.compile(r"/(?:[\w.<>-]+(?:/[\w.<>-]+)*/?)?(?:[?#].*)?")
_FILE = re.compile(r"[\w*./<>-]*\w\.(?:py|md|html|css|yaml|json|js|txt|env|svg)")
_FOLDER = re.compile(r"(?:docs|docker|evaluation|impactbench|labels|static|submissions|templates|tests)/(?:[\w.-]+/)*")
_SETTING = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
# Files that only somebody's machine or an archive of others has.
FOREIGN_FILES = {
    "benchmark.yaml": "a benchmark of one's own", "scenarios.json": "a benchmark of one's own",
    "risks.json": "a file of KORA", "docker/models.env": "keys; made by whoever deploys", "docker/.env": "the same",
    "manifest.json": "an export", "croissant.json": "an export", "results.json": "a report", "report.html": "a report",
    "areas.html": "what the recipe draws", "FILE.csv": "any", "FILE.yaml": "any", "copy.json": "an address",
    "drafts.csv": "an address", "study.json": "a plan of a study",
}  # fmt: skip
# What a later version of the API would be called.
NOT_YET = {"/api/v2/"}
# Keys that plans name are called as whoever keeps them likes.
KEYS = re.compile(r".*_(KEY|TOKEN|CREDENTIALS|FILE)$")


def test_addresses_are_there() -> None:
    named = [(page, words) for page, words in pages.words_as_code() if _is_address(words)]

    assert sorted({f"{page}: {words}" for page, words in named if not _is_served(words)}) == []
    assert len(named) > 50


def test_files_are_there() -> None:
    named = [
        (page, words) for page, words in pages.words_as_code() if _FILE.fullmatch(words) or _FOLDER.fullmatch(words)
    ]

    assert sorted({f"{page}: {words}" for page, words in named if not _is_a_file(words)}) == []
    assert len(named) > 50


def test_targets_of_make_are_there() -> None:
    said = {
        (page, name)
        for page, words in pages.words_as_code()
        for name in re.findall(r"\bmake ([a-z]+)", words)
        if words.startswith(("make ", "PORT=", "sudo make"))
    }

    assert sorted(f"{page}: make {name}" for page, name in said if name not in known.make_targets()) == []
    assert len(said) > 5


def test_commands_are_there() -> None:
    said = {(page, name) for page, words in pages.words_as_code() for name in re.findall(r"manage\.py (\w+)", words)}

    assert sorted(f"{page}: {name}" for page, name in said if name not in {*get_commands(), "help"}) == []


def test_settings_are_there() -> None:
    said = {(page, words) for page, words in pages.words_as_code() if _SETTING.fullmatch(words)}
    code = _code()

    assert sorted(f"{page}: {name}" for page, name in said if not _is_known(name, code)) == []
    assert len(said) > 50


def test_every_picture_is_there_small_and_shown_once_or_more() -> None:
    shown = {file for _, file in pages.pictures()}
    there = {file.resolve() for file in FOLDER.iterdir()}

    assert sorted(str(file) for file in shown if not file.is_file()) == []
    assert sorted(file.name for file in there - shown) == []
    assert sorted(file.stem for file in there) == sorted(picture.name for picture in PICTURES)
    assert [file.name for file in there if file.stat().st_size > 100_000] == []


def test_glossary_has_the_words_of_the_site_as_the_site_says_them() -> None:
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8").split("## Words of the pages")[1]
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| word")]

    assert rows == [f"| {term.word} | {term.meaning} |" for term in TERMS]


# --- What there is


def _is_address(words: str) -> bool:
    return words.startswith("/") and _ADDRESS.fullmatch(words) is not None


def _is_served(words: str) -> bool:
    """Whether the site has such an address; `<id>` and the like stand for anything."""
    address = re.split(r"[?#]", words)[0]
    if address.startswith("/docs/") or address in NOT_YET:
        return True
    tried = [re.sub(r"<[\w-]+>", stand_in, address) for stand_in in ("1", "a", "S-ABCDEF")]
    return any(_resolves(one) or _is_a_beginning(one) for one in tried)


def _resolves(address: str) -> bool:
    try:
        found = resolve(address)
    except Resolver404:
        return False
    # Everything under /api/ that is nothing else is answered with a problem.
    return found.route != r"^api/"


def _is_a_beginning(address: str) -> bool:
    return address in ("/accounts/", "/api/v1/")


def _is_a_file(words: str) -> bool:
    if words in FOREIGN_FILES or "<" in words:
        return True
    if words.startswith("/"):
        return False
    end = "/" + words.rstrip("/")
    return any(f"/{name}".endswith(end) for name in _files()) or bool(list(ROOT.glob(words)))


def _is_known(name: str, code: str) -> bool:
    names = known.settings() | known.make_variables() | known.compose_variables()
    return name in names or KEYS.match(name) is not None or re.search(rf"\b{name}\b", code) is not None


@cache
def _files() -> frozenset[str]:
    """Files and folders of the repository, from its root."""
    return frozenset(_walk())


def _walk() -> Iterator[str]:
    tops = ("docs", "docker", "evaluation", "impactbench", "labels", "static", "submissions", "templates", "tests")
    yield from (file.name for file in ROOT.iterdir() if file.is_file())
    for top in tops:
        for folder, _, names in os.walk(ROOT / top):
            inside = Path(folder).relative_to(ROOT).as_posix()
            yield inside
            yield from (f"{inside}/{name}" for name in names)


@cache
def _code() -> str:
    """All settings of Django and constants of our packages, where a page may name one."""
    packages = ("impactbench", "evaluation", "submissions", "labels")
    return "\n".join(
        line
        for package in packages
        for file in (ROOT / package).rglob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
        if _SETTING.match(line)
    )
