"""Every command in README and docs/ is one that works: read as a shell reads it, held against what there is."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from django.test import Client

from evaluation.plans import read_plan
from tests.docs import known, pages, shell
from tests.docs.pages import Block
from tests.docs.shell import Command
from tests.support.builders import make_release
from tests.support.commands import ROOT

BLOCKS = pages.of_language("sh")
# Words that begin a command which is no program of ours, and why nothing more is tried with it here.
OTHERS = {
    "cat": "shows or writes a file; what it writes is read below",
    "cd": "goes into a folder",
    "chmod": "closes a file for others",
    "git": "gets or updates the code, from an address that only its operator knows",
    "uv sync": "installs the lock, as `make setup` does before every test",
    "docker compose": "needs a container engine; files, services and their commands are held against what there is",
    "docker/entrypoint": "starts a process for good; tests/test_deployment_files.py reads it as a shell does",
}
# Variables that a shell or a program that is not ours reads.
FOREIGN_VARIABLES = {"PATH", "SITE", "FIGURE", "N"}
KEYS_OF_MODELS = re.compile(r".*_(KEY|TOKEN|CREDENTIALS)$")


def _name(block: Block) -> str:
    return block.place


@pytest.mark.parametrize("block", BLOCKS, ids=_name)
def test_a_shell_can_read_the_block(block: Block) -> None:
    done = subprocess.run(["sh", "-n"], input=block.text, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("block", BLOCKS, ids=_name)
def test_every_command_is_one_that_there_is(block: Block) -> None:
    assert [problem for command in shell.commands(block.text) if (problem := _problem(command))] == []


def test_every_usage_shown_is_taken_by_its_command() -> None:
    shown = [(block, command) for block in pages.of_language("text", "") for command in shell.usages(block.text)]

    assert [f"{block.place}: {problem}" for block, command in shown if (problem := _problem(command))] == []
    assert len(shown) >= 4


def test_each_exception_is_still_needed() -> None:
    used = {_begins(command.words) for block in BLOCKS for command in shell.commands(block.text) if command.words}

    assert sorted(set(OTHERS) - used) == []


@pytest.mark.django_db
def test_every_address_that_is_asked_answers(client: Client) -> None:
    make_release("demo")
    asked = [
        (block.place, word.removeprefix(pages.SITE))
        for block in BLOCKS
        for command in shell.commands(block.text)
        # With a token: tests/submissions/api/test_documented.py.
        if command.words[:1] == ("curl",) and not any("Authorization" in word for word in command.words)
        for word in command.words
        if word.startswith(pages.SITE)
    ]

    assert [(place, address) for place, address in asked if client.get(address).status_code != 200] == []
    assert asked


def test_every_file_written_is_one_that_we_can_read(tmp_path: Path) -> None:
    written = [command for block in BLOCKS for command in shell.commands(block.text) if command.text]

    assert [problem for command in written if (problem := _problem_in_file(command, tmp_path))] == []
    assert {command.writes for command in written} >= {"my-plan.yaml", "docker/.env"}


# --- What is wrong with a command, '' when nothing is


def _problem(command: Command) -> str:
    unknown = set(command.variables) - known.settings() - known.make_variables() - FOREIGN_VARIABLES
    unknown = {name for name in unknown if not KEYS_OF_MODELS.match(name)}
    if unknown:
        return f"nobody reads {', '.join(sorted(unknown))}"
    words = command.words
    if words[:2] == ("uv", "run"):
        words = words[2:]
    if words[:2] == ("python", "manage.py"):
        words = words[1:]
    return _CHECKS.get(words[0], _other)(words) if words else ""


def _manage(words: tuple[str, ...]) -> str:
    return known.manage_problem(words[1:])


def _make(words: tuple[str, ...]) -> str:
    targets = [word for word in words[1:] if "=" not in word]
    variables = {word.split("=")[0] for word in words[1:] if "=" in word}
    unknown = [*sorted(set(targets) - known.make_targets()), *sorted(variables - known.make_variables())]
    return f"make knows no {', '.join(unknown)}" if unknown else ""


def _python(words: tuple[str, ...]) -> str:
    if words[1] == "-m":
        return "" if importlib.util.find_spec(words[2]) else f"there is no module {words[2]}"
    return "" if (ROOT / words[1]).is_file() else f"there is no file {words[1]}"


def _curl(words: tuple[str, ...]) -> str:
    return "" if any(word.startswith(pages.SITE) for word in words) else f"asks no address of {pages.SITE}"


def _docker(words: tuple[str, ...]) -> str:
    if words[1:3] != ("compose", "-f") or not (ROOT / words[3]).is_file():
        return "compose is told no file of ours"
    action, *rest = words[4:]
    if action != "run":
        return ""
    # Options of `run` that we use: --rm, and -v with its value.
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] == "-v" else rest[1:]
    service, *arguments = rest
    if service not in known.compose()["services"]:
        return f"there is no service {service}"
    return known.manage_problem(tuple(arguments))


def _other(words: tuple[str, ...]) -> str:
    return "" if _begins(words) in OTHERS else f"{_begins(words)} is no program that we know; see OTHERS"


def _begins(words: tuple[str, ...]) -> str:
    two = " ".join(words[:2])
    return two if two in OTHERS else words[0]


_CHECKS: dict[str, Callable[[tuple[str, ...]], str]] = {
    "manage.py": _manage,
    "make": _make,
    "python": _python,
    "celery": lambda words: "" if words[1:3] == ("-A", "impactbench") else "celery is told no application",
    "curl": _curl,
    "docker": _docker,
}


def _problem_in_file(command: Command, folder: Path) -> str:
    if command.writes.endswith(".env"):
        names = {line.split("=")[0] for line in command.text.splitlines() if line}
        unknown = sorted(names - known.compose_variables())
        return f"{command.writes}: nobody reads {', '.join(unknown)}" if unknown else ""
    file = folder / Path(command.writes).name
    file.write_text(command.text, encoding="utf-8")
    if "targets" in yaml.safe_load(command.text):
        read_plan(file)
        return ""
    return f"{command.writes} is no file that we know"
