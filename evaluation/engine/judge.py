"""Asks a judge model whether the behaviour of a metric shows in a conversation, and checks what it quotes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from evaluation.engine.parsing import ReplyError, clean_text, find_object
from evaluation.engine.prompt_files import fill
from evaluation.engine.transcript import fence_code, transcript
from evaluation.engine.types import (
    Completion,
    Evidence,
    Exchange,
    JudgeVerdict,
    Message,
    MetricBrief,
    ModelCall,
    ModelCallError,
    Usage,
)

_EXPECTED_KEYS = frozenset({"present", "justification"})
_MAX_EVIDENCE = 20
_MAX_JUSTIFICATION = 4_000
_MAX_RAW_REPLY = 20_000
_SHORTEST_QUOTE = 2
_ELLIPSIS = re.compile(r"\[?(?:\.{3,}|\u2026)\]?")
_LINE_MARK = re.compile(r"^> ?", re.MULTILINE)
_QUOTE_MARKS = str.maketrans(dict.fromkeys('"\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2032\u2033`', "'"))
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))


def compose_rubric(metric: MetricBrief) -> str:
    """The judge's reading of a metric: definition, judge question and interpretive clause where there are any.

    Neither name nor polarity nor examples are in it (ImpactBench paper, section 3.5.2).
    """
    question, clause = metric.judge_question.strip(), metric.interpretive_clause.strip()
    return fill(
        "rubric",
        definition=metric.definition.strip(),
        judge_question=fill("rubric_judge_question", judge_question=question) if question else "",
        interpretive_clause=fill("rubric_interpretive_clause", interpretive_clause=clause) if clause else "",
    ).strip()


def verdict_schema(n_turns: int) -> dict[str, Any]:
    """The JSON schema of a verdict. Every string is bounded, so that a small model under a grammar comes to an end.

    The justification stands before the decision: a model that writes in order gives its reasons first.
    """
    turn = {"type": "integer", "enum": list(range(1, n_turns + 1))}
    quote = {
        "type": "object",
        "properties": {"turn": turn, "quote": {"type": "string", "maxLength": 160}},
        "required": ["turn", "quote"],
        "additionalProperties": False,
    }
    properties = {
        "justification": {"type": "string", "maxLength": 600},
        "evidence": {"type": "array", "maxItems": 3, "items": quote},
        "present": {"type": "boolean"},
        "first_turn": {"anyOf": [turn, {"type": "null"}]},
        "corrected_later": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
    }
    return {
        "title": "verdict",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def judge_messages(rubric: str, turns: Sequence[Exchange]) -> list[Message]:
    """The judge's whole reading: the rules, the rubric, and the transcript fenced as data."""
    read = transcript(turns)
    task = fill("judge_task", rubric=rubric.strip(), transcript=read, code=fence_code(read, rubric), turns=len(turns))
    return [Message("system", fill("judge").strip()), Message("user", task.strip())]


async def judge_conversation(
    rubric: str,
    turns: Sequence[Exchange],
    judge: ModelCall,
    *,
    repair: bool = True,
    max_tokens: int | None = None,
) -> JudgeVerdict:
    """One judgment of one complete conversation.

    Never raises for what a model or an endpoint does: what cannot be read is `unjudged` with a reason. `repair`
    allows one further request that shows the judge its unreadable answer. Complete, unfiltered, unleaked
    conversations are the caller's choice; one without turns or with an empty reply is refused here as `no-turns`.
    """
    if not turns or any(not turn.reply.strip() for turn in turns):
        return _unjudged("no-turns")
    messages = judge_messages(rubric, turns)
    used = Usage()
    for attempt in range(2 if repair else 1):
        try:
            completion = await judge(messages, schema=verdict_schema(len(turns)), max_tokens=max_tokens)
        except ModelCallError as error:
            return _unjudged(f"judge-{error.reason}", error.detail, used + Usage.of_error(error))
        used += Usage.of(completion)
        reading = _read(completion, turns)
        if reading.reason in ("", "judge-filtered") or attempt == 1:
            break
        messages = [*messages, *_repair_request(reading)]
    return replace(reading, usage=used)


def quote_stands_in(quote: str, reply: str) -> bool:
    """Whether `quote` is in `reply`, leaving aside case, spacing, kinds of quotation marks and dashes.

    Parts joined by an ellipsis must follow one another in that order.
    """
    text, at = _comparable(reply), 0
    parts = [_comparable(part).strip(" '.,;:") for part in _ELLIPSIS.split(_LINE_MARK.sub("", quote))]
    parts = [part for part in parts if part]
    for part in parts:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return sum(map(len, parts)) >= _SHORTEST_QUOTE


def _read(completion: Completion, turns: Sequence[Exchange]) -> JudgeVerdict:
    if completion.finish_reason == "content_filter":
        return _unjudged("judge-filtered")
    raw = clean_text(completion.text or "")
    if not raw.strip():
        return _unjudged("judge-empty", "the answer was empty")
    try:
        return replace(
            _verdict(find_object(raw, _EXPECTED_KEYS, deciding="present"), turns), raw_reply=raw[:_MAX_RAW_REPLY]
        )
    except ReplyError as error:
        cut = "; it was cut off at the token limit" if completion.finish_reason == "length" else ""
        return replace(_unjudged("judge-unreadable", f"{error}{cut}"), raw_reply=raw[:_MAX_RAW_REPLY])


def _verdict(fields: dict[str, Any], turns: Sequence[Exchange]) -> JudgeVerdict:
    present, justification = fields["present"], fields["justification"]
    if not isinstance(present, bool):
        raise ReplyError('"present" must be true or false')
    if not isinstance(justification, str):
        raise ReplyError('"justification" must be a string')
    corrected = fields.get("corrected_later")
    return JudgeVerdict(
        state="judged",
        reason="",
        present=present,
        justification=justification.strip()[:_MAX_JUSTIFICATION],
        evidence=_evidence(fields.get("evidence"), turns),
        first_turn=_turn_number(fields.get("first_turn"), turns),
        corrected_later=corrected if isinstance(corrected, bool) else None,
    )


def _evidence(items: object, turns: Sequence[Exchange]) -> tuple[Evidence, ...]:
    if not isinstance(items, list):
        return ()
    replies = {turn.number: turn.reply for turn in turns}
    found = []
    for item in items[:_MAX_EVIDENCE]:
        quote = item.get("quote") if isinstance(item, dict) else None
        if isinstance(quote, str) and quote.strip():
            number = _turn_number(item.get("turn"), turns)
            verified = number is not None and quote_stands_in(quote, replies[number])
            found.append(Evidence(turn=number, quote=quote.strip()[:_MAX_JUSTIFICATION], verified=verified))
    return tuple(found)


def _turn_number(value: object, turns: Sequence[Exchange]) -> int | None:
    """`value` if it is the number of a turn of this conversation; anything else is no turn."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if any(turn.number == value for turn in turns) else None


def _repair_request(reading: JudgeVerdict) -> list[Message]:
    shown = reading.raw_reply or "(nothing)"
    return [
        Message("assistant", shown),
        Message("user", fill("judge_repair", error=reading.detail).strip()),
    ]


def _unjudged(reason: str, detail: str = "", usage: Usage | None = None) -> JudgeVerdict:
    return JudgeVerdict(state="unjudged", reason=reason, present=None, detail=detail, usage=usage or Usage())


def _comparable(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).translate(_QUOTE_MARKS).translate(_DASHES)
    return " ".join(plain.replace("*", "").casefold().split())
