"""Shapes of keys and passwords in text; `python -m tests.support.secrets_in_text` looks through all of the history.

A list of our own and no library: it is thirty lines, knows our own tokens, needs no file of known finds that grows with
every change, and reads the whole tree in a second.
"""

from __future__ import annotations

import hashlib
import math
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

from tests.support.commands import ROOT

# Pieces are put together here, so that this file itself holds none of the shapes.
SHAPES = {
    "key of AWS": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "key of OpenAI, Anthropic and the like": r"\bsk-[A-Za-z0-9_-]{20,}",
    "token of GitHub": r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})",
    "token of GitLab": r"\bglpat-[A-Za-z0-9_-]{20,}",
    "token of Slack": r"\bxox[abeprs]-[A-Za-z0-9-]{10,}",
    "key of Google": r"\bAIza[A-Za-z0-9_-]{35}",
    "token of Hugging Face": r"\bhf_[A-Za-z0-9]{30,}",
    "token of ours": r"\bib_[0-9A-Za-z]{38}\b",
    "private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
    "signed token": r"\beyJ[A-Za-z0-9_-]{15,}\.eyJ[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]{15,}",
    "password in an address": r"\b[a-z][a-z0-9+]*://[\w.-]+:(?P<word>[^\s:@/${}<>\"'%]{6,})@[\w.-]+",
    "assigned secret": (
        r"(?i)\b[\w-]*(?:password|passwd|secret|token|api_?key)[\w-]*[\"']?\s*[:=]\s*[\"'](?P<word>[\w+/=.~-]{20,})[\"']"
    ),
}
_PATTERNS = {name: re.compile(shape) for name, shape in SHAPES.items()}
# What looks like a secret and opens nothing: {what it is known by: why}.
KNOWN = {
    "5e884898da28": "the word password, in examples of addresses of databases",
    "2bb80d537b1d": "the word secret, in addresses that must be refused",
    "f971809d8c0b": "a made-up key in tests that no line of the log tells it",
    "902fafda1048": "a SECRET_KEY for tests of the production settings",
}
# Bits a character: English words have less than 3.6, random letters and digits more than 4.
_RANDOM = 3.8
# Too large to be written by hand, and full of sums and samples.
_LOCKS = ("uv.lock",)


def found_in(text: str) -> Iterator[tuple[str, str]]:
    """(shape, the text of it) for everything that looks like a secret."""
    for name, pattern in _PATTERNS.items():
        for match in pattern.finditer(text):
            word = match.groupdict().get("word") or match[0]
            if name != "assigned secret" or _is_random(word):
                yield name, word


def mark(word: str) -> str:
    """What a find is known by without being written down again."""
    return hashlib.sha256(word.encode()).hexdigest()[:12]


def tracked_files() -> dict[str, str]:
    """{path: text} of every file of the repository that is text."""
    names = _git("ls-files", "-z").split("\0")
    texts = {}
    for name in names:
        path = ROOT / name
        if name and name not in _LOCKS and path.is_file():
            content = path.read_bytes()
            if b"\0" not in content[:8000]:
                texts[name] = content.decode("utf-8", errors="replace")
    return texts


def history() -> Iterator[tuple[str, str]]:
    """(commit, line) for every line that any commit added."""
    log = _git("log", "--all", "-p", "--unified=0", "--no-color", "--format=commit %h", "--", ".", ":!uv.lock")
    commit = ""
    for line in log.splitlines():
        if line.startswith("commit "):
            commit = line.removeprefix("commit ")
        elif line.startswith("+") and not line.startswith("+++"):
            yield commit, line[1:]


def _is_random(word: str) -> bool:
    if not (re.search(r"\d", word) and re.search(r"[A-Za-z]", word)):
        return False
    n = len(word)
    return -sum(count / n * math.log2(count / n) for count in Counter(word).values()) >= _RANDOM


def _git(*arguments: str) -> str:
    ended = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True)
    return ended.stdout.decode("utf-8", errors="replace")


if __name__ == "__main__":
    new = [(commit, shape, mark(word)) for commit, line in history() for shape, word in found_in(line)]
    left = sorted({find for find in new if find[2] not in KNOWN})
    for commit, shape, known_by in left:
        print(f"{commit}: {shape} ({known_by})")  # noqa: T201
    print(f"history: {len(left)} secrets that KNOWN does not name")  # noqa: T201
    sys.exit(bool(left))
