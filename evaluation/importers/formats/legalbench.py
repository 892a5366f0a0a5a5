"""LegalBench: classification tasks give notes for an author and no metric, as a right answer is no behaviour."""

import re
from pathlib import Path

from evaluation.importers.formats.beginnings import beginning, kinds_in, own_files
from evaluation.importers.formats.draft_types import ReadDrafts
from evaluation.importers.formats.licences import licence_of
from evaluation.importers.formats.positions import read_text
from evaluation.importers.formats.publications import Gathering, Publication, drafts
from evaluation.importers.formats.tables import as_table, read_quoted_tsv
from evaluation.importers.formats.types import FormatDescription, Source

__all__ = ["describe", "find", "read", "recognises"]

PUBLICATION = Publication(
    slug="legalbench",
    name="LegalBench",
    source=Source("LegalBench", "https://github.com/HazyResearch/legalbench"),
    licence="CC BY 4.0, MIT, CC BY-NC-SA 4.0 or another licence, by task",
)
_ORDER = ("card", "table", "prompt")
_LICENCE = re.compile(r"^\*\*License\*\*:\s*(.+)$", re.MULTILINE)
_LONGEST_LICENCE = 300
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_NO_METRIC = "questions with a right answer: they judge knowledge, not a behaviour; author metrics from the task's card"
_NOTHING = "gives no metric and no scenario: its task is a note for whoever authors metrics"


def describe() -> FormatDescription:
    return FormatDescription("legalbench", "LegalBench task (TSV, prompt, task card)", False)


def recognises(path: Path) -> bool:
    """A task's table, prompt or card, or a folder that holds a table or card. Never raises."""
    return bool(find(path)) if path.is_dir() else _kind(path) is not None


def find(path: Path) -> tuple[Path, ...]:
    """The path itself: a folder is one benchmark."""
    if path.is_file():
        return (path,)
    kinds = {_kind(file) for file in own_files(path, lambda _file: True)}
    return (path,) if kinds & {"table", "card"} else ()


def read(path: Path) -> ReadDrafts:
    """Read one file, or all of a folder: descriptions, licences and what was left out. Raises FileProblem."""
    found = Gathering(path)
    cards = []
    for kind, file in kinds_in(path, _kind, _ORDER, PUBLICATION.name):
        match kind:
            case "table":
                rows = len(as_table(file, read_quoted_tsv(file)).rows)
                found.skip(found.place(file, "all rows"), f"{rows} {_NO_METRIC}")
            case "prompt":
                read_text(file)
                found.skip(found.place(file, "the whole file"), "a prompt with examples and a slot for the question")
            case _:
                cards.append(read_text(file).strip())
                _licence(found, file, cards[-1])
    found.description = "\n\n".join(cards)
    found.flag("file", _NOTHING)
    return drafts(PUBLICATION, found)


def _kind(file: Path) -> str | None:
    text = beginning(file)
    columns = text.partition("\n")[0].strip().split("\t")
    if columns[0] == "index" and "answer" in columns[1:]:
        return "table"
    if _LICENCE.search(text) and "**Legal reasoning type**" in text:
        return "card"
    return "prompt" if re.search(r"\{\{\w+\}\}", text) and re.search(r"^A:\s*$", text.rstrip() + "\n", re.M) else None


def _licence(found: Gathering, file: Path, card: str) -> None:
    stated = _LICENCE.search(card)
    if stated:
        licence = licence_of(_LINK.sub(r"\1", stated[1][:_LONGEST_LICENCE].strip()))
        found.licences.append(licence)
        found.flag(found.place(file, "its card"), f"states the licence {licence.name}: {licence.reason}")
