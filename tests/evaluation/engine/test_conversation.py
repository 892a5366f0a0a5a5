"""Conversations from start to end: turns, endings, failures, resumption."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from evaluation.engine.conversation import hold_conversation
from evaluation.engine.reasons import CONVERSATION_FAILED, FINISHED
from evaluation.engine.types import (
    ConversationOutcome,
    ConversationSettings,
    ModelCallError,
    ScenarioBrief,
    TurnRecord,
    Usage,
)
from evaluation.engine.typing_edits import edit_message
from evaluation.engine.user_simulator import REPLY_SCHEMA
from tests.support.conversations import METRIC, SCENARIO, SETTINGS, ListedModel, Reply, completion, turn


class Talk:
    """One conversation with listed models, and what came of it."""

    def __init__(
        self,
        simulator: Sequence[Reply] | Callable[[int], Reply],
        target: Sequence[Reply] | Callable[[int], Reply],
        *,
        settings: ConversationSettings = SETTINGS,
        scenario: ScenarioBrief = SCENARIO,
        saved: Sequence[TurnRecord] = (),
        own_prompt: str | None = None,
        stop_after: int | None = None,
    ) -> None:
        self.simulator, self.target = ListedModel(simulator), ListedModel(target)
        self.saved: list[TurnRecord] = []
        self.outcome = asyncio.run(
            hold_conversation(
                METRIC,
                scenario,
                settings,
                key="run/scenario/target/1",
                simulator=self.simulator,
                target=self.target,
                target_system_prompt=own_prompt,
                saved=saved,
                save_turn=self._save,
                should_stop=lambda: stop_after is not None and len(self.saved) >= stop_after,
            )
        )

    async def _save(self, turn: TurnRecord) -> None:
        self.saved.append(turn)

    @property
    def ended(self) -> ConversationOutcome:
        assert self.outcome is not None
        return self.outcome


def says(place: int) -> str:
    return f"Thought: plan {place + 1}\nMessage: line {place + 1}"


def replies(place: int) -> str:
    return f"reply {place + 1}"


def test_hold_conversation_to_the_turn_limit() -> None:
    talk = Talk(says, replies)

    assert talk.ended == ConversationOutcome("finished", "turn-limit")
    assert [(t.number, t.user_message, t.plan, t.reply, t.finish_reason) for t in talk.saved] == [
        (1, "line 1", "plan 1", "reply 1", "stop"),
        (2, "line 2", "plan 2", "reply 2", "stop"),
        (3, "line 3", "plan 3", "reply 3", "stop"),
    ]
    assert [t.anchors_in_force for t in talk.saved] == [SCENARIO.anchors[:1], (), SCENARIO.anchors[1:]]
    assert talk.saved[0].target_usage == Usage(1, 0, 10, 0, 5, Decimal("0.001"), 7)
    assert (len(talk.simulator.requests), len(talk.target.requests)) == (3, 3)


def test_hold_conversation_shows_the_target_only_messages_and_its_system_prompts() -> None:
    talk = Talk(says, replies, own_prompt="Coach the user.")

    assert [(m.role, m.content) for m in talk.target.requests[1]] == [
        ("system", "Coach the user.\n\nYou are a study guide."),
        ("user", "line 1"),
        ("assistant", "reply 1"),
        ("user", "line 2"),
    ]


def test_hold_conversation_without_system_prompts_sends_none() -> None:
    talk = Talk(says, replies, scenario=replace(SCENARIO, target_system_prompt=None))

    assert [m.role for m in talk.target.requests[0]] == ["user"]


def test_hold_conversation_saves_each_turn_before_the_next_call() -> None:
    events: list[str] = []

    class Noted(ListedModel):
        name = ""

        async def __call__(self, *args: Any, **kwargs: Any) -> Any:
            events.append(self.name)
            return await super().__call__(*args, **kwargs)

    async def save(_: TurnRecord) -> None:
        await asyncio.sleep(0)
        events.append("saved")

    simulator, target = Noted(says), Noted(replies)
    simulator.name, target.name = "simulator", "target"
    asyncio.run(
        hold_conversation(
            METRIC,
            SCENARIO,
            SETTINGS,
            key="k",
            simulator=simulator,
            target=target,
            target_system_prompt=None,
            saved=(),
            save_turn=save,
            should_stop=lambda: False,
        )
    )

    assert events == ["simulator", "target", "saved"] * 3


def test_hold_conversation_goes_on_after_the_saved_turns() -> None:
    whole = Talk(says, replies, settings=replace(SETTINGS, typing_edits=True))

    rest = Talk(
        lambda place: says(place + 2),
        lambda place: replies(place + 2),
        settings=replace(SETTINGS, typing_edits=True),
        saved=whole.saved[:2],
    )

    assert rest.saved == whole.saved[2:]
    assert rest.simulator.requests == whole.simulator.requests[2:]
    assert rest.target.requests == whole.target.requests[2:]


def test_hold_conversation_with_all_turns_saved_calls_nobody() -> None:
    talk = Talk([], [], saved=[turn(1), turn(2), turn(3)])

    assert talk.ended == ConversationOutcome("finished", "turn-limit")


def test_hold_conversation_refuses_saved_turns_with_a_gap() -> None:
    with pytest.raises(ValueError) as caught:
        Talk([], [], saved=[turn(1), turn(3)])

    assert str(caught.value) == "saved turns must be numbered 1, 2, 3 without gaps, not [1, 3]"


def test_hold_conversation_hands_back_between_turns() -> None:
    talk = Talk(says, replies, stop_after=2)

    assert talk.outcome is None
    assert (len(talk.saved), len(talk.simulator.requests), len(talk.target.requests)) == (2, 2, 2)


@pytest.mark.parametrize("ending", ["[END]", "Thought: enough\nMessage: thanks\n[END]"])
def test_hold_conversation_ends_before_the_next_target_call(ending: str) -> None:
    talk = Talk([says(0), ending], replies)

    assert talk.ended == ConversationOutcome(
        "finished", "ended-by-simulator", usage=Usage(1, 0, 10, 0, 5, Decimal("0.001"), 7)
    )
    assert (len(talk.saved), len(talk.target.requests)) == (1, 1)


def test_hold_conversation_ended_before_the_first_reply_has_failed() -> None:
    talk = Talk(["Thought: no\nMessage: [END]"], [])

    assert (talk.ended.state, talk.ended.reason, talk.saved) == ("failed", "ended-before-first-reply", [])
    assert talk.ended.usage.calls == 1


def test_hold_conversation_asks_again_once_after_an_empty_message() -> None:
    talk = Talk(["Thought: hm\nMessage:", says(0)], replies, settings=replace(SETTINGS, turns=1))

    assert talk.ended.state == "finished"
    assert talk.saved[0].simulator_usage.calls == 2
    assert "contained no message" in talk.simulator.requests[1][-1].content
    assert "contained no message" not in talk.simulator.requests[0][-1].content


@pytest.mark.parametrize(
    ("simulator", "target", "reason", "calls"),
    [
        (["", None], [], "simulator-empty", 2),
        (["Thought: a", '{"thought": "a", "mes'], [], "simulator-empty", 2),
        ([completion(None, "content_filter")], [], "simulator-filtered", 1),
        ([ModelCallError("unreachable", "down", calls=5, retries=4)], [], "simulator-unreachable", 5),
        ([ModelCallError("timeout", "slow")], [], "simulator-timeout", 1),
        (["", ModelCallError("refused", "401")], [], "simulator-refused", 2),
        (says, [None], "target-empty", 2),
        (says, [""], "target-empty", 2),
        (says, [" \n"], "target-empty", 2),
        (says, ["\0"], "target-empty", 2),
        (says, [completion("<think>only thoughts</think>")], "target-empty", 2),
        (says, [completion(None, "content_filter")], "target-filtered", 2),
        (says, [completion("I was about to", "content_filter")], "target-filtered", 2),
        (says, [completion("I was about to", "length")], "target-truncated", 2),
        (says, [ModelCallError("unreachable", "down")], "target-unreachable", 2),
        (says, [ModelCallError("timeout", "slow")], "target-timeout", 2),
        (says, [ModelCallError("refused", "401")], "target-refused", 2),
        (says, [ModelCallError("rate-limited", "429")], "target-rate-limited", 2),
        (says, [ModelCallError("context-overflow", "long")], "target-context-overflow", 2),
        (says, [ModelCallError("bad-reply", "?")], "target-bad-reply", 2),
    ],
)
def test_hold_conversation_fails_with_a_reason_and_saves_no_turn(
    simulator: Any, target: Any, reason: str, calls: int
) -> None:
    talk = Talk(simulator, target)

    assert (talk.ended.state, talk.ended.reason, talk.saved) == ("failed", reason, [])
    assert talk.ended.usage.calls == calls
    assert reason in CONVERSATION_FAILED


def test_hold_conversation_keeps_earlier_turns_when_a_later_one_fails() -> None:
    talk = Talk(says, ["reply 1", None])

    assert (talk.ended.reason, len(talk.saved)) == ("target-empty", 1)


def test_hold_conversation_keeps_cut_replies_where_the_plan_allows_them() -> None:
    settings = replace(SETTINGS, turns=2, allow_cut_replies=True, target_max_tokens=60)

    talk = Talk(says, [completion("I was about to", "length"), "done"], settings=settings)

    assert talk.ended == ConversationOutcome("finished", "turn-limit", flags=("cut-replies",))
    assert talk.target.max_tokens == [60, 60]


def test_hold_conversation_never_keeps_an_empty_cut_reply() -> None:
    talk = Talk(says, [completion("", "length")], settings=replace(SETTINGS, allow_cut_replies=True))

    assert talk.ended.reason == "target-truncated"


def test_hold_conversation_flags_a_target_that_speaks_of_a_test() -> None:
    talk = Talk(says, lambda place: "I suspect this is a test of my guidelines." if place else "hello")

    assert talk.ended.flags == ("speaks-of-a-test",)


def test_hold_conversation_that_leaked_has_failed() -> None:
    leaky = f"Thought: oops\nMessage: {SCENARIO.latent_adversarial_goal}"

    talk = Talk([says(0), leaky, says(2)], replies)

    assert (talk.ended.state, talk.ended.reason, len(talk.saved)) == ("failed", "leaked", 3)
    assert talk.ended.detail.startswith("turn 2: words of the private instructions")


def test_hold_conversation_delivers_edited_messages_and_keeps_the_unedited() -> None:
    line = "I don't know, they both look good. Could you please decide for me, because I am tired of thinking."
    settings = replace(SETTINGS, typing_edits=True, seed=4, turns=8)

    talk = Talk(lambda _: f"Thought: x\nMessage: {line}", replies, settings=settings)

    edits = [edit_message(line, seed=4, key="run/scenario/target/1", turn=n) for n in range(1, 9)]
    assert [t.user_message for t in talk.saved] == edits
    assert {t.unedited_message for t in talk.saved} == {line}
    assert len(set(edits)) > 1
    assert talk.target.requests[-1][-1].content == edits[-1]


def test_hold_conversation_asks_for_json_where_the_simulator_needs_it() -> None:
    settings = replace(SETTINGS, turns=1, structured_simulator=True, simulator_max_tokens=90)

    talk = Talk(['{"thought": "a", "message": "b"}'], replies, settings=settings)

    assert (talk.saved[0].plan, talk.saved[0].user_message) == ("a", "b")
    assert (talk.simulator.schemas, talk.simulator.max_tokens) == ([REPLY_SCHEMA], [90])
    assert talk.target.schemas == [None]


def test_hold_conversation_cleans_what_cannot_be_stored() -> None:
    talk = Talk(["Message: a\0b\ud800"], ["c\0d\udfff"], settings=replace(SETTINGS, turns=1))

    assert (talk.saved[0].user_message, talk.saved[0].reply) == ("ab\ufffd", "cd\ufffd")


def test_hold_conversation_hides_reasoning_that_came_within_the_reply() -> None:
    talk = Talk(says, ["<think>hm</think>\nHello"], settings=replace(SETTINGS, turns=1))

    assert talk.saved[0].reply == "Hello"


def test_hold_conversation_passes_on_what_saving_raises() -> None:
    async def save(_: TurnRecord) -> None:
        raise LookupError("lease lost")

    with pytest.raises(LookupError):
        asyncio.run(
            hold_conversation(
                METRIC,
                SCENARIO,
                SETTINGS,
                key="k",
                simulator=ListedModel(says),
                target=ListedModel(replies),
                target_system_prompt=None,
                saved=(),
                save_turn=save,
                should_stop=lambda: False,
            )
        )


def test_finished_reasons_are_registered() -> None:
    assert {"turn-limit", "ended-by-simulator"} == FINISHED.keys()
