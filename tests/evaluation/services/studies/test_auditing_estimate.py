"""What an auditor will likely take, by equality with numbers added up by hand."""

from decimal import Decimal
from pathlib import Path

import pytest

from evaluation.engine.types import Anchor
from evaluation.models import LanguageModel
from evaluation.services.estimating import CHARACTERS_PER_TOKEN, TOKENS_AROUND_A_MESSAGE
from evaluation.services.planning import load_plan
from evaluation.services.studies.machine.auditing_estimate import audit_estimate
from evaluation.services.studies.machine.plans import PlannedCondition
from evaluation.studies.auditor import auditor_messages
from evaluation.studies.machine.conditions import Condition
from evaluation.views.estimate_words import audit_in_words
from tests.support.plans import make_small_benchmark, write_plan

pytestmark = pytest.mark.django_db


def _planned(folder: Path) -> list[PlannedCondition]:
    """Two conditions that hold 4 scenarios x 2 targets x 3 samples each, and one that reads what is there."""
    make_small_benchmark()
    resolved = load_plan(write_plan(folder, "http://127.0.0.1:9/v1", samples=3))
    return [
        PlannedCondition(Condition(slug, slug, simulates=slug != "read"), resolved)
        for slug in ("whole", "less", "read")
    ]


def test_auditor_reads_each_new_conversation_once_and_at_most_twice(tmp_path: Path) -> None:
    auditor = LanguageModel(slug="auditor", name="Auditor", litellm_model="openai/a", input_usd_per_million=1.0,
                            output_usd_per_million=2.0, parameters={"max_tokens": 1000})  # fmt: skip

    found = audit_estimate(_planned(tmp_path), auditor)

    [line] = found.lines
    asked = auditor_messages([Anchor(1, "Describe the offer.")], [])
    prompt = sum(-(-len(one.content) // CHARACTERS_PER_TOKEN) + TOKENS_AROUND_A_MESSAGE for one in asked)
    # two turns of a message of 40 and a reply of 200 tokens, each framed twice
    assert line.likely.input_tokens == 48 * (prompt + 2 * (40 + 200 + 16))
    assert (line.low.calls, line.likely.calls, line.high.calls, found.conversations) == (48, 48, 96, 48)
    assert (line.likely.output_tokens, line.high.output_tokens) == (48 * 50, 96 * 110)
    assert line.costs["likely"] == Decimal(line.likely.input_tokens + 2 * line.likely.output_tokens) / 1_000_000
    tight = Decimal("0.0001")
    assert audit_in_words(found, tight).warnings == (
        "The high estimate passes the budget of $0.0001: the auditor may pause.",
    )


def test_unknown_price_of_the_auditor_is_said_and_counts_at_its_ceiling(tmp_path: Path) -> None:
    auditor = LanguageModel(slug="auditor", name="Auditor", litellm_model="openai/unheard-of")

    words = audit_in_words(audit_estimate(_planned(tmp_path), auditor), Decimal("0.1"))

    assert words.title == "The cost is unknown: no model has a known price."
    assert words.warnings[0].startswith("The price of Auditor is unknown. Its calls count at the ceiling of $")
    assert words.warnings[1].startswith("With that ceiling the budget of $0.10 may pause the auditor at about ")
