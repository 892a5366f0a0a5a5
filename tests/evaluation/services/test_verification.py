"""Verifying a release recomputes everything and finds whatever was changed afterwards."""

import pytest
from django.db import connection

from evaluation.models import Comparison, Judgment, Placement, Release, Result, Verdict
from evaluation.services import release_content
from evaluation.services.verification import verify
from impactbench.common.errors import UnusableInput
from tests.support.builders import make_judge, make_judgment, make_model, make_release
from tests.support.frozen import nothing_is_frozen

pytestmark = pytest.mark.django_db


@pytest.fixture
def release() -> Release:
    return make_release("r", resamples=50)


def force(statement: str) -> None:
    """Change rows behind the triggers' back, as somebody with the database's password could."""
    with nothing_is_frozen(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.usefixtures("release")
def test_untouched_release_is_the_same_bit_for_bit() -> None:
    assert verify("r") == []


@pytest.mark.usefixtures("release")
def test_later_judgments_and_placements_do_not_matter(release: Release) -> None:
    conversation = release.runs.get().conversations.earliest("pk")
    make_judgment(conversation, present=False, repeat=2)
    make_judgment(conversation, present=False, repeat=3)
    make_judgment(conversation, present=False, judge=make_judge("later"))
    Placement.objects.all().delete()

    assert verify("r") == []


def test_judges_asked_after_a_release_change_nothing_in_it_and_are_pinned_by_the_next(release: Release) -> None:
    run = release.runs.get()
    later = make_judge("later", model=make_model("later-model"))
    run.judges.add(later)
    run.later_judges = {"later": 1}
    run.save()

    assert verify("r") == []

    for conversation in run.conversations.all():
        make_judgment(conversation, present=False, judge=later)
    make_release("next", run=run, resamples=50)
    assert (verify("r"), verify("next")) == ([], [])
    force("UPDATE evaluation_languagemodel SET system_prompt = 'other' WHERE slug = 'later-model'")
    assert (verify("r"), verify("next")[0]) == ([], "models: changed since the release was made")


@pytest.mark.usefixtures("release")
def test_changed_judgment_is_found_in_verdict_results_and_hash() -> None:
    judgment = Judgment.objects.filter(present=True, polarity="positive", conversation__target__slug="luna")[0]
    with nothing_is_frozen():
        Judgment.objects.filter(pk=judgment.pk).update(present=False)

    differences = verify("r")

    name = judgment.conversation.public_id
    assert f"verdict {name}: present True published, False recomputed; passed True published, False recomputed" in (
        differences
    )
    assert sum(difference.startswith("result overall luna positive all:") for difference in differences) == 1
    assert sum(difference.startswith("content hash:") for difference in differences) == 1


@pytest.mark.usefixtures("release")
def test_deleted_judgment_is_found() -> None:
    with nothing_is_frozen():
        Judgment.objects.filter(present=True)[0].delete()

    differences = verify("r")

    assert "n_judged: 115 published, 114 recomputed" in differences


@pytest.mark.usefixtures("release")
def test_last_bit_of_a_result_is_found() -> None:
    result = Result.objects.get(group="overall", model=None, polarity="positive", profile="all")
    assert result.pass_rate is not None
    force(f"UPDATE evaluation_result SET pass_rate = pass_rate + 1e-15 WHERE id = {result.pk}")

    differences = verify("r")

    changed = Result.objects.get(pk=result.pk).pass_rate
    assert differences == [
        f"result overall all positive all: pass_rate {changed!r} published, {result.pass_rate!r} recomputed"
    ]


@pytest.mark.usefixtures("release")
def test_changed_and_missing_verdict_rows_are_found() -> None:
    first, second = Verdict.objects.filter(present=True).order_by("pk")[:2]
    force(
        f"UPDATE evaluation_verdict SET present = false WHERE id = {first.pk}; "
        f"DELETE FROM evaluation_verdict WHERE id = {second.pk}"
    )

    differences = verify("r")

    assert differences == sorted(
        [
            f"verdict {first.conversation}: present False published, True recomputed",
            f"verdict {second.conversation}: missing in the release",
        ]
    )


def test_unknown_release_is_refused() -> None:
    with pytest.raises(UnusableInput, match="there is no release 'r'"):
        verify("r")


@pytest.mark.usefixtures("release")
@pytest.mark.parametrize(
    ("change", "part"),
    [
        ("UPDATE evaluation_scenario SET persona = 'somebody else'", "scenarios"),
        ("UPDATE evaluation_judgment SET justification = 'other words'", "judgments"),
        ("UPDATE evaluation_languagemodel SET system_prompt = 'other'", "models"),
    ],
)
def test_changed_input_is_found_by_the_name_of_its_part(change: str, part: str) -> None:
    force(change)

    differences = verify("r")

    assert [line for line in differences if not line.startswith("content hash:")] == [
        f"{part}: changed since the release was made"
    ]


@pytest.mark.usefixtures("release")
def test_last_bit_of_a_comparison_is_found() -> None:
    comparison = Comparison.objects.filter(kind="model")[0]
    table = "evaluation_comparison"
    force(f"UPDATE {table} SET difference = difference + 1e-15 WHERE id = {comparison.pk}")

    (difference,) = verify("r")

    assert difference.startswith(f"comparison model {comparison.group}")


@pytest.mark.usefixtures("release")
def test_releases_made_before_comparisons_are_checked_by_what_their_hash_covers(release: Release) -> None:
    inputs = release_content.stored_numbers(release)
    verdicts = release_content.stored_verdicts(release)
    old = release_content.content_hash(verdicts, inputs, {}, version=1)
    force(f"UPDATE evaluation_release SET content_version = 1, input_hashes = '{{}}', content_hash = '{old}'")
    force("DELETE FROM evaluation_comparison")

    assert verify("r") == []
