"""What the database itself refuses, whoever asks."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Model

from evaluation.models import (
    Benchmark,
    Conversation,
    Judgment,
    Metric,
    MetricVersion,
    Release,
    Result,
    Run,
    Turn,
    Verdict,
)
from tests.support.builders import (
    make_benchmark,
    make_conversation,
    make_judge,
    make_judgment,
    make_metric,
    make_model,
    make_release,
    make_run,
    make_scenario,
)

pytestmark = pytest.mark.django_db


def refusal(action: Callable[[], Any]) -> str:
    """What the database says when it refuses."""
    with pytest.raises(IntegrityError) as problem, transaction.atomic():
        action()
    return str(problem.value)


def conversation() -> Conversation:
    version = make_metric()
    return make_conversation(make_run(versions=[version]), make_scenario(version), make_model())


def test_passed_follows_from_present_and_polarity() -> None:
    talk = conversation()
    cases = [
        ("positive", True), ("positive", False), ("negative", True), ("negative", False),
        ("positive", None), (None, True), (None, None),
    ]  # fmt: skip

    judgments = [
        make_judgment(talk, present=present, polarity=polarity, repeat=repeat)
        for repeat, (polarity, present) in enumerate(cases, start=1)
    ]

    passed = [Judgment.objects.get(pk=judgment.pk).passed for judgment in judgments]
    assert passed == [True, False, False, True, None, None, None]


def test_judgment_is_judged_or_says_why_not() -> None:
    talk = conversation()

    def unexplained() -> None:
        Judgment.objects.create(conversation=talk, judge=make_judge(), state="unjudged", present=None, reason="")

    def judged_nothing() -> None:
        Judgment.objects.create(conversation=talk, judge=make_judge(), state="judged", present=None)

    assert "judgment_is_judged_or_says_why_not" in refusal(unexplained)
    assert "judgment_is_judged_or_says_why_not" in refusal(judged_nothing)


def test_conversation_and_judgment_and_turn_stand_once() -> None:
    talk = conversation()
    make_judgment(talk)

    def again() -> None:
        make_conversation(talk.run, talk.scenario, talk.target, public_id="other")

    assert "conversation_once_in_run" in refusal(again)
    assert "judgment_once" in refusal(lambda: make_judgment(talk))
    assert "turn_number_unique" in refusal(
        lambda: Turn.objects.create(conversation=talk, number=1, user_message="Again")
    )


def test_metric_id_is_unique_in_its_benchmark() -> None:
    make_metric("m01")

    assert "metric_local_id_unique_in_benchmark" in refusal(
        lambda: Metric.objects.create(benchmark=make_benchmark(), local_id="m01", slug="else/m01")
    )
    assert "slug" in refusal(lambda: Benchmark.objects.create(slug="autonomy", name="Again"))


def test_metric_version_needs_polarity_and_definition_unless_imported() -> None:
    assert "metric_version_is_complete_unless_imported" in refusal(lambda: make_metric(polarity=None))
    assert "metric_version_is_complete_unless_imported" in refusal(lambda: make_metric(definition=""))
    assert "imported_result_is_not_runnable" in refusal(lambda: make_metric(is_imported_result=True, is_runnable=True))
    assert make_metric(is_imported_result=True, polarity=None, definition="").polarity is None


def test_failed_conversation_needs_a_reason_and_ends_once() -> None:
    talk = conversation()

    assert "failed_conversation_has_a_reason" in refusal(
        lambda: make_conversation(talk.run, talk.scenario, talk.target, sample=2, state="failed", reason="")
    )
    assert "is frozen" in refusal(lambda: Conversation.objects.filter(pk=talk.pk).update(state="pending"))


def test_run_knows_its_settings_unless_imported() -> None:
    assert "run_knows_its_settings_unless_imported" in refusal(lambda: make_run(turns=None))
    assert make_run(kind=Run.Kind.IMPORTED, turns=None, user_simulator=None).turns is None


def change(row: Model, **values: Any) -> Callable[[], Any]:
    return lambda: type(row)._default_manager.filter(pk=row.pk).update(**values)


def test_what_was_run_and_published_never_changes() -> None:
    release = make_release(resamples=20)
    talk = Conversation.objects.earliest("pk")
    frozen: list[Callable[[], Any]] = [
        change(MetricVersion.objects.earliest("pk"), definition="Else."),
        change(Run.objects.get(), spec={}),
        change(talk.turns.earliest("number"), reply="Else."),
        change(Verdict.objects.earliest("pk"), present=None, passed=None),
        change(Result.objects.earliest("pk"), n_draws=1),
        change(release, groups={}),
        change(release, content_hash="else"),
        lambda: Release.objects.filter(pk=release.pk).delete(),
        lambda: Result.objects.earliest("pk").delete(),
        lambda: Verdict.objects.earliest("pk").delete(),
    ]

    assert ["is frozen" in refusal(action) for action in frozen] == [True] * len(frozen)


def test_release_is_retracted_with_a_reason_only() -> None:
    release = make_release(resamples=20)

    assert "retraction_has_a_reason" in refusal(change(release, status="retracted"))
    change(release, status="retracted", retraction_reason="Faulty.")()
    assert Release.objects.get().status == "retracted"


def test_no_data_is_null_never_zero() -> None:
    release = make_release(resamples=20)
    empty = {
        "release": release, "group": "metric", "key": "else", "polarity": "positive", "n_metrics": 0, "n_planned": 1,
        "n_conversations": 0, "n_judged": 0, "n_unjudged": 0, "n_passed": 0, "ci_method": "none", "n_draws": 0,
        "coverage": 0.0,
    }  # fmt: skip

    assert "no_data_is_null_never_zero" in refusal(lambda: Result.objects.create(pass_rate=0.0, **empty))
    assert Result.objects.create(pass_rate=None, **empty).pass_rate is None


def test_evidence_is_neither_deleted_nor_rewritten() -> None:
    talk = conversation()
    judgment = make_judgment(talk, present=True)

    for action in (
        talk.turns.all().delete,
        talk.judgments.all().delete,
        change(judgment, present=False),
        change(judgment, state="unjudged", present=None, reason="judge-empty"),
        change(talk.scenario, persona="Somebody else."),
        change(talk.scenario, anchors=[{"turn": 1, "objective": "Say nothing."}]),
        change(talk.scenario.base, goal="To learn something else."),
    ):
        assert "is frozen" in refusal(action)


def test_text_of_a_scenario_that_nobody_was_asked_about_can_be_corrected() -> None:
    scenario = make_scenario(make_metric())

    change(scenario, persona="Somebody else.")()
    change(scenario.base, goal="To learn something else.")()

    scenario.refresh_from_db()
    assert (scenario.persona, scenario.base.goal) == ("Somebody else.", "To learn something else.")


def test_only_what_failed_goes_on_and_only_a_marked_judgment_is_replaced() -> None:
    talk = conversation()
    failed = make_conversation(talk.run, talk.scenario, talk.target, sample=2, state="failed", reason="target-timeout")
    unread = make_judgment(talk, present=None, reason="judge-empty")

    change(failed, state="running", reason="")()
    change(failed, state="failed", reason="target-timeout")()
    assert "is frozen" in refusal(change(unread, state="judged", present=True, reason=""))
    change(unread, ask_again=True)()
    change(unread, state="judged", present=True, reason="", ask_again=False)()

    unread.refresh_from_db()
    assert (unread.state, unread.present) == ("judged", True)
