"""The commands of a block for a shell: taken apart as a shell would, with the files that they write."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field

_HERE = re.compile(r"<<'?(\w+)'?")
_ENDS = {"&&", "||", ";", "|", "&"}
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


@dataclass(frozen=True)
class Command:
    """One command: the variables set before it, its words, and a file that it writes, with the text."""

    words: tuple[str, ...]
    variables: tuple[str, ...] = ()
    writes: str = ""
    text: str = field(default="", repr=False)


def commands(text: str) -> Iterator[Command]:
    """The commands of a block, in their order. Raises ValueError for what no shell could read."""
    lines = iter(text.replace("\\\n", " ").splitlines())
    for line in lines:
        here = _HERE.search(line)
        written = _until(lines, here[1]) if here else ""
        for words in _split(_HERE.sub("", line)):
            yield _command(words, written)


def usages(text: str) -> Iterator[Command]:
    """The commands that lines of `text` show with what may be left out: brackets and `...` are taken away."""
    for line in text.splitlines():
        if line.startswith("manage.py "):
            shown = re.sub(r"\.\.\.|[\[\]]", "", re.split(r" {2,}", line)[0])
            yield _command([word.split("|")[0] for word in shlex.split(shown)], "")


def _until(lines: Iterator[str], end: str) -> str:
    taken: list[str] = []
    for line in lines:
        if line == end:
            return "\n".join(taken) + "\n"
        taken.append(line)
    raise ValueError(f"nothing ends the text before {end}")


def _split(line: str) -> Iterator[list[str]]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|")
    lexer.whitespace_split = True
    words: list[str] = []
    for word in [*lexer, ";"]:
        if word not in _ENDS:
            words.append(word)
        elif words:
            yield words
            words = []


def _command(words: list[str], written: str) -> Command:
    first = next((at for at, word in enumerate(words) if not _ASSIGNMENT.match(word)), len(words))
    variables = [word.split("=")[0] for word in words[:first]]
    rest = words[first:]
    if rest[:1] == ["export"]:
        variables, rest = [word.split("=")[0] for word in rest[1:]], []
    to = rest[rest.index(">") + 1] if ">" in rest else ""
    return Command(tuple(rest[: rest.index(">")] if to else rest), tuple(variables), to, written)
