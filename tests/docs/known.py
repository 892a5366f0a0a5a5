"""What commands of the documentation may name: targets of make, settings, services, commands of ours."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import yaml
from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand

from tests.support.commands import ROOT
from tests.test_settings_reference import OUR_OWN, read_by_code

# Words that stand for a number in what a command takes.
_NUMBERS = {"N": "1", "MINUTES": "1"}


@cache
def make_targets() -> frozenset[str]:
    return frozenset(re.findall(r"^([a-z]+):.*##", _makefile(), re.MULTILINE))


@cache
def make_variables() -> frozenset[str]:
    return frozenset(re.findall(r"^([A-Z]+) \?=", _makefile(), re.MULTILINE))


@cache
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "docker/compose.yaml").read_text(encoding="utf-8")))


@cache
def compose_variables() -> frozenset[str]:
    """What docker/.env may set."""
    text = "".join(
        file.read_text(encoding="utf-8") for file in (ROOT / "docker/compose.yaml", ROOT / "docker/Caddyfile")
    )
    return frozenset(re.findall(r"\$\{?([A-Z][A-Z0-9_]+)", text))


@cache
def settings() -> frozenset[str]:
    """Environment variables that our programs read, also as names of files that hold a secret."""
    names = read_by_code() | OUR_OWN
    return frozenset(names | {f"{name}_FILE" for name in names})


def manage_problem(words: tuple[str, ...]) -> str:
    """What the real parser of that management command says against these words; '' when it takes them."""
    name, *arguments = words
    if name == "help":
        return ""
    if name not in get_commands():
        return f"there is no command {name}"
    app = get_commands()[name]
    command = app if isinstance(app, BaseCommand) else load_command_class(app, name)
    parser = command.create_parser("manage.py", name)
    try:
        parser.parse_args([_NUMBERS.get(word, word) for word in arguments])
    except Exception as problem:  # what a parser raises depends on the command; all of it means that it said no
        return f"{name}: {problem}"
    return ""


def _makefile() -> str:
    return (ROOT / "Makefile").read_text(encoding="utf-8")
