"""Publishing a release freezes its runs' verdicts and numbers, and refuses what cannot be compared."""

from typing import Any

import pytest

from evaluation.models import Conversation, LabelRow, MetricVersion, Release, Result, Run, Taxonomy, Verdict
from evaluation.services import metric_publishing, publishing
from impactbench.common.errors import DomainError, UnusableInput
from impactbench.common.models import AuditEvent
from tests.support.builders import (
    make_conversation,
    make_judge,
    make_judgment,
    make_metric,
    make_model,
    make_release,
    make_run,
    make_scenarios,
)

pytestmark = pytest.mark.django_db


def small_run(slug: str = "run", *, presents: tuple[bool | None, ...] = (True, False), **fields: Any) -> Run:
    """One negative metric, one model, one scenario for each verdict; the scenarios are shared by runs of one test."""
    metric = MetricVersion.objects.filter(metric__slug="autonomy/m01").first() or make_metric(polarity="negative")
    target = make_model("luna")
    run = make_run(slug, versions=[metric], targets=[target], **fields)
    first = metric.base_scenarios.count() + 1
    for number, present in enumerate(presents, start=first):
        [scenario] = make_scenarios(metric, number=number, profiles=["adult"])
        make_judgment(make_conversation(run, scenario, target), present=present, judge=run.judges.first())
    return run


def publish(*runs: str, slug: str = "r", **options: Any) -> Release:
    return publishing.publish(actor=None, slug=slug, runs=runs or ("run",), resamples=50, **options)


def test_publish_freezes_verdicts_results_and_counts() -> None:
    release = make_release()

    assert (release.n_models, release.n_benchmarks, release.n_metrics) == (3, 2, 12)
    assert (release.n_conversations, release.n_judged, release.n_unjudged) == (120, 115, 5)
    assert Verdict.objects.filter(release=release).count() == 120
    assert release.notes == ["The model sol was tested on 6 of 12 metrics."]
    assert release.taxonomy.slug == "impactbench-2026"
    assert sorted(release.groups) == ["area", "benchmark", "label-row", "subarea"]
    assert sorted(release.groups["label-row"]) == [
        "negative agency-purpose",
        "negative learning-skill-development",
        "positive agency-purpose",
        "positive cognition-judgment",
        "positive learning-skill-development",
    ]


def test_pass_rate_of_a_negative_metric_counts_absence() -> None:
    small_run(presents=(True, False, False, None))

    publish()

    result = Result.objects.get(group="metric", key="autonomy/m01", model__slug="luna", profile="all")
    assert (result.n_planned, result.n_conversations, result.n_judged, result.n_unjudged) == (4, 4, 3, 1)
    assert (result.n_passed, result.pass_rate) == (2, 2 / 3)
    assert result.unjudged_reasons == {"judge-unreadable": 1}


def test_verdict_is_the_majority_of_repeats_and_a_tie_is_split() -> None:
    run = small_run(presents=(True, True))
    first, second = Conversation.objects.filter(run=run).order_by("pk")
    make_judgment(first, present=False, repeat=2)
    make_judgment(first, present=False, repeat=3)
    make_judgment(second, present=False, repeat=2)

    publish()

    verdicts = Verdict.objects.order_by("conversation__pk").values_list("present", "passed", "reason")
    assert list(verdicts) == [(False, True, ""), (None, None, "split")]


def test_named_judge_counts_alone() -> None:
    panel = [make_judge("judge"), make_judge("other-judge")]
    run = small_run(presents=(True,), judges=panel)
    make_judgment(run.conversations.get(), present=False, judge=panel[1])

    release = publish(judge_configuration="other-judge")

    assert release.judge == panel[1]
    assert Verdict.objects.get().present is False


def test_judges_of_a_panel_count_together() -> None:
    panel = [make_judge("judge"), make_judge("other-judge"), make_judge("third-judge")]
    run = small_run(presents=(True,), judges=panel)
    for judge in panel[1:]:
        make_judgment(run.conversations.get(), present=False, judge=judge)

    release = publish()

    assert release.judge is None
    assert Verdict.objects.get().present is False


def test_failed_conversation_is_unjudged_by_its_reason() -> None:
    run = small_run()
    [scenario] = make_scenarios(MetricVersion.objects.get(), number=9, profiles=["adult"])
    make_conversation(run, scenario, make_model(), state="failed", reason="target-timeout", turns=())

    release = publish()

    assert (release.n_conversations, release.n_judged, release.n_unjudged) == (3, 2, 1)
    assert Verdict.objects.get(conversation__state="failed").reason == "target-timeout"


def test_cancelled_run_counts_what_never_ended_as_planned_only() -> None:
    run = small_run(state=Run.State.CANCELLED)
    [scenario] = make_scenarios(MetricVersion.objects.get(), number=9, profiles=["adult"])
    make_conversation(run, scenario, make_model(), state="pending", reason="", turns=())

    release = publish()

    overall = Result.objects.get(group="overall", model=None, profile="all")
    assert (overall.n_planned, overall.n_conversations, overall.n_judged) == (3, 2, 2)
    assert (release.n_conversations, release.n_unjudged) == (2, 0)
    assert release.notes == ["Planned conversations that were never held: 1 of 3."]
    assert Verdict.objects.get(has_ended=False).reason == ""


def test_extra_samples_stand_outside_everything() -> None:
    run = small_run()
    scenario = run.conversations.earliest("pk").scenario
    make_conversation(run, scenario, make_model(), sample=2, state="extra", reason="no-verdict")

    release = publish()

    assert release.n_conversations == 2
    assert Verdict.objects.count() == 2


def test_metric_of_unknown_polarity_keeps_verdicts_and_has_no_result() -> None:
    run = small_run()
    unknown = make_metric("m02", polarity=None, is_imported_result=True, definition="", subareas=())
    [scenario] = make_scenarios(unknown, profiles=["adult"])
    make_judgment(make_conversation(run, scenario, make_model()))

    release = publish()

    assert (release.n_metrics, release.n_judged) == (2, 3)
    assert Verdict.objects.get(metric_version=unknown).passed is None
    assert not Result.objects.filter(key="autonomy/m02").exists()
    assert release.notes == [
        (
            "Metrics whose source does not say if the behaviour is good or bad: 1 of 2; "
            "their verdicts are kept, but count in no number."
        ),
    ]


def test_metric_in_no_subarea_is_noted() -> None:
    run = small_run()
    unplaced = make_metric("m02", subareas=())
    [scenario] = make_scenarios(unplaced, profiles=["adult"])
    make_judgment(make_conversation(run, scenario, make_model()))

    release = publish()

    assert release.notes == ["Metrics in no subarea: 1 of 2; they count in overall and benchmark results only."]
    assert Result.objects.filter(group="benchmark", key="autonomy", polarity="positive").exists()


def test_label_rows_of_the_taxonomy_take_the_place_of_subareas() -> None:
    small_run()
    metric = MetricVersion.objects.get().metric
    row = LabelRow.objects.create(
        taxonomy=Taxonomy.objects.get(), slug="own-choices", polarity="negative", title="Own choices"
    )
    row.metrics.add(metric)

    release = publish()

    assert release.groups["label-row"] == {"negative own-choices": ["autonomy/m01"]}
    assert set(Result.objects.filter(group="label-row").values_list("key", "polarity")) == {("own-choices", "negative")}


def test_metric_versions_become_published_and_machine_judged() -> None:
    small_run()
    reviewed = make_metric("m02", status=MetricVersion.Status.EXPERT_REVIEWED)
    run = Run.objects.get()
    [scenario] = make_scenarios(reviewed, profiles=["adult"])
    make_judgment(make_conversation(run, scenario, make_model()))

    publish()

    versions = MetricVersion.objects.order_by("metric__slug").values_list("is_published", "status")
    assert list(versions) == [(True, "machine-judged"), (True, "expert-reviewed")]


def test_publishing_is_logged() -> None:
    small_run()

    release = publish()

    event = AuditEvent.objects.get(action="release-published")
    assert (event.target_id, event.details) == (str(release.pk), {"runs": ["run"]})


def test_month_in_a_name_makes_the_title() -> None:
    assert publishing.default_title("2026-07") == "July 2026"
    assert publishing.default_title("2026-13") == "2026-13"
    assert publishing.default_title("pilot") == "pilot"


@pytest.mark.parametrize("state", ["created", "running", "paused"])
def test_run_that_is_not_over_is_refused(state: str) -> None:
    small_run(state=state)

    with pytest.raises(DomainError, match=f"only finished or cancelled runs can be published: run is {state}"):
        publish()


def test_run_that_judges_still_read_is_refused() -> None:
    run = small_run()
    run.conversations.update(is_judged=False)

    with pytest.raises(DomainError, match="judges are still reading conversations of run"):
        publish()


def test_run_without_any_verdict_is_refused() -> None:
    small_run(presents=(None, None))

    with pytest.raises(DomainError, match="nothing is judged"):
        publish()
    assert not Release.objects.exists()


@pytest.mark.parametrize(
    ("fields", "difference"),
    [
        ({"turns": 4}, "turn limit: 4 in other, 6 in run"),
        ({"spec": {"anchors": False}}, "anchors: False in other, True in run"),
        ({"spec": {"typing_edits": False}}, "typing edits: False in other, True in run"),
        (
            {"prompt_hashes": {"judge": "c" * 64, "user_simulator": "b" * 64}},
            "prompt judge: aaaaaaaaaaaa in run, cccccccccccc in other",
        ),
        ({"simulator": "else"}, "user simulator: else in other, simulator-model in run"),
        ({"judge": "else"}, "judge: else in other, judge in run"),
    ],
)
def test_unlike_runs_are_refused_and_published_on_request(fields: dict[str, Any], difference: str) -> None:
    if "simulator" in fields:
        fields = {"user_simulator": make_model(fields["simulator"])}
    if "judge" in fields:
        fields = {"judges": [make_judge(fields["judge"])]}
    small_run()
    small_run("other", **fields)

    with pytest.raises(DomainError) as refusal:
        publish("run", "other")
    release = publish("run", "other", allow_mixed=True)

    assert str(refusal.value).splitlines()[1:] == [f"  {difference}"]
    assert release.unlike == [difference]
    assert release.n_conversations == 4


def test_two_wordings_of_one_metric_are_unlike() -> None:
    small_run()
    second = MetricVersion.objects.create(
        metric=MetricVersion.objects.get().metric,
        number=2,
        name="Else",
        definition="Does something else.",
        polarity="negative",
        content_hash="2",
    )
    run = make_run("other", versions=[second], targets=[make_model()])
    [scenario] = make_scenarios(second, profiles=["adult"])
    make_judgment(make_conversation(run, scenario, make_model()))

    with pytest.raises(DomainError, match="metric autonomy/m01: versions 1 and 2"):
        publish("run", "other")


def test_same_conversation_in_two_runs_is_refused() -> None:
    first = small_run()
    second = make_run("other", targets=[make_model()])
    scenario = first.conversations.earliest("pk").scenario
    make_judgment(make_conversation(second, scenario, make_model()))

    with pytest.raises(DomainError, match="these runs overlap 1 times") as refusal:
        publish("run", "other", allow_mixed=True)
    assert str(refusal.value).splitlines()[1:] == ["  autonomy/m01, model luna, sample 1 (runs run and other)"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"runs": ["nowhere"]}, "there is no run nowhere"),
        ({"runs": []}, "name at least one run"),
        ({"taxonomy": "nowhere"}, "there is no taxonomy 'nowhere'"),
        ({"judge_configuration": "nobody"}, "there is no judge configuration 'nobody'; these runs have judge"),
        ({"resamples": 0}, "--resamples must be from 1 to 100,000"),
        ({"seed": -1}, "--seed must be a whole number from 0"),
        ({"title": "t" * 201}, "--title must be at most 200 characters long"),
        ({"slug": "two words"}, "'two words' cannot name a release"),
        ({"slug": "feed"}, "'feed' cannot name a release: a page of the site has this name; choose another"),
    ],
)
def test_unusable_arguments_are_refused(options: dict[str, Any], message: str) -> None:
    small_run()
    arguments = {"actor": None, "slug": "r", "runs": ["run"], "resamples": 50, **options}

    with pytest.raises(UnusableInput, match=message):
        publishing.publish(**arguments)
    assert not Release.objects.exists()


def test_taken_name_is_refused() -> None:
    small_run()
    publish()

    with pytest.raises(UnusableInput, match="there is already a release 'r'"):
        publish()


def test_metrics_in_two_taxonomies_need_a_named_one() -> None:
    small_run()
    other = Taxonomy.objects.create(slug="other", title="Other")
    area = other.areas.create(slug="mind", name="Mind")
    subarea = other.subareas.create(area=area, slug="choices", name="Choices")
    subarea.placements.create(metric=MetricVersion.objects.get().metric)

    with pytest.raises(UnusableInput, match="with --taxonomy: they are placed in impactbench-2026, other"):
        publish()
    release = publish(taxonomy="other")

    assert release.groups["area"] == {"mind": ["autonomy/m01"]}


def test_metrics_in_no_taxonomy_need_a_named_one() -> None:
    small_run()
    MetricVersion.objects.get().metric.placements.all().delete()

    with pytest.raises(UnusableInput, match="with --taxonomy: none of them is placed in any"):
        publish()


def test_retracting_keeps_everything_and_says_why() -> None:
    small_run()
    publish()

    release = publishing.retract(actor=None, slug="r", reason=" The judge was faulty. ")

    assert (release.status, release.retraction_reason) == ("retracted", "The judge was faulty.")
    assert Result.objects.filter(release=release).exists()
    assert AuditEvent.objects.filter(action="release-retracted").count() == 1
    with pytest.raises(DomainError, match="already retracted: The judge was faulty"):
        publishing.retract(actor=None, slug="r", reason="Again.")


def test_retracting_needs_a_release_and_a_reason() -> None:
    with pytest.raises(UnusableInput, match="there is no release 'r'"):
        publishing.retract(actor=None, slug="r", reason="Because.")
    with pytest.raises(UnusableInput, match="needs a reason"):
        publishing.retract(actor=None, slug="r", reason=" ")


def test_a_metric_that_no_second_editor_has_published_keeps_its_run_from_being_released() -> None:
    run = small_run()
    MetricVersion.objects.update(awaits_second_editor=True)

    with pytest.raises(DomainError, match=r"no second editor has published them yet:\n  autonomy/m01\n"):
        publish(run.slug)

    assert not Release.objects.exists()
    metric_publishing.publish_versions(MetricVersion.objects.all())
    assert publish(run.slug).n_metrics == 1
