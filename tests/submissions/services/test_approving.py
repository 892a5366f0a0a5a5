"""From an approved submission to metrics that can be run."""

from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.importers.formats import native
from evaluation.importers.importing import import_benchmarks
from evaluation.importers.writing.exporting import exported_benchmark
from evaluation.models import BaseScenario, Benchmark, MetricVersion, Scenario
from evaluation.services import paper_taxonomy
from impactbench.common.errors import DomainError
from submissions import composition
from submissions.content import Demographic
from submissions.forms.approval import ApprovalPlanForm
from submissions.models import ApprovedMetric, CoAuthor, Submission
from submissions.services.approving import ApprovalPlan, check_can_be_made, default_plan, make_metrics, proposed_ids
from submissions.states import State
from tests.support.portal import CONTENT, make_assignment, make_person, make_review, make_submission

pytestmark = pytest.mark.django_db

PLAN = ApprovalPlan(
    benchmark="own-choices",
    is_new_benchmark=True,
    benchmark_name="Own choices",
    benchmark_description="Who decides.",
    local_ids=("avoid-deciding",),
    profiles=("adult",),
    plain_name="Deciding for you",
    plain_definition="The AI told the person what to choose.",
    content_notices=("hard choices",),
)
HOSTILE = "<script>alert(1)</script> {{ 7|add:1 }} %s {0} https://evil.example/ \u202e =1+1"


@pytest.fixture(autouse=True)
def _taxonomy() -> None:
    paper_taxonomy.load()


def _approvable(content=CONTENT, **fields) -> Submission:
    author = make_person("Ada Expert", affiliation="House of Health")
    return make_submission(author, State.IN_REVIEW, content, **fields)


def _made(submission: Submission, plan: ApprovalPlan = PLAN) -> list[MetricVersion]:
    return make_metrics(submission, actor=make_person("Ed Itor", "editor"), plan=plan)


def test_a_plan_comes_back_from_json_unchanged() -> None:
    assert ApprovalPlan.from_json(PLAN.to_json()) == PLAN
    assert ApprovalPlan.from_json({"local_ids": "x", "profiles": None, "benchmark": 7}) == ApprovalPlan(benchmark="7")


def test_a_metric_holds_what_was_sent_each_part_in_its_place() -> None:
    submission = _approvable()

    [version] = _made(submission)

    assert {
        name: getattr(version, name)
        for name in (
            "name", "polarity", "definition", "judge_question", "interpretive_clause", "examples_present",
            "examples_absent", "rationale", "citations", "contributor", "licence", "plain_name", "plain_definition",
            "content_notices", "is_runnable", "is_published", "status", "number",
        )
    } == {
        "name": CONTENT.title,
        "polarity": "negative",
        "definition": CONTENT.definition,
        "judge_question": CONTENT.questions[0],
        "interpretive_clause": CONTENT.hard_cases,
        "examples_present": list(CONTENT.examples_present),
        "examples_absent": list(CONTENT.examples_absent),
        "rationale": f"{CONTENT.relevance}\n\nWhat it measures: {CONTENT.construct}\n\n"
        f"How it differs from other metrics: {CONTENT.differs}",
        "citations": [
            "Who decides: advice and agency. Journal of Examples, 2024. doi:10.5555/joe.2024.1",
            "Being told what to do. Example Review, 2022. https://example.org/told",
        ],
        "contributor": "Ada Expert (House of Health)",
        "licence": "CC-BY-4.0",
        "plain_name": "Deciding for you",
        "plain_definition": "The AI told the person what to choose.",
        "content_notices": ["hard choices"],
        "is_runnable": True,
        "is_published": False,
        "status": "draft",
        "number": 1,
    }  # fmt: skip
    assert version.metric.slug == "own-choices/avoid-deciding"
    assert [subarea.slug for subarea in version.metric.subareas.all()] == ["agency-purpose"]
    assert [(row.question, row.metric_version) for row in ApprovedMetric.objects.all()] == [(1, version)]


def test_a_metric_says_how_many_people_reviewed_it() -> None:
    submission = _approvable()
    round_ = submission.rounds.get()
    for name in ("Rita Reviewer", "Rob Reviewer"):
        make_review(make_assignment(round_, make_person(name, "reviewer")))
    make_assignment(round_, make_person("Una Unfinished", "reviewer"))

    [version] = _made(submission)

    assert (version.n_reviewers, version.approved_at is not None) == (2, True)


def test_the_scenario_is_the_one_that_was_composed_and_tried() -> None:
    submission = _approvable()
    brief = composition.scenario_brief(submission.draft)

    [version] = _made(submission, replace(PLAN, profiles=("teen", "adult")))

    base = BaseScenario.objects.get(metric_version=version)
    assert (base.goal, base.latent_adversarial_goal) == (brief.goal, brief.latent_adversarial_goal)
    anchors = [{"turn": anchor.turn, "objective": anchor.objective} for anchor in brief.anchors]
    assert [
        (one.profile.slug, one.persona, one.anchors, one.target_system_prompt)
        for one in base.variants.select_related("profile")
    ] == [(slug, brief.persona, anchors, brief.target_system_prompt) for slug in ("teen", "adult")]


def test_goals_of_the_plan_stand_for_the_composed_ones() -> None:
    [version] = _made(_approvable(), replace(PLAN, goal="Know what to do.", latent_adversarial_goal="Be told."))

    base = version.base_scenarios.get()
    assert (base.goal, base.latent_adversarial_goal) == ("Know what to do.", "Be told.")


def test_two_questions_become_two_metrics() -> None:
    content = replace(CONTENT, questions=("Does it tell?", "Does it insist?"))

    made = _made(_approvable(content), replace(PLAN, local_ids=("tells", "insists")))

    assert [(one.metric.slug, one.name, one.judge_question, one.plain_name) for one in made] == [
        ("own-choices/tells", CONTENT.title, "Does it tell?", "Deciding for you"),
        ("own-choices/insists", f"{CONTENT.title} (2)", "Does it insist?", "Deciding for you (2)"),
    ]
    assert Scenario.objects.count() == 2


def test_export_then_import_is_unchanged(tmp_path: Path) -> None:
    content = replace(
        CONTENT,
        title=f"  {HOSTILE} ",
        definition=f"{HOSTILE}\n\n  - a: b # c\u2028next\x85line\x07bell\ttab",
        questions=("no", "~"),
        examples_present=("yes", "012", "'", '"', "| >"),
        demographics=(Demographic("Age", "15", told=True), Demographic("a:\nb", HOSTILE)),
    )
    _made(_approvable(content), replace(PLAN, local_ids=("one", "two"), profiles=("teen", "adult")))

    native.write(exported_benchmark("own-choices").benchmark, tmp_path)
    reports = import_benchmarks([tmp_path], actor=None)

    assert [(one.status, one.unchanged, one.reason) for one in reports] == [("unchanged", 2, None)]
    assert MetricVersion.objects.count() == 2


def test_asked_twice_it_makes_them_once() -> None:
    submission = _approvable()

    first = _made(submission)
    again = make_metrics(submission, actor=submission.owner, plan=replace(PLAN, local_ids=("other",)))

    assert again == first


def test_nobody_is_named_who_does_not_wish_it() -> None:
    [version] = _made(_approvable(replace(CONTENT, credit="unnamed")))

    assert version.contributor == ""
    assert ApprovedMetric.objects.get().credits == []


def test_co_authors_are_named_in_their_order_once_they_confirmed() -> None:
    submission = _approvable()
    invited = [("Bo; Low", "confirmed", 9), ("Cy Not", "invited", 8), ("Di First", "confirmed", 7)]
    for name, state, order in invited:
        person = make_person(name, email=f"p{order}@y.example")
        CoAuthor.objects.create(
            submission=submission, email=f"{order}@x.example", state=state, person=person, order=order
        )

    [version] = _made(submission)

    assert version.contributor == "Ada Expert (House of Health); Di First; Bo, Low"


def test_an_improvement_is_the_next_version_and_the_old_one_stays() -> None:
    submission = _approvable()
    [old] = _made(submission)
    before = MetricVersion.objects.filter(pk=old.pk).values().get()
    better = make_submission(
        submission.owner, State.IN_REVIEW, replace(CONTENT, relevance="Said better."), improves=old.metric
    )
    plan = default_plan(better)

    [new] = make_metrics(better, actor=submission.owner, plan=replace(plan, profiles=("teen",)))

    assert (new.metric, new.number, new.is_runnable, new.is_published) == (old.metric, 2, True, False)
    assert plan.local_ids == ("avoid-deciding",)
    assert MetricVersion.objects.filter(pk=old.pk).values().get() == before
    assert [one.profile.slug for one in Scenario.objects.filter(base__metric_version=new)] == ["teen"]
    assert [one.profile.slug for one in Scenario.objects.filter(base__metric_version=old)] == ["adult"]


def test_what_stands_in_the_way_is_said_all_at_once() -> None:
    submission = _approvable()
    Benchmark.objects.create(slug="own-choices", name="Something else")

    wrong = replace(PLAN, benchmark_name="", local_ids=("no good",), profiles=())

    assert check_can_be_made(submission, wrong) == [
        "Give the new benchmark a name of at most 300 characters.",
        "There is a benchmark own-choices already. Choose it from the list, or give another id.",
        "The id no good is not usable: write letters, digits and hyphens.",
        "Choose whether the user is a teen or an adult, or both.",
    ]
    assert check_can_be_made(submission, replace(PLAN, benchmark="mine")) == []
    assert check_can_be_made(submission, ApprovalPlan(local_ids=("a",), profiles=("adult",))) == [
        "Choose the benchmark that the metric belongs to, or make a new one."
    ]


def test_a_refusal_leaves_nothing_behind() -> None:
    content = replace(CONTENT, questions=("a?", "b?"))
    [taken] = _made(_approvable(), PLAN)
    other = make_submission(make_person("Be Other"), State.IN_REVIEW, content)

    with pytest.raises(DomainError) as refused:
        make_metrics(other, actor=other.owner, plan=replace(PLAN, local_ids=("fresh", "avoid-deciding")))

    assert str(refused.value) == "The benchmark has a metric avoid-deciding already. Give another id."
    assert list(MetricVersion.objects.all()) == [taken]


def test_two_approvals_into_one_new_benchmark_end_in_one() -> None:
    first, second = _approvable(), make_submission(make_person("Be Other"), State.IN_REVIEW)

    _made(first)
    [later] = make_metrics(second, actor=second.owner, plan=replace(PLAN, local_ids=("second",)))

    assert later.metric.slug == "own-choices/second"
    assert Benchmark.objects.count() == 1
    with pytest.raises(DomainError, match="There is a benchmark own-choices already"):
        make_metrics(
            make_submission(make_person("Ce Third"), State.IN_REVIEW), actor=None,
            plan=replace(PLAN, benchmark_name="Other", local_ids=("third",)),
        )  # fmt: skip


def test_ids_are_proposed_after_the_title_and_free() -> None:
    submission = _approvable(replace(CONTENT, title="Éviter: décider!", questions=("a", "b")))
    _made(make_submission(make_person("Be Other"), State.IN_REVIEW), replace(PLAN, local_ids=("eviter-decider-2",)))

    plan = default_plan(submission)

    assert plan.local_ids == ("eviter-decider", "eviter-decider-2")
    assert plan.profiles == ("adult",)
    assert proposed_ids(submission, "own-choices") == ("eviter-decider", "eviter-decider-3")
    nameless = make_submission(make_person("Ce Third"), State.IN_REVIEW, replace(CONTENT, title="自分で決める"))
    assert default_plan(nameless).local_ids == (f"metric-{nameless.public_id[2:].lower()}",)


def test_the_form_gives_the_plan_it_was_shown_with() -> None:
    submission = _approvable()
    plan = replace(PLAN, content_notices=("a", "b"))
    shown = ApprovalPlanForm(submission=submission, plan=plan)
    posted = {f"plan-{name}": shown[name].value() for name in shown.fields}

    form = ApprovalPlanForm(posted, submission=submission)

    assert form.is_valid(), form.errors
    assert form.plan() == plan


def test_the_form_keeps_what_cannot_be_used() -> None:
    form = ApprovalPlanForm({"plan-benchmark": "+", "plan-new_slug": "No Good"}, submission=_approvable())

    assert not form.is_valid()
    assert form.plan().benchmark == "No Good"
