"""Makes runnable metrics of an approved submission: one for each question to the judge (ImpactBench paper, 3.2.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from django.db import transaction

from evaluation.importers.formats.slugs import is_local_id, is_slug, slugify
from evaluation.importers.formats.types import Anchor, MetricFile, ScenarioFile, Source
from evaluation.importers.writing.subareas import known_subareas
from evaluation.models import Benchmark, Metric, MetricVersion
from evaluation.services import adding_metrics, paper_taxonomy
from evaluation.services.adding_metrics import NewBenchmark, NewMetric
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from submissions import composition
from submissions.advice import citations
from submissions.content import Content, text_of
from submissions.models import ApprovedMetric, Review, Revision, Submission
from submissions.services.crediting import credit_line, credits_of

LONGEST_ID = 60
LONGEST_NAME = 300
_TEXTS = ("benchmark", "benchmark_name", "benchmark_description", "plain_name", "plain_definition", "goal",
          "latent_adversarial_goal")  # fmt: skip
_LISTS = ("local_ids", "profiles", "content_notices")


@dataclass(frozen=True, slots=True)
class ApprovalPlan:
    """What an editor chooses when a submission is approved; a JSON column keeps it until the letter goes out.

    `benchmark` is the id of one that exists, or of a new one when `is_new_benchmark`. `local_ids` has one id for each
    question to the judge. Empty goals stand for those of `submissions.composition`.
    """

    benchmark: str = ""
    is_new_benchmark: bool = False
    benchmark_name: str = ""
    benchmark_description: str = ""
    local_ids: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    plain_name: str = ""
    plain_definition: str = ""
    content_notices: tuple[str, ...] = field(default=())
    goal: str = ""
    latent_adversarial_goal: str = ""

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> ApprovalPlan:
        """The plan kept in a column; what is missing or of another kind is empty."""
        texts: dict[str, Any] = {name: text_of(stored.get(name)).strip() for name in _TEXTS}
        lists: dict[str, Any] = {name: _lines(stored.get(name)) for name in _LISTS}
        return cls(is_new_benchmark=stored.get("is_new_benchmark") is True, **texts, **lists)

    def to_json(self) -> dict[str, Any]:
        """The plan as JSON; `from_json` gives it back unchanged."""
        return {**asdict(self), **{name: list(getattr(self, name)) for name in _LISTS}}


def default_plan(submission: Submission) -> ApprovalPlan:
    """What an editor begins with: ids after the title, the profile that the author's words tell, no benchmark yet."""
    content = _newest_revision(submission).text
    improved = submission.improves
    profile = composition.profile_slug(content)
    return ApprovalPlan(
        benchmark=improved.benchmark.slug if improved else "",
        local_ids=proposed_ids(submission, improved.benchmark.slug if improved else ""),
        profiles=(profile,) if profile else (),
        plain_name=_newest(improved).plain_name if improved else "",
        plain_definition=_newest(improved).plain_definition if improved else "",
        content_notices=tuple(_newest(improved).content_notices) if improved else (),
    )


def improved_metrics(submission: Submission) -> list[Metric]:
    """The metrics that it gives new versions of, by question; [] for a submission of something new."""
    if submission.improves is None:
        return []
    before = Metric.objects.filter(versions__approved_from__revision__submission=submission.clone_of_id)
    by_question = list(before.order_by("versions__approved_from__question"))
    return by_question if submission.improves in by_question[:1] else [submission.improves]


def proposed_ids(submission: Submission, benchmark: str) -> tuple[str, ...]:
    """An id for each metric, free in the benchmark of that id (which need not exist)."""
    content = _newest_revision(submission).text
    stem = slugify(content.title)[:LONGEST_ID].strip("-") or f"metric-{submission.public_id[2:].lower()}"
    n_metrics = len(composition.metric_briefs(content))
    found = [metric.local_id for metric in improved_metrics(submission)][:n_metrics]
    taken = set(Metric.objects.filter(benchmark__slug=benchmark).values_list("local_id", flat=True))
    number = 1
    while len(found) < n_metrics:
        proposed = stem if number == 1 else f"{stem[: LONGEST_ID - 4]}-{number}"
        if proposed not in taken and proposed not in found:
            found.append(proposed)
        number += 1
    return tuple(found)


def check_can_be_made(submission: Submission, plan: ApprovalPlan) -> list[str]:
    """Why no metric could be made of it now, as sentences that say what to do; [] when it can."""
    return [*_benchmark_reasons(submission, plan, may_join=False), *_other_reasons(submission, plan)]


@transaction.atomic
def make_metrics(submission: Submission, *, actor: Any, plan: ApprovalPlan) -> list[MetricVersion]:
    """The metric versions of the newest revision: runnable, not published, status draft. All or nothing.

    A second call gives the versions of the first. An improvement becomes the next version of its metric, whose
    older versions stay as they are. Raises DomainError, with every reason, when they cannot be made.
    """
    adding_metrics.wait_for_turn()
    revision = _newest_revision(submission)
    made = [row.metric_version for row in revision.approved_metrics.select_related("metric_version__metric")]
    if made:
        return made
    reasons = [*_benchmark_reasons(submission, plan, may_join=True), *_other_reasons(submission, plan)]
    if reasons:
        raise DomainError(" ".join(reasons))
    named = credits_of(submission, revision.text)
    versions = adding_metrics.add_metrics(
        _benchmark(revision.text, plan),
        [
            replace(new, n_reviewers=_n_reviewers(submission))
            for new in _new_metrics(revision.text, plan, credit_line(named))
        ],
        improves=improved_metrics(submission),
        source=submission.public_id,
    )
    ApprovedMetric.objects.bulk_create(
        ApprovedMetric(revision=revision, question=number, metric_version=version, credits=named)
        for number, version in enumerate(versions, start=1)
    )
    record(actor=actor, action="metrics-made", target=submission, details={"metrics": [str(one) for one in versions]})
    return versions


def _n_reviewers(submission: Submission) -> int:
    """How many people sent a review of it, in whatever round."""
    sent = Review.objects.filter(assignment__round__submission=submission, sent_at__isnull=False)
    return sent.values("assignment__person").distinct().count()


def _benchmark_reasons(submission: Submission, plan: ApprovalPlan, *, may_join: bool) -> list[str]:
    """`may_join`: a new benchmark that another approval has made meanwhile is the same one."""
    improved = submission.improves
    existing = Benchmark.objects.filter(slug=plan.benchmark).first()
    if improved is not None and (existing != improved.benchmark or plan.is_new_benchmark):
        return [f"This is a new version of {improved.slug}, so it stays in the benchmark {improved.benchmark.slug}."]
    if not plan.is_new_benchmark:
        return [] if existing else ["Choose the benchmark that the metric belongs to, or make a new one."]
    reasons = []
    if not is_slug(plan.benchmark) or len(plan.benchmark) > LONGEST_ID:
        reasons.append(
            f"Give the new benchmark an id of at most {LONGEST_ID} small letters, digits and hyphens, "
            "such as sleep-and-rest."
        )
    if not plan.benchmark_name or len(plan.benchmark_name) > LONGEST_NAME:
        reasons.append(f"Give the new benchmark a name of at most {LONGEST_NAME} characters.")
    if existing and not (may_join and existing.name.casefold() == plan.benchmark_name.casefold()):
        reasons.append(f"There is a benchmark {plan.benchmark} already. Choose it from the list, or give another id.")
    return reasons


def _other_reasons(submission: Submission, plan: ApprovalPlan) -> list[str]:
    content = _newest_revision(submission).text
    reasons = _id_reasons(submission, plan, len(composition.metric_briefs(content)))
    if not plan.profiles or not set(plan.profiles) <= set(paper_taxonomy.PROFILES):
        reasons.append("Choose whether the user is a teen or an adult, or both.")
    if len(plan.plain_name) > LONGEST_NAME - 10:
        reasons.append(f"Shorten the name in plain words to {LONGEST_NAME - 10} characters.")
    if not content.title or not content.definition or content.polarity not in ("positive", "negative"):
        reasons.append("The text has no name, no behaviour, or does not say whether it is good; ask for changes.")
    if not composition.anchors(content):
        reasons.append("The text has no message of the user; ask for changes.")
    return reasons


def _id_reasons(submission: Submission, plan: ApprovalPlan, n_metrics: int) -> list[str]:
    ids = plan.local_ids
    if len(ids) != n_metrics:
        return [f"Give {n_metrics} ids, one for each question to the judge; {len(ids)} are given."]
    reasons = [f"The id {one} is not usable: write letters, digits and hyphens." for one in ids if not is_local_id(one)]
    if len(set(ids)) != len(ids):
        reasons.append("Two of the metrics have the same id; give each its own.")
    fixed = [metric.local_id for metric in improved_metrics(submission)][:n_metrics]
    reasons += [
        f"This is a new version of the metric {stays}, so that id stays; {one} is given."
        for one, stays in zip(ids, fixed, strict=False)
        if one != stays
    ]
    new = ids[len(fixed) :]
    taken = Metric.objects.filter(benchmark__slug=plan.benchmark, local_id__in=new)
    reasons += [f"The benchmark has a metric {one} already. Give another id." for one in
                taken.values_list("local_id", flat=True)]  # fmt: skip
    return reasons


def _benchmark(content: Content, plan: ApprovalPlan) -> Benchmark:
    if not plan.is_new_benchmark:
        return Benchmark.objects.get(slug=plan.benchmark)
    return adding_metrics.ensured_benchmark(
        NewBenchmark(
            slug=plan.benchmark,
            name=plan.benchmark_name,
            description=plan.benchmark_description,
            licence=content.licence,
            sources=_sources(content),
        )
    )


def _new_metrics(content: Content, plan: ApprovalPlan, contributor: str) -> list[NewMetric]:
    known = known_subareas()
    found = []
    for number, (local_id, brief) in enumerate(
        zip(plan.local_ids, composition.metric_briefs(content), strict=True), start=1
    ):
        stated = MetricFile(
            local_id=local_id,
            name=brief.name,
            polarity=brief.polarity,
            definition=brief.definition,
            judge_question=brief.judge_question or None,
            interpretive_clause=brief.interpretive_clause or None,
            examples_present=content.examples_present,
            examples_absent=content.examples_absent,
            subareas=tuple(slug for slug in known if slug in content.subareas),
            rationale=rationale(content) or None,
            citations=citation_lines(content),
            plain_name=(plan.plain_name if number == 1 else f"{plan.plain_name} ({number})")
            if plan.plain_name
            else None,
            plain_definition=plan.plain_definition or None,
        )
        rows = _rows(content, plan, local_id)
        found.append(NewMetric(stated, rows, contributor, content.licence, plan.content_notices))
    return found


def _rows(content: Content, plan: ApprovalPlan, local_id: str) -> list[ScenarioFile]:
    """One base scenario, with a variant for each chosen profile (ImpactBench paper, section 3.3)."""
    brief = composition.scenario_brief(content)
    rows = []
    for slug in (slug for slug in paper_taxonomy.PROFILES if slug in plan.profiles):
        name, attributes, _order = paper_taxonomy.PROFILES[slug]
        rows.append(
            ScenarioFile(
                id=f"{local_id}-{slug}",
                metric_id=local_id,
                base_number=1,
                persona=brief.persona,
                goal=plan.goal or brief.goal,
                latent_adversarial_goal=plan.latent_adversarial_goal or brief.latent_adversarial_goal,
                anchors=tuple(Anchor(anchor.turn, anchor.objective) for anchor in brief.anchors),
                profile_slug=slug,
                profile_name=name,
                profile_attributes=attributes,
                target_system_prompt=brief.target_system_prompt,
            )
        )
    return rows


def rationale(content: Content) -> str:
    """Why the metric is there, as its page tells it."""
    parts = (
        content.relevance,
        f"What it measures: {content.construct}" if content.construct else "",
        f"How it differs from other metrics: {content.differs}" if content.differs else "",
    )
    return "\n\n".join(part for part in parts if part)


def citation_lines(content: Content) -> tuple[str, ...]:
    """The sources in the order of the text's [1], [2], each as one line of text."""
    found = [citations.render(source.reference, source.link) for source in content.sources]
    return tuple(
        " ".join(part for part in (one.text, f"doi:{one.doi}" if one.doi else one.url) if part) for one in found
    )


def _sources(content: Content) -> tuple[Source, ...]:
    found = (citations.render(source.reference, source.link) for source in content.sources)
    return tuple(Source(one.text or one.url, one.url or None, one.doi or None) for one in found)


def _newest_revision(submission: Submission) -> Revision:
    revision = submission.revisions.order_by("-number").first()
    if revision is None:
        raise DomainError("It was never sent, so there is nothing to approve.")
    return revision


def _newest(metric: Metric) -> MetricVersion:
    return metric.versions.order_by("-number")[0]


def _lines(value: object) -> tuple[str, ...]:
    items = value if isinstance(value, list | tuple) else ()
    return tuple(text for text in (text_of(item).strip() for item in items) if text)
