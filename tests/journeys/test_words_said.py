"""The way down to the words that were said, in a real browser: the live list, two chats side by side, a long turn."""

from collections.abc import Callable

import pytest
from django.db import connection
from playwright.sync_api import expect

from evaluation.models import Conversation, Release, Turn
from tests.journeys.conftest import Visit
from tests.support.builders import make_release

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def release() -> Release:
    return make_release()


def _beside(release: Release) -> str:
    """The address of two chats of one scenario side by side."""
    chats = Conversation.objects.filter(verdicts__release=release).order_by("scenario", "pk")
    first, second = chats[0], chats[1]
    assert first.scenario_id == second.scenario_id
    return f"/conversations/{first.public_id}/?with={second.public_id}"


def test_list_of_metrics_changes_as_one_chooses(visit: Visit, release: Release) -> None:
    page = visit.page
    visit.open("/metrics/")
    page.get_by_label("Status").focus()
    page.get_by_label("Benchmark").select_option("learning")
    expect(page.locator("#found-said")).to_have_text("6 metrics found")
    page.get_by_label("Avoids harm").check()
    expect(page.locator("#found-said")).to_have_text("3 metrics found")

    assert page.url.endswith("/metrics/?bench=learning&p=avoid")
    assert page.title() == "Metrics: Benchmark: Learning, Kind: Avoids harm · ImpactBench"
    expect(page.get_by_label("Avoids harm")).to_be_focused()
    assert visit.accessibility_problems() == []

    page.go_back()
    expect(page.locator("main h1")).to_have_text("Metrics")
    expect(page.locator("#found .count")).to_contain_text("6 of 12 metrics")
    page.reload()
    expect(page.locator("#found .count")).to_contain_text("6 of 12 metrics")


def test_chats_side_by_side_are_accessible_and_fit_a_phone(visit: Visit, phone: Visit, release: Release) -> None:
    address = _beside(release)
    visit.open(address)
    boxes = [visit.page.locator(".turns-pair .say-ai").nth(at).bounding_box() for at in (0, 1)]
    assert all(boxes)
    assert visit.accessibility_problems() == []
    # Aligned by turn on a wide page, stacked on a phone.
    assert [box and box["x"] for box in boxes] != [boxes[0] and boxes[0]["x"]] * 2

    phone.open(address)
    assert phone.overflow() <= 0
    assert phone.accessibility_problems() == []


def test_two_chats_are_chosen_on_the_scenario_without_javascript(
    visit_without_javascript: Visit, release: Release
) -> None:
    page = visit_without_javascript.page
    visit_without_javascript.open("/metrics/autonomy/m01/scenarios/1/")
    page.get_by_role("button", name="Read side by side").click()
    page.wait_for_load_state()

    expect(page.locator(".turns-pair")).to_be_visible()
    expect(page.get_by_role("link", name="Back to scenario 1: all models")).to_be_visible()


@pytest.mark.parametrize("piece", ["unbroken", "\u202e\u05d0\u05d1 ", "| wide | table |\n|-|-|\n", "\u200b"])
def test_a_hundred_kilobytes_in_a_turn_fit_a_phone(phone: Visit, release: Release, piece: str) -> None:
    conversation = Conversation.objects.filter(verdicts__release=release).first()
    assert conversation is not None
    turn = Turn.objects.filter(conversation=conversation).earliest("number")
    _past_the_trigger(lambda: Turn.objects.filter(pk=turn.pk).update(reply=piece * (100_000 // len(piece))))

    phone.open(f"/conversations/{conversation.public_id}/")

    assert phone.overflow() <= 0


def _past_the_trigger(change: Callable[[], object]) -> None:
    """What was said never changes; a test must put its own words there all the same."""

    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        change()
        cursor.execute("SET session_replication_role = DEFAULT")
