"""The number that the methodology page traces: every step and every sum counted again from the judgments."""

import re

import pytest
from django.test import Client

from evaluation.models import Judgment, Release
from labels.tracing import trace
from tests.support.builders import make_release
from tests.support.later_release import later_release

pytestmark = pytest.mark.django_db


@pytest.fixture
def release() -> Release:
    return make_release()


def counted(release: Release, *, model: str, polarity: str, metrics: list[str] | None = None) -> tuple[int, int]:
    """(good outcomes, judged chats), straight from the judgments."""
    judged = Judgment.objects.filter(
        conversation__run__releases=release, conversation__target__slug=model, present__isnull=False, polarity=polarity
    )
    if metrics is not None:
        judged = judged.filter(conversation__scenario__base__metric_version__metric__slug__in=metrics)
    return judged.filter(present=polarity == "positive").count(), judged.count()


def test_trace_follows_the_rule_and_its_sums_are_those_of_the_judgments(release: Release) -> None:
    found = trace(release, [])

    assert found is not None
    assert found.row is not None
    assert (found.model.slug, found.polarity, found.is_readable) == ("luna", "negative", True)
    metric = found.verdict.metric_version.metric.slug
    row = release.groups["label-row"][f"negative {found.row.key}"] if "label-row" in release.groups else []
    assert metric == min(row)
    levels = [(found.metric, [metric]), (found.row, row), (found.overall, None)]
    for result, metrics in levels:
        assert (result.n_passed, result.n_judged) == counted(
            release, model="luna", polarity="negative", metrics=metrics
        )


def test_trace_parts_add_up_to_the_level_above(release: Release) -> None:
    found = trace(release, [])

    assert found is not None
    assert found.row is not None
    assert (sum(chat.passed is True for chat in found.chats), len(found.chats)) == (
        found.metric.n_passed,
        found.metric.n_judged,
    )
    for parts, whole in ((found.metrics, found.row), (found.benchmarks, found.overall)):
        assert sum(part.n_passed for part in parts) == whole.n_passed
        assert sum(part.n_judged for part in parts) == whole.n_judged
    assert found.verdict.passed is (not found.verdict.present)


def test_trace_takes_the_newest_release_whose_conversations_can_be_read(release: Release) -> None:
    newer = later_release(release)

    found, unread = trace(newer, [newer, release]), trace(newer, [])

    assert found is not None
    assert (found.release, found.is_readable) == (release, True)
    assert unread is not None
    assert (unread.release, unread.is_readable) == (newer, False)


def test_trace_without_anything_published_is_none() -> None:
    assert trace(None, []) is None


def test_methodology_shows_every_step_of_the_trace_as_a_link_into_the_release(client: Client, release: Release) -> None:
    page = client.get("/methodology/").content.decode()
    steps = page[page.index('class="trace"') :]
    found = trace(release, [])

    assert found is not None
    assert found.row is not None
    addresses = [
        f"/conversations/{found.verdict.conversation.public_id}/",
        f"/metrics/{found.verdict.metric_version.metric.slug}/",
        f"/labels/luna/{found.row.key}/",
        "/labels/luna/",
    ]
    for address in addresses:
        assert f'href="{address}?release=2026-a"' in steps
        assert client.get(f"{address}?release=2026-a").status_code == 200
    sums = re.findall(r'<tfoot>.*?<td class="r">([\d,]+)</td><td class="r">([\d,]+)</td>', steps)
    assert sums == [
        (f"{found.row.n_passed:,}", f"{found.row.n_judged:,}"),
        (f"{found.overall.n_passed:,}", f"{found.overall.n_judged:,}"),
    ]
