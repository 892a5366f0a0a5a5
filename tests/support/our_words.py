"""Every string of ours that a reader of the public pages may meet: what templates and code mark for translation."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.commands import ROOT

# What only people with an account see is not among them.
TEMPLATES = ("templates/labels", "templates/components", "templates/submissions/public")
MORE_TEMPLATES = (
    "templates/base.html",
    "templates/404.html",
    "templates/429.html",
    "templates/500.html",
    "templates/503.html",
    "templates/alone.html",
)
CODE = ("labels",)
NOT_OF_PAGES = ("labels/api/", "labels/management/")
MARKERS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "N_"}
_TRANSLATE = re.compile(r"""\{%\s*translate\s+(?:"([^"]*)"|'([^']*)')""")
_BLOCK = re.compile(r"\{%\s*blocktranslate\b[^%]*%\}(.*?)\{%\s*endblocktranslate\s*%\}", re.DOTALL)
_PLURAL = re.compile(r"\{%\s*plural\s*%\}")


def strings() -> dict[str, list[str]]:
    """File: its strings, as a reader meets them but for what is filled in, which is an ellipsis."""
    found: dict[str, list[str]] = {}
    for path in _templates():
        found[path.relative_to(ROOT).as_posix()] = [_plain(text) for text in _of_template(path.read_text("utf-8"))]
    for path in _code():
        found[path.relative_to(ROOT).as_posix()] = [_plain(text) for text in _of_code(path.read_text("utf-8"))]
    return {name: texts for name, texts in found.items() if texts}


def _templates() -> Iterator[Path]:
    for folder in TEMPLATES:
        yield from sorted((ROOT / folder).rglob("*.html"))
        yield from sorted((ROOT / folder).rglob("*.svg"))
    yield from (ROOT / name for name in MORE_TEMPLATES)


def _code() -> Iterator[Path]:
    for package in CODE:
        for path in sorted((ROOT / package).rglob("*.py")):
            if not path.relative_to(ROOT).as_posix().startswith(NOT_OF_PAGES):
                yield path


def _of_template(source: str) -> Iterator[str]:
    for double, single in _TRANSLATE.findall(source):
        yield double or single
    for block in _BLOCK.findall(source):
        yield from _PLURAL.split(block)


def _of_code(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and _name(node.func) in MARKERS:
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _plain(text: str) -> str:
    """Without tags, entities and placeholders."""
    text = re.sub(r"\{\{.*?\}\}|%\(\w+\)s", "…", text)
    return " ".join(re.sub(r"<[^>]+>|&\w+;", " ", text).split())
