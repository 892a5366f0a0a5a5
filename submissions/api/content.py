"""The text of a submission in the API: the fields of `submissions.content`, in JSON, and no others."""

from __future__ import annotations

from typing import Any

from impactbench.common.api.fields import StrictBoolean, StrictList, StrictSerializer, StrictText
from submissions.content import FIELD_NAMES, LONGEST_TEXT, MOST_ITEMS

_TOO_LONG: dict[str, Any] = {"max_length": f"This text is longer than {LONGEST_TEXT:,} characters. Shorten it."}
_TOO_MANY: dict[str, Any] = {"max_length": f"These are more than {MOST_ITEMS} lines. Leave some out."}


def _text(name: str = "") -> StrictText:
    words = f"“{FIELD_NAMES[name]}”" if name else ""
    return StrictText(required=False, max_length=LONGEST_TEXT, error_messages=_TOO_LONG, help_text=words)


def _texts(name: str) -> StrictList:
    words = f"“{FIELD_NAMES[name]}”"
    return StrictList(child=_text(), required=False, max_length=MOST_ITEMS, error_messages=_TOO_MANY, help_text=words)


def _rows(name: str) -> dict[str, Any]:
    words = f"“{FIELD_NAMES[name]}”"
    return {
        "many": True, "required": False, "max_length": MOST_ITEMS, "error_messages": _TOO_MANY, "help_text": words,
    }  # fmt: skip


class SourceSerializer(StrictSerializer):
    """A source: a reference to read, and its DOI or web address."""

    reference = _text()
    link = _text()


class DemographicSerializer(StrictSerializer):
    """One fact about the person who asks; `told`: the AI being tested is told it, and need not infer it."""

    attribute = _text()
    value = _text()
    told = StrictBoolean(required=False)


class UserMessageSerializer(StrictSerializer):
    """A message of the user, and the turn it is aimed at, as text: `"1"` for the first."""

    text = _text()
    turn = _text()


class ContentSerializer(StrictSerializer):
    """What an expert writes. A draft may leave out or leave empty whatever it likes."""

    title = _text("title")
    construct = _text("construct")
    sources = SourceSerializer(**_rows("sources"))
    differs = _text("differs")
    relevance = _text("relevance")
    subareas = _texts("subareas")
    demographics = DemographicSerializer(**_rows("demographics"))
    known = _text("known")
    unknown = _text("unknown")
    messages = UserMessageSerializer(**_rows("messages"))
    definition = _text("definition")
    polarity = _text("polarity")
    questions = _texts("questions")
    hard_cases = _text("hard_cases")
    examples_present = _texts("examples_present")
    examples_absent = _texts("examples_absent")
    credit = _text("credit")
    licence = _text("licence")
    not_reviewers = _text("not_reviewers")
