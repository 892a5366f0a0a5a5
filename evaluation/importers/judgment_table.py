"""A plain table of judgments, one line a conversation, read strictly: what `analyse` computes from."""

import csv
import hashlib
import io
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import pandas as pd

from impactbench.common.errors import UnusableInput

REQUIRED = ("benchmark", "metric", "polarity", "scenario", "profile", "model", "present")
OPTIONAL = ("areas", "subareas", "sample")
DELIMITERS = (",", ";", "\t")
PRESENT = {
    **dict.fromkeys(("true", "yes", "1", "present"), True),
    **dict.fromkeys(("false", "no", "0", "absent"), False),
    "": None,
}
POLARITIES = ("positive", "negative")
# Stands for all profiles together in every table.
TAKEN_PROFILE = "all"


@dataclass(frozen=True)
class JudgmentTable:
    """What a file holds. `verdicts` has the columns that `release_numbers` reads, and `scenario`.

    A metric's name there is 'benchmark/metric'. `groups` has benchmarks, and subareas and areas where given.
    """

    verdicts: pd.DataFrame
    groups: dict[str, dict[str, list[str]]]
    n_unjudged: int
    has_samples: bool
    sha256: str


def read_judgment_table(file: Path) -> JudgmentTable:
    """The judgments of a CSV file. Raises UnusableInput naming file, line and column, and what to do.

    UTF-8, with or without a byte order mark; cells between commas, semicolons or tabs, the same throughout. An empty
    `present` is an unjudged conversation.
    """
    content = _content(file)
    rows = list(_rows(file, content))
    if not rows:
        raise UnusableInput(f"{file}: there is no line below the header, so there is nothing to analyse")
    facts = _Facts(file)
    verdicts = [facts.verdict(line, cells) for line, cells in rows]
    columns = ["conversation", "benchmark", "metric", "polarity", "model", "profile", "scenario", "present"]
    table = pd.DataFrame(verdicts, columns=columns).assign(ended=True, reason="")
    return JudgmentTable(
        verdicts=table.astype({"present": "boolean", "polarity": "object"}),
        groups=facts.groups(),
        n_unjudged=int(table["present"].isna().sum()),
        has_samples="sample" in rows[0][1],
        sha256=hashlib.sha256(content).hexdigest(),
    )


class _Facts:
    """What the lines so far have said, so that a line that contradicts an earlier one is found."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.first_line: dict[tuple[str, ...], int] = {}
        self.of_metric: dict[tuple[str, str], tuple[int, str]] = {}
        self.members: dict[str, dict[str, set[str]]] = {
            name: defaultdict(set) for name in ("area", "subarea", "benchmark")
        }

    def verdict(self, line: int, cells: dict[str, str]) -> tuple[object, ...]:
        """One row of the table of verdicts."""
        for name in REQUIRED[:-1]:
            if not cells[name]:
                raise self.refused(line, name, "is empty; fill it in")
        polarity = cells["polarity"].lower()
        if polarity not in POLARITIES:
            raise self.refused(line, "polarity", f"says {cells['polarity']!r}; write positive or negative")
        if cells["present"].lower() not in PRESENT:
            words = "yes or no, true or false, 1 or 0, or leave it empty where nothing was judged"
            raise self.refused(line, "present", f"says {cells['present']!r}; write {words}")
        if cells["profile"] == TAKEN_PROFILE:
            raise self.refused(line, "profile", "says 'all', which stands for all of them together; write another name")
        metric = f"{cells['benchmark']}/{cells['metric']}"
        self._once(line, metric, cells)
        self._same(line, metric, "polarity", polarity)
        for group, column in (("area", "areas"), ("subarea", "subareas")):
            places = sorted({place.strip() for place in cells.get(column, "").split(";") if place.strip()})
            self._same(line, metric, column, "; ".join(places))
            for place in places:
                self.members[group][place].add(metric)
        self.members["benchmark"][cells["benchmark"]].add(metric)
        present = PRESENT[cells["present"].lower()]
        names = (cells["benchmark"], metric, polarity, cells["model"], cells["profile"], cells["scenario"])
        return (line, *names, present)

    def groups(self) -> dict[str, dict[str, list[str]]]:
        """{group: {key: metrics}}, groups that the file does not have left out."""
        return {
            group: {key: sorted(metrics) for key, metrics in sorted(keyed.items())}
            for group, keyed in self.members.items()
            if keyed
        }

    def refused(self, line: int, column: str, why: str) -> UnusableInput:
        return UnusableInput(f"{self.file}: line {line}, column {column} {why}")

    def _once(self, line: int, metric: str, cells: dict[str, str]) -> None:
        key = (metric, cells["scenario"], cells["profile"], cells["model"], cells.get("sample", ""))
        first = self.first_line.setdefault(key, line)
        if first != line:
            raise UnusableInput(
                f"{self.file}: line {line} is about the same conversation as line {first} (benchmark, metric, "
                "scenario, profile, model, sample); number repeated conversations in a column sample, and keep "
                "one line of each"
            )

    def _same(self, line: int, metric: str, column: str, value: str) -> None:
        first, known = self.of_metric.setdefault((metric, column), (line, value))
        if known != value:
            raise self.refused(
                line, column, f"says {value!r} of {metric}, but line {first} says {known!r}; make them the same"
            )


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as problem:
        raise UnusableInput(f"{file} cannot be read: {problem.strerror or problem}") from problem


def _rows(file: Path, content: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    """(line number, cells by column) of each line that is not blank."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        raise UnusableInput(f"{file}: line {line} is not UTF-8; save the table as CSV in UTF-8") from problem
    header, delimiter = _header(file, text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        next(reader)
        start = reader.line_num + 1
        for cells in reader:
            line, start = start, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                raise UnusableInput(
                    f"{file}: line {line} has {len(cells)} cells and the header {len(header)}; "
                    "put text that holds a separator between double quotes"
                )
            yield line, {name: cell.strip() for name, cell in zip(header, cells, strict=True)}
    except csv.Error as problem:
        raise UnusableInput(f"{file}: line {reader.line_num} is no CSV: {problem}") from problem


def _header(file: Path, text: str) -> tuple[list[str], str]:
    """The names of the columns, and what separates cells: whatever gives most of the columns that are needed."""
    first = next(iter(text.splitlines()), "")
    if not first.strip():
        raise UnusableInput(f"{file}: line 1 is empty; it must name the columns {', '.join(REQUIRED)}")
    found = {delimiter: _names(first, delimiter) for delimiter in DELIMITERS}
    delimiter = max(DELIMITERS, key=lambda one: len(set(REQUIRED) & set(found[one])))
    header = found[delimiter]
    _check_header(file, header)
    return header, delimiter


def _names(line: str, delimiter: str) -> list[str]:
    try:
        return [name.strip().lower() for name in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []


def _check_header(file: Path, header: Sequence[str]) -> None:
    missing = [name for name in REQUIRED if name not in header]
    unknown = [name for name in header if name not in REQUIRED + OPTIONAL]
    twice = sorted({name for name in header if header.count(name) > 1})
    if missing:
        near = {name: get_close_matches(name, unknown, n=1) for name in missing}
        perhaps = [f"is {found[0]!r} meant to be {name}?" for name, found in near.items() if found]
        raise UnusableInput(" ".join([f"{file}: line 1 lacks the columns {', '.join(missing)};", *perhaps, "add them"]))
    if unknown:
        raise UnusableInput(
            f"{file}: line 1 names columns that are not known: {', '.join(map(repr, unknown))}; take them out "
            f"(known are {', '.join(REQUIRED + OPTIONAL)})"
        )
    if twice:
        raise UnusableInput(f"{file}: line 1 names {', '.join(twice)} twice; keep one of each")
