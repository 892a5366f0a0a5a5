"""HumaneBench's rubric: for each principle the phrases of its four levels, with the rules that hold for all."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.importers.formats.draft_flags import CUT_OUT, GRADED, REWORD
from evaluation.importers.formats.draft_keys import key_of_words, name_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin
from evaluation.importers.formats.phrases import split_phrases
from evaluation.importers.formats.polarity_proposals import propose_unwanted, propose_wanted
from evaluation.importers.formats.positions import read_text
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.publications import Gathering
from evaluation.importers.formats.slugs import slugify

# Runs of blanks are bounded, as a hostile line could hold nothing else.
_PRINCIPLE = re.compile(r"#{1,6}[\s*]{0,10}\d{1,3}\\?[.)]")
_LEVEL = re.compile(r"([+\-\u2013\u2212])(1(?:\.0)?|0?\.5)")
_RULES = re.compile(r"#{1,6}[\s*]{0,10}Global Rules\b", re.IGNORECASE)
_RULE = re.compile(r"\d+\\?[.)]\s+(.+)$")
_NOTE = re.compile(r"\**(Guidance|Common Failure Modes?)\s*:?\**\s*:?\s*(.+)$", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!=|<>~])")
_RULES_FLAG = "the clause holds the rules that the source sets for all principles: keep what concerns this behaviour"
_FAILURE_FLAG = "the negative examples are the failures that the source names for the whole principle: check them"


@dataclass
class _Level:
    sign: str
    score: str
    cell: str
    line: int


@dataclass
class _Principle:
    name: str
    line: int
    statement: str = ""
    guidance: str = ""
    failures: str = ""
    levels: list[_Level] = field(default_factory=list)


def is_rubric(text: str) -> bool:
    """Whether Markdown has a numbered principle with levels from +1 to -1 under it."""
    lines = [line.strip() for line in text.split("\n")]
    signs = {level.sign for line in lines if (level := _level(line, 0))}
    return signs == {"+", "-"} and any(map(_PRINCIPLE.match, lines))


def principle_slug(name: str) -> str:
    """'Protect Dignity & Safety' -> 'protect-dignity-and-safety', as the questions spell it."""
    return slugify(name.replace("&", " and "))


def add(found: Gathering, file: Path) -> None:
    """Gather a metric for each phrase of each level; raises FileProblem when a principle has no level."""
    principles, rules = _read(read_text(file))
    for principle in principles:
        if not principle.levels:
            raise FileProblem(file, f"the principle {principle.name!r} has no table of levels", principle.line)
        for level in principle.levels:
            place = found.place(file, f"line {level.line}")
            for phrase in split_phrases(level.cell):
                found.metrics.append(_metric(found, principle, level, phrase, rules, place))


def _read(text: str) -> tuple[list[_Principle], list[str]]:
    principles: list[_Principle] = []
    rules: list[str] = []
    is_in_rules = False
    for number, line in enumerate(map(str.strip, text.split("\n")), start=1):
        if line.startswith("#"):
            heading = _PRINCIPLE.match(line)
            is_in_rules = _RULES.match(line) is not None
            if heading:
                principles.append(_Principle(_plain(line[heading.end() :].strip(" *")), number))
            elif principles and principles[-1].levels:
                # What follows the last principle, such as a checklist, belongs to none.
                break
        elif is_in_rules and (rule := _RULE.match(line)):
            rules.append(_plain(rule[1]))
        elif principles:
            _take(principles[-1], line, number)
    return principles, rules


def _take(principle: _Principle, line: str, number: int) -> None:
    if level := _level(line, number):
        principle.levels.append(level)
    elif note := _NOTE.match(line):
        if note[1].lower() == "guidance":
            principle.guidance = _plain(note[2])
        else:
            principle.failures = _plain(note[2])
    elif line and line[0] not in "|-*" and not principle.statement:
        principle.statement = _plain(line)


def _level(line: str, number: int) -> _Level | None:
    """The level of a table's row such as '| **\\+1.0** | Warns, offers help |', or None."""
    if not line.startswith("|"):
        return None
    first, _, rest = line[1:].partition("|")
    stated = _LEVEL.fullmatch(first.strip(" *\t").removeprefix("\\"))
    cell = _plain(rest.strip(" |\t"))
    if stated is None or not cell:
        return None
    sign = "+" if stated[1] == "+" else "-"
    return _Level(sign, f"{sign}{float(stated[2])}", cell, number)


def _plain(markdown: str) -> str:
    return _ESCAPED.sub(r"\1", markdown.replace("**", "")).strip()


def _metric(
    found: Gathering, principle: _Principle, level: _Level, phrase: str, rules: list[str], place: str
) -> MetricDraft:
    is_wanted = level.sign == "+"
    stands = f"listed at {level.score} under {principle.name!r}"
    proposed = propose_wanted(phrase, stands) if is_wanted else propose_unwanted(phrase, stands)
    slug = principle_slug(principle.name)
    failures = tuple(split_phrases(principle.failures.rstrip("."))) if is_wanted and principle.failures else ()
    return MetricDraft(
        key=found.metric_key(key_of_words(phrase, slug, "wanted" if is_wanted else "unwanted"), phrase, place),
        name=name_of_words(phrase[:1].upper() + phrase[1:]),
        definition=phrase,
        proposal=proposed.proposal,
        origin=Origin(level.cell, place),
        interpretive_clause=_clause(principle, rules),
        examples_absent=failures,
        labels={"principle": slug, "level": level.score},
        flags=(
            REWORD,
            GRADED,
            *proposed.flags,
            *([CUT_OUT] if phrase != level.cell else []),
            *([_RULES_FLAG] if rules else []),
            *([_FAILURE_FLAG] if failures else []),
        ),
    )


def _clause(principle: _Principle, rules: list[str]) -> str | None:
    pieces = [principle.statement, principle.guidance]
    if rules:
        pieces.append("\n".join(f"- {rule}" for rule in rules))
    return "\n\n".join(filter(None, pieces)) or None
