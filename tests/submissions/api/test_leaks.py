"""With a token one gets what one's own pages show: every private address, every role, others' submissions in any state.

The letters are those of tests/submissions/access/table.py.
"""

from typing import Any

import pytest
from django.db import transaction

from submissions.states import State
from tests.submissions.access.matrix import TELLING_STATES, letter, quiet
from tests.submissions.access.people_and_states import PEOPLE, STATES, make_people, make_scene
from tests.support.api_tokens import Program
from tests.support.source_files import make_import
from tests.support.thorough import THOROUGH

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.fuzz]
BODIES: dict[str, Any] = {
    "patch ": {"version": 0, "content": {"title": "Taken over"}},
    "post submit/": {"version": 1},
    "post withdraw/": {"reason": "Because."},
    "post answers/": {"answers": []},
}
ADDRESSES = ("get ", *BODIES)
# Of the two who wrote it; everybody else gets "-", as if there were none.
AUTHORS = {
    ("owner", State.DRAFT): "pcpcp", ("co-author", State.DRAFT): "pcffp",
    ("owner", State.IN_REVIEW): "pcppp", ("co-author", State.IN_REVIEW): "pcffp",
}  # fmt: skip


def answers(program: Program, public_id: str) -> str:
    """The letters of one person at every address of a submission; whatever was changed is taken back."""
    found = ""
    for address in ADDRESSES:
        method, _, rest = address.partition(" ")
        path = f"submissions/{public_id}/{rest}"
        with transaction.atomic():
            ask = getattr(program, method)
            found += letter(ask(path) if method == "get" else ask(path, BODIES[address]))
            transaction.set_rollback(True)
    return found


def test_submissions_of_others_are_not_there(settings: Any, tmp_path: Any) -> None:
    settings.PRIVATE_FILES, settings.REFUSALS_AN_HOUR = tmp_path, 1_000_000
    people, found, listed = make_people(), dict[Any, str](), dict[str, list[str]]()
    programs = {name: Program(people[name]) for name in PEOPLE}
    with quiet():
        for state in STATES if THOROUGH else TELLING_STATES:
            public_id = make_scene(people, state).submission.public_id
            for name, program in programs.items():
                found[name, state] = answers(program, public_id)
        for name, program in programs.items():
            listed[name] = [row["id"] for row in program.get("submissions/").json().get("results", [])]

    told = {key: letters for key, letters in found.items() if key[0] not in ("owner", "co-author", "anonymous")}
    assert set(told.values()) == {"-----"}
    assert {letters for key, letters in found.items() if key[0] == "anonymous"} == {"ttttt"}
    assert {key: found[key] for key in AUTHORS} == AUTHORS
    assert [name for name, rows in listed.items() if rows] == ["owner", "co-author"]


def test_imports_are_for_editors() -> None:
    people = make_people()
    source = make_import(people["editor"])
    found = dict[str, str]()
    with quiet():
        for name in PEOPLE:
            program = Program(people[name])
            asked = (program.get("imports/"), program.get(f"imports/{source.pk}/"), program.upload("imports/"))
            found[name] = "".join(map(letter, asked))

    editors = ("conflicted", "owner with every role", "editor")
    others = {name: "fff" for name in PEOPLE if name not in editors} | {"anonymous": "ttt"}
    assert found == {**others, **dict.fromkeys(editors, "ppe")}
