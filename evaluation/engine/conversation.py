"""Holds one conversation between the user simulator and a target, turn by turn, from wherever it was saved."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.engine.awareness import speaks_of_a_test
from evaluation.engine.leakage import find_leak
from evaluation.engine.parsing import SimulatorReply, clean_text, parse_simulator_reply, visible_reply
from evaluation.engine.realism import why_unnatural
from evaluation.engine.reasons import READS_LIKE_A_TEST, SPEAKS_OF_A_TEST
from evaluation.engine.target import target_messages, target_system_message
from evaluation.engine.types import (
    ConversationOutcome,
    ConversationSettings,
    MetricBrief,
    ModelCall,
    ModelCallError,
    Realism,
    ScenarioBrief,
    TurnRecord,
    Usage,
)
from evaluation.engine.typing_edits import edit_message
from evaluation.engine.user_simulator import REPLY_SCHEMA, anchors_at, simulator_messages


@dataclass(frozen=True, slots=True)
class _Parties:
    """Who takes part, and under which rules; what stays the same through a conversation."""

    metric: MetricBrief
    scenario: ScenarioBrief
    settings: ConversationSettings
    key: str
    simulator: ModelCall
    target: ModelCall
    system: str | None


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why a side of the turn could not be had."""

    reason: str
    detail: str = ""


async def hold_conversation(
    metric: MetricBrief,
    scenario: ScenarioBrief,
    settings: ConversationSettings,
    *,
    key: str,
    simulator: ModelCall,
    target: ModelCall,
    target_system_prompt: str | None,
    saved: Sequence[TurnRecord],
    save_turn: Callable[[TurnRecord], Awaitable[None]],
    should_stop: Callable[[], bool],
) -> ConversationOutcome | None:
    """Goes on from the `saved` turns to the end (ImpactBench paper, section 3.4.2).

    `key` names the conversation for the seeds of its typing edits; `target_system_prompt` is the model
    configuration's own. `save_turn` is awaited before the next model call, so that a kill loses at most the two
    calls of the turn under way. None means handed back, because `should_stop` said so between two turns.
    Never raises for what a model or an endpoint does; errors of `save_turn` pass through.
    """
    system = target_system_message(target_system_prompt, scenario.target_system_prompt)
    parties = _Parties(metric, scenario, settings, key, simulator, target, system)
    turns = _checked(saved)
    lost = Usage()
    ending = "turn-limit"
    while len(turns) < settings.turns:
        if should_stop():
            return None
        turn, lost = await _next_turn(parties, turns)
        if isinstance(turn, _Failure):
            return _outcome("failed", turn.reason, turns, lost, turn.detail)
        if turn is None:
            ending = "ended-by-simulator"
            break
        await save_turn(turn)
        turns.append(turn)
    leak = find_leak(metric, scenario, turns)
    if leak:
        return _outcome("failed", "leaked", turns, lost, leak)
    return _outcome("finished", ending, turns, lost)


async def _next_turn(parties: _Parties, turns: Sequence[TurnRecord]) -> tuple[TurnRecord | _Failure | None, Usage]:
    """The next turn and no usage; or a failure, or None for `[END]`, with the usage of calls that no turn holds."""
    line, simulator_usage, realism = await _natural_line(parties, turns)
    if isinstance(line, _Failure):
        return line, simulator_usage
    if line.ends:
        return (None if turns else _Failure("ended-before-first-reply")), simulator_usage
    number = len(turns) + 1
    settings = parties.settings
    message = line.message
    if settings.typing_edits:
        message = edit_message(message, seed=settings.seed, key=parties.key, turn=number)
    answer, finish_reason, target_usage = await _target_reply(parties, turns, message)
    if isinstance(answer, _Failure):
        return answer, simulator_usage + target_usage
    turn = TurnRecord(
        number=number,
        user_message=message,
        unedited_message=line.message,
        plan=line.thought,
        anchors_in_force=anchors_at(parties.scenario, settings, number),
        reply=answer,
        finish_reason=finish_reason,
        realism=realism,
        simulator_usage=simulator_usage,
        target_usage=target_usage,
    )
    return turn, Usage()


async def _natural_line(
    parties: _Parties, turns: Sequence[TurnRecord]
) -> tuple[SimulatorReply | _Failure, Usage, Realism]:
    """The simulated user's next line; where the plan asks for it, read before it is sent and written anew once."""
    line, used = await _user_line(parties, turns)
    if not parties.settings.realism_check or isinstance(line, _Failure) or line.ends:
        return line, used, ""
    why, reading = await why_unnatural(turns, line.message, parties.simulator)
    used += reading
    if not why:
        return line, used, "natural"
    other, writing = await _user_line(parties, turns, unnatural=why)
    used += writing
    if isinstance(other, _Failure) or other.ends:
        return other, used, ""
    why, reading = await why_unnatural(turns, other.message, parties.simulator)
    return other, used + reading, "unnatural" if why else "rewritten"


async def _user_line(
    parties: _Parties, turns: Sequence[TurnRecord], *, unnatural: str = ""
) -> tuple[SimulatorReply | _Failure, Usage]:
    """The simulated user's next line. An empty one is asked for once more; a second empty one is a failure."""
    used = Usage()
    for again in (False, True):
        request = simulator_messages(
            parties.metric, parties.scenario, parties.settings, turns, again=again, unnatural=unnatural
        )
        try:
            completion = await parties.simulator(
                request,
                schema=REPLY_SCHEMA if parties.settings.structured_simulator else None,
                max_tokens=parties.settings.simulator_max_tokens,
            )
        except ModelCallError as error:
            return _Failure(f"simulator-{error.reason}", error.detail), used + Usage.of_error(error)
        used += Usage.of(completion)
        if completion.finish_reason == "content_filter":
            return _Failure("simulator-filtered"), used
        line = parse_simulator_reply(completion.text or "")
        if line.ends or line.message:
            return line, used
    return _Failure("simulator-empty"), used


async def _target_reply(
    parties: _Parties, turns: Sequence[TurnRecord], message: str
) -> tuple[str | _Failure, str, Usage]:
    """The target's reply with its finish reason; nothing empty, filtered or (unless allowed) cut ever passes."""
    try:
        completion = await parties.target(
            target_messages(parties.system, turns, message), max_tokens=parties.settings.target_max_tokens
        )
    except ModelCallError as error:
        return _Failure(f"target-{error.reason}", error.detail), "", Usage.of_error(error)
    reason, used = completion.finish_reason, Usage.of(completion)
    reply = visible_reply(clean_text(completion.text or ""))
    if reason == "content_filter":
        return _Failure("target-filtered"), reason, used
    if reason == "length" and not (reply and parties.settings.allow_cut_replies):
        return _Failure("target-truncated"), reason, used
    if not reply:
        return _Failure("target-empty", f"finish reason: {reason}"), reason, used
    return reply, reason, used


def _checked(saved: Sequence[TurnRecord]) -> list[TurnRecord]:
    numbers = [turn.number for turn in saved]
    if numbers != list(range(1, len(saved) + 1)):
        raise ValueError(f"saved turns must be numbered 1, 2, 3 without gaps, not {numbers}")
    return list(saved)


def _outcome(
    state: Literal["finished", "failed"], reason: str, turns: Sequence[TurnRecord], lost: Usage, detail: str = ""
) -> ConversationOutcome:
    flags = []
    if any(turn.finish_reason == "length" for turn in turns):
        flags.append("cut-replies")
    if any(turn.realism == "unnatural" for turn in turns):
        flags.append(READS_LIKE_A_TEST)
    if speaks_of_a_test(turn.reply for turn in turns):
        flags.append(SPEAKS_OF_A_TEST)
    return ConversationOutcome(state=state, reason=reason, detail=detail, flags=tuple(flags), usage=lost)
