"""What docs/api.md and its recipe ask with a token is answered as they say."""

import json
import subprocess
import sys
from typing import Any

import pytest

from labels.api.reference import addresses
from labels.api.schema import openapi_document
from submissions.models import RequestedChange, Submission
from submissions.states import State
from tests.docs import pages, shell
from tests.support.api_tokens import Program
from tests.support.commands import ROOT
from tests.support.portal import make_decision, make_person, make_submission
from tests.support.source_files import upload

# What is changed is sent, and what is sent is withdrawn.
ORDER = ("/api/v1/submissions/", "", "submit/", "answers/", "withdraw/")
RECIPE = ROOT / "docs/recipes/write_a_submission.py"


def _ask(program: Program, words: tuple[str, ...]) -> Any:
    """What curl would ask, by the options that the page uses."""
    options = {words[at]: words[at + 1] for at in range(1, len(words) - 1, 2)}
    path = words[-1].removeprefix(f"{pages.SITE}/api/v1/")
    if "-F" in options:
        return program.upload(path, upload(name=options["-F"].removeprefix("file=@")))
    if "-d" in options:
        kind = options["-H"].removeprefix("Content-Type: ")
        return program.client.post(f"/api/v1/{path}", options["-d"], content_type=kind, headers=program.headers)
    return program.get(path)


@pytest.mark.django_db
def test_every_request_of_the_page_is_answered() -> None:
    program = Program(make_person("Ed Editor", "expert", "editor"))
    blocks = [block for block in pages.of_language("sh") if block.page == "docs/api.md"]
    asked = [command.words for block in blocks for command in shell.commands(block.text)]

    found = [_ask(program, words).status_code for words in asked if any("Authorization" in word for word in words)]

    assert found == [200, 201, 201]


@pytest.mark.django_db
def test_every_body_that_the_description_shows_is_taken() -> None:
    ada = make_person("Ada Author", "expert")
    program, draft, asked = Program(ada), make_submission(ada), make_submission(ada, State.CHANGES_REQUESTED)
    decision = make_decision(asked, make_person("Ed Editor", "editor"), "request_changes")
    RequestedChange.objects.create(decision=decision, number=1, field="known", text="Say more.")
    found = {}

    shown = [one for one in addresses(openapi_document()) if one.example]
    for address in sorted(shown, key=lambda one: ORDER.index(one.path.rsplit("}/", 1)[-1])):
        about = asked if address.path.endswith("answers/") else draft
        path = address.path.removeprefix("/api/v1/").replace("{public_id}", about.public_id)
        ask = getattr(program, address.method.lower())
        found[f"{address.method} {address.path}"] = ask(path, json.loads(address.example)).status_code

    assert set(found.values()) == {200, 201}
    assert len(found) == 5


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_recipe_writes_a_draft(live_server: Any) -> None:
    program = Program(make_person("Ada Author", "expert"))

    done = subprocess.run(
        [sys.executable, RECIPE], env={"SITE": str(live_server), "IMPACTBENCH_TOKEN": program.text},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    draft = Submission.objects.get()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith(f"{draft.public_id}, version 2: ")
    assert draft.draft.definition == "The assistant asks what the person wants."
