"""The beginning of a file, by which formats recognise their own files and their kinds."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from evaluation.importers.formats.problems import FileProblem

_MAX_BYTES = 300_000
_KEY = re.compile(r'"([\w-]+)"\s*:')


def beginning(file: Path) -> str:
    """The first 300,000 bytes as text; '' for what cannot be opened or is no text."""
    try:
        if not file.is_file():
            return ""
        with file.open("rb") as opened:
            text = opened.read(_MAX_BYTES).decode("utf-8-sig", errors="replace")
    except OSError:
        return ""
    return "" if "\x00" in text or "\ufffd" * 8 in text else text


def json_keys(text: str) -> set[str]:
    """The keys of JSON objects, whole or broken, at any depth; none for text that does not begin like JSON."""
    return set(_KEY.findall(text)) if text.lstrip()[:1] in ("{", "[") else set()


def first_cells(text: str, delimiter: str) -> tuple[str, ...]:
    """The first row of a table, cells without blanks around them; () for what is none."""
    try:
        cells = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), [])
    except csv.Error:
        return ()
    return tuple(" ".join(cell.split()) for cell in cells)


def own_files(path: Path, is_own: Callable[[Path], object]) -> Iterator[Path]:
    """The files at or below a path that are a format's own, sorted; links that lead elsewhere are not followed."""
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    return (file for file in files if file.is_file() and not file.is_symlink() and is_own(file))


def is_or_holds(path: Path, is_own: Callable[[Path], object]) -> bool:
    """Whether a path is a format's own file, or a folder that holds one."""
    return any(True for _ in own_files(path, is_own)) if path.is_dir() else bool(is_own(path))


def one_benchmark(path: Path, is_own: Callable[[Path], object]) -> tuple[Path, ...]:
    """What `find` answers where a folder is one benchmark: the path itself, of a folder only if it holds a file."""
    return (path,) if path.is_file() or any(True for _ in own_files(path, is_own)) else ()


def files_to_read(path: Path, is_own: Callable[[Path], object]) -> Iterator[Path]:
    """The own files of a folder, or the file itself whatever it holds: reading it says what is wrong with it."""
    return own_files(path, is_own) if path.is_dir() else iter((path,))


def kinds_in(
    path: Path, kind_of: Callable[[Path], str | None], order: Sequence[str], name: str
) -> list[tuple[str, Path]]:
    """(kind, file) of a format's files at or below a path, in the order of kinds; raises FileProblem for none."""
    found = [(kind, file) for file in own_files(path, lambda _file: True) if (kind := kind_of(file))]
    if not found:
        raise FileProblem(path, f"is no file of {name}" if path.is_file() else f"holds no file of {name}")
    return sorted(found, key=lambda pair: order.index(pair[0]))
