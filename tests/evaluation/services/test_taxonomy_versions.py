"""The next version of a taxonomy: drafted, adopted, and what that leaves as it was."""

from __future__ import annotations

import pytest

from evaluation.models import Area, LabelRow, Placement, Subarea, Taxonomy, TaxonomyDraft
from evaluation.selectors.taxonomies import content_of, in_force, subareas_by_slug, subareas_in_force
from evaluation.services import publishing, taxonomy_versions, verification
from evaluation.taxonomy_acts import Act
from impactbench.common.errors import DomainError
from impactbench.common.models import AuditEvent
from tests.support.builders import make_finished_run, make_metric

pytestmark = pytest.mark.django_db

MERGE = Act("merge-subareas", "law", "physical-safety")


def drafted(*acts: Act) -> TaxonomyDraft:
    draft = taxonomy_versions.begin(actor=None)
    for seen, act in enumerate(acts):
        taxonomy_versions.act(draft, act, seen=seen, actor=None)
    draft.refresh_from_db()
    return draft


def adopted(*acts: Act) -> Taxonomy:
    return taxonomy_versions.adopt(drafted(*acts), title="ImpactBench 2027", seen=len(acts), actor=None)


def places(slug: str) -> list[str]:
    """The subareas in force in which a metric stands."""
    return list(subareas_in_force().filter(placements__metric__slug=slug).values_list("slug", flat=True))


def test_adopting_makes_a_new_version_and_leaves_the_old_one_as_it_was() -> None:
    make_metric("m01", subareas=("law",))
    before = content_of(in_force())

    made = adopted(MERGE)

    assert (made.slug, made.version, made.title) == ("impactbench-2026", 2, "ImpactBench 2027")
    assert in_force() == made
    assert places("autonomy/m01") == ["physical-safety"]
    old = Taxonomy.objects.get(slug="impactbench-2026", version=1)
    assert content_of(old) == before
    assert (old.subareas.count(), made.subareas.count(), made.areas.count()) == (14, 13, 3)
    assert not TaxonomyDraft.objects.exists()
    assert list(
        AuditEvent.objects.filter(action__startswith="taxonomy").order_by("pk").values_list("action", flat=True)
    ) == [
        "taxonomy-begun",
        "taxonomy-changed",
        "taxonomy-adopted",
    ]


def test_order_names_and_plain_words_are_carried_over() -> None:
    before = content_of(in_force())

    made = adopted(Act("add-area", name="Nature"))

    assert content_of(made).areas[:-1] == before.areas
    assert (
        Subarea.objects.get(taxonomy=made, slug="law").plain_sentence == "How it handles questions of rights and rules."
    )
    assert list(Area.objects.filter(taxonomy=made).values_list("slug", "order"))[-1] == ("nature", 3)


def test_saved_judgments_can_be_published_under_the_new_version_as_a_new_release() -> None:
    run = make_finished_run()
    first = publishing.publish(actor=None, slug="before", runs=[run.slug], resamples=20)

    adopted(Act("merge-subareas", "agency-purpose", "cognition-judgment"))
    second = publishing.publish(actor=None, slug="after", runs=[run.slug], resamples=20)
    first.refresh_from_db()

    assert (first.taxonomy.version, second.taxonomy.version) == (1, 2)
    assert sorted(first.groups["subarea"]) == ["agency-purpose", "cognition-judgment", "learning-skill-development"]
    assert sorted(second.groups["subarea"]) == ["cognition-judgment", "learning-skill-development"]
    merged = set(first.groups["subarea"]["agency-purpose"]) | set(first.groups["subarea"]["cognition-judgment"])
    assert set(second.groups["subarea"]["cognition-judgment"]) == merged
    assert [verification.verify(release.slug) for release in (first, second)] == [[], []]


def test_new_metrics_are_placed_in_the_version_in_force() -> None:
    made = adopted(Act("add-subarea", other="social", name="Housing"))

    assert {subarea.taxonomy for subarea in subareas_by_slug(["housing", "law"]).values()} == {made}
    assert "housing" in {subarea.slug for subarea in subareas_in_force()}


def test_what_is_in_force_no_more_keeps_its_words() -> None:
    adopted(MERGE)

    assert subareas_by_slug(["law"])["law"].name == "Law"


def test_label_rows_go_with_their_taxonomy() -> None:
    metric = make_metric("m01", polarity="positive").metric
    row = LabelRow.objects.create(taxonomy=in_force(), slug="choices", polarity="positive", title="Choices")
    row.metrics.add(metric)

    made = adopted(MERGE)

    (copied,) = made.label_rows.all()
    assert (copied.slug, list(copied.metrics.all())) == ("choices", [metric])
    assert list(row.metrics.all()) == [metric]


def test_undo_takes_back_the_last_act_only() -> None:
    draft = drafted(MERGE, Act("retire-subarea", "creativity"))

    assert taxonomy_versions.undo(draft, seen=2, actor=None) == "Retired Creativity"
    draft.refresh_from_db()
    assert taxonomy_versions.acts_of(draft) == [MERGE]


def test_whoever_saw_an_older_draft_changes_nothing() -> None:
    draft = drafted(MERGE)

    with pytest.raises(DomainError, match="somebody else changed this draft meanwhile"):
        taxonomy_versions.act(draft, Act("retire-subarea", "creativity"), seen=0, actor=None)
    with pytest.raises(DomainError, match="somebody else changed this draft meanwhile"):
        taxonomy_versions.adopt(draft, title="X", seen=5, actor=None)

    draft.refresh_from_db()
    assert taxonomy_versions.acts_of(draft) == [MERGE]


def test_an_act_that_cannot_be_done_is_not_kept() -> None:
    draft = drafted()

    with pytest.raises(DomainError):
        taxonomy_versions.act(draft, Act("retire-area", "social"), seen=0, actor=None)

    draft.refresh_from_db()
    assert draft.acts == []


@pytest.mark.parametrize(
    ("acts", "title", "message"),
    [
        ([], "Next", "nothing was changed yet, so there is nothing to adopt"),
        ([MERGE], " ", "give the new version a title of at most 200 characters"),
        ([MERGE], "x" * 201, "give the new version a title of at most 200 characters"),
    ],
)
def test_adopting_is_refused(acts: list[Act], title: str, message: str) -> None:
    draft = drafted(*acts)

    with pytest.raises(DomainError, match=message):
        taxonomy_versions.adopt(draft, title=title, seen=len(acts), actor=None)

    assert in_force().version == 1


def test_discarding_changes_nothing() -> None:
    taxonomy_versions.discard(drafted(MERGE), seen=1, actor=None)

    assert (TaxonomyDraft.objects.count(), in_force().version) == (0, 1)


def test_beginning_twice_goes_on_with_the_same_draft() -> None:
    first = drafted(MERGE)

    assert taxonomy_versions.begin(actor=None) == first
    assert Placement.objects.count() == 0
