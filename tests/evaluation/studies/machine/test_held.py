"""A conversation held to another says the same, until the target answers differently."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from evaluation.engine.conversation import hold_conversation
from evaluation.engine.types import TurnRecord
from evaluation.studies.machine.held import HeldToAnother, first_difference
from tests.support.conversations import METRIC, SCENARIO, SETTINGS, ListedModel, turn

OTHER = [
    turn(1, "wich one", "What matters?", unedited_message="Which one?\nMessage: [END]?"),
    turn(2, "cant say", "Then take design.", unedited_message="Can't say."),
    turn(3, "ok", "Good.", unedited_message="OK."),
]


def _talk(replies: Sequence[str], own: Sequence[str], saved: Sequence[TurnRecord] = ()) -> list[TurnRecord]:
    turns = list(saved)
    simulator = ListedModel([f"Thought: own\nMessage: {line}" for line in own])
    held = HeldToAnother(OTHER, saved, simulator=simulator, target=ListedModel(replies))

    async def save(turn: TurnRecord) -> None:
        turns.append(turn)

    asyncio.run(
        hold_conversation(
            METRIC,
            SCENARIO,
            replace(SETTINGS, typing_edits=False),
            key="k",
            simulator=held.simulator,
            target=held.target,
            target_system_prompt=None,
            saved=saved,
            save_turn=save,
            should_stop=lambda: False,
        )
    )
    return turns


def test_the_same_replies_meet_the_same_messages_without_a_call() -> None:
    turns = _talk(["What matters?", "Then take design.", "Good."], own=[])

    assert [turn.user_message for turn in turns] == [turn.unedited_message for turn in OTHER]
    assert [turn.simulator_usage.calls for turn in turns] == [0, 0, 0]
    assert first_difference(turns, OTHER) is None


def test_after_another_reply_the_simulated_user_speaks_for_itself() -> None:
    turns = _talk(["What matters?", "Take programming.", "Good."], own=["Why that?"])

    assert [turn.user_message for turn in turns] == ["Which one?\nMessage: [END]?", "Can't say.", "Why that?"]
    assert [turn.simulator_usage.calls for turn in turns] == [0, 0, 1]
    assert first_difference(turns, OTHER) == 2


def test_a_conversation_taken_up_again_knows_its_saved_replies() -> None:
    same, other = turn(1, "Which one?", "What matters?"), turn(1, "Which one?", "Design.")

    assert _talk(["a", "b"], own=["x"], saved=[same])[1].user_message == "Can't say."
    assert _talk(["a", "b"], own=["x", "y"], saved=[other])[1].user_message == "x"


def test_a_shorter_conversation_differs_where_it_ends() -> None:
    assert first_difference(OTHER[:2], OTHER) == 3
