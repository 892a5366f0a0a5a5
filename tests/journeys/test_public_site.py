"""A visitor's ways through the public site, in a real browser."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from evaluation.models import Conversation, Release, Turn
from labels.snapshots.keeping import keep_snapshot
from tests.journeys.conftest import Visit
from tests.support.builders import make_release
from tests.support.frozen import nothing_is_frozen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LIMITS = (
    "This was a stress test with simulated users: it does not show how often these things happen in everyday use.",
    "It shows what the model did in these chats, not how a finished product behaves or how people fare afterwards.",
)
HOSTILE = (
    "<script>document.title='taken'</script> <img src=x onerror=alert(1)> [link](javascript:alert(1)) "
    "![pixel](http://tracker.example/p.png) </template> {x} %s \u202edesrever"
)


@pytest.fixture
def release() -> Release:
    return make_release()


def _conversation(release: Release) -> Conversation:
    found = Conversation.objects.filter(verdicts__release=release, verdicts__passed=True).order_by("pk").first()
    assert found is not None
    return found


def _pages(release: Release) -> list[str]:
    conversation = _conversation(release)
    version = conversation.scenario.base.metric_version
    subarea = version.metric.subareas.get(pk=version.metric.subareas.values("pk")[:1])
    model = conversation.target.slug
    return [
        "/",
        "/labels/",
        f"/labels/{model}/",
        f"/labels/{model}/embed/",
        f"/compare/?m={model}",
        "/explore/",
        "/explore/?view=grid",
        "/explore/?view=table",
        f"/explore/{subarea.area.slug}/",
        f"/explore/{subarea.area.slug}/{subarea.slug}/",
        "/metrics/",
        f"/metrics/{version.metric.slug}/",
        f"/metrics/{version.metric.slug}/scenarios/1/",
        f"/conversations/{conversation.public_id}/",
        f"/benchmarks/{version.metric.benchmark.slug}/",
        f"/models/{model}/",
        "/releases/",
        f"/releases/{release.slug}/",
        "/methodology/",
        "/glossary/",
        "/about/",
        "/search/?q=metric",
        "/api/v1/docs/",
    ]


def test_from_home_down_to_the_words_and_back(visit: Visit, release: Release) -> None:
    visit.open("/")
    visit.follow("See a label")
    if visit.page.url.split("?")[0].endswith("/labels/"):
        visit.go(visit.page.locator(f"main a[href^='/labels/{_conversation(release).target.slug}/']").first)
    expect(visit.page.get_by_role("heading", name="AI Nutrition Label")).to_have_count(1)
    label_address = visit.page.url

    for place in (".label-rows a", "main a[href^='/metrics/']", "main a[href^='/conversations/']"):
        visit.go(visit.page.locator(place).first)
    expect(visit.page.locator("#turn-1")).to_have_count(1)

    for _ in range(3):
        visit.page.go_back()
    expect(visit.page).to_have_url(label_address)


def test_label_says_what_it_is_not(visit: Visit, release: Release) -> None:
    model = _conversation(release).target.slug

    for address in (f"/labels/{model}/", f"/labels/{model}/embed/"):
        visit.open(address)
        text = " ".join(visit.page.locator("body").inner_text().split())
        assert [sentence for sentence in LIMITS if sentence not in text] == []


def test_every_page_reads_without_javascript(visit_without_javascript: Visit, release: Release) -> None:
    for address in _pages(release):
        visit_without_javascript.open(address)
        assert visit_without_javascript.page.locator("h1").count() == 1, address


def test_metrics_are_filtered_without_losing_the_address(visit: Visit, release: Release) -> None:
    visit.open("/metrics/?p=avoid")
    rows = visit.page.locator("main a[href^='/metrics/']").count()
    everything = release.metric_versions.count()

    assert 0 < rows < everything * 2
    assert "p=avoid" in visit.page.url


def test_hostile_words_stay_words(visit: Visit, release: Release) -> None:
    conversation = _conversation(release)
    with nothing_is_frozen():
        conversation.turns.all().delete()
    Turn.objects.create(conversation=conversation, number=1, user_message=HOSTILE, reply=HOSTILE)

    visit.open(f"/conversations/{conversation.public_id}/")

    assert visit.page.title() != "taken"
    assert visit.page.locator("#turn-1 img, #turn-1 script").count() == 0
    assert visit.page.locator("#turn-1 a[href^='javascript']").count() == 0
    assert "{x} %s" in visit.page.locator("#turn-1").inner_text()


def test_a_release_is_taken_home_on_a_phone(visit: Visit, release: Release, tmp_path: Path, settings: Any) -> None:
    settings.SNAPSHOTS = tmp_path
    keep_snapshot(release)
    visit.page.set_viewport_size({"width": 360, "height": 740})
    visit.open(f"/releases/{release.slug}/")
    files = visit.page.locator("#files ~ details")
    files.locator("summary").click()
    metrics = files.locator("li", has=visit.page.get_by_role("link", name="metrics.parquet"))
    expect(metrics).to_be_visible()
    assert visit.overflow() <= 0
    assert visit.accessibility_problems() == []

    with visit.page.expect_download() as download:
        metrics.get_by_role("link").click()

    assert download.value.suggested_filename == "metrics.parquet"
    taken = hashlib.sha256(Path(download.value.path()).read_bytes()).hexdigest()
    expect(metrics.locator("code")).to_have_text(taken)


def test_an_unknown_address_helps_on(visit: Visit, release: Release) -> None:
    visit.expects_refusal(404)
    visit.open("/labels/no-such-model/", status=404)

    expect(visit.page.locator("h1")).to_have_count(1)


def test_nothing_published_yet(visit: Visit, db: Any) -> None:
    for address in ("/", "/labels/", "/explore/", "/metrics/", "/releases/"):
        visit.open(address)
        assert visit.page.locator("h1").count() == 1
