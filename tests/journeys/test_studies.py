"""Studies from their design to what was hidden, in a browser: on a phone without scripts, on a tablet, on a desk."""

import os
import re
from collections.abc import Iterator

import pytest
from django.core import mail
from playwright.sync_api import Browser, expect

from evaluation.models import MetricVersion, Rating, Scenario, Study, StudyFinding
from evaluation.services import paper_taxonomy
from impactbench.accounts.models import User
from impactbench.common.tasks import deliver_mail
from tests.journeys.conftest import Visit, visit_in_a_window
from tests.support.builders import make_conversation, make_model, make_run
from tests.support.portal import make_person
from tests.support.studies import SMALL, the_run

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 360, "height": 900}
SHOTS = os.environ.get("STUDY_SHOTS")


@pytest.fixture
def people(transactional_db: None) -> dict[str, User]:
    paper_taxonomy.load()
    the_run()
    MetricVersion.objects.update(content_notices=["grief"])
    return {"manager": make_person("Mara", "editor"), "rater": make_person("Rita")}


@pytest.fixture
def desk(browser: Browser, live_server: object, people: dict[str, User]) -> Iterator[Visit]:
    """The browser of the person who runs the study."""
    with visit_in_a_window(browser, str(live_server), 1280, 900) as visit:
        visit.sign_in(people["manager"])
        yield visit


@pytest.mark.parametrize(
    ("kind", "width", "has_scripts"),
    [
        ("scenario-review", 360, False),
        ("simulation-review", 360, False),
        ("judgment-review", 768, True),
        ("simulator-selection", 768, True),
        ("expert-review", 1280, True),
    ],
)
def test_study_goes_from_design_to_publication(
    kind: str, width: int, has_scripts: bool, desk: Visit, browser: Browser, people: dict[str, User]
) -> None:
    link = _designed_opened_and_invited(desk, kind)

    with visit_in_a_window(browser, desk.site, width, 900, java_script_enabled=has_scripts) as visit:
        visit.sign_in(people["rater"])
        _accepted(visit, link, kind)
        n = Study.objects.get().items.count()
        if kind == "expert-review":
            _rated_with_keys(visit)
        elif has_scripts:
            _missing_answers_are_named(visit)
        for place in range(1, n + 1):
            _rate(visit, kind, place, n)
        _finished(visit, kind)

    _closed_and_published(desk, kind, n)


def _designed_opened_and_invited(desk: Visit, kind: str) -> str:
    page = desk.page
    desk.open("/studies/new/")
    page.locator(f"a[href='?kind={kind}']").click()
    page.get_by_label("Title").fill("How far to trust it")
    page.get_by_label("run", exact=True).check()
    if kind == "simulator-selection":
        _played_by_another_simulator()
        page.reload()
        page.get_by_label("Title").fill("How far to trust it")
        page.get_by_label("run", exact=True).check()
        page.get_by_label("by-another", exact=True).check()
    page.get_by_label("Seed").fill("7")
    for name, value in {"overlap": "", **SMALL[kind]}.items():
        page.locator(f"[name='n-{name}']").fill(str(value))
    page.get_by_label("What raters are to do").fill("Read each one to its end.")
    desk.press("See what would be drawn")
    expect(page.get_by_role("status")).to_contain_text("would be drawn")
    _look(desk, f"{kind}-design")
    desk.press("Keep this study")
    page.get_by_label("Invite by e-mail").fill("rita@rita.example")
    desk.press("Invite")
    expect(page.get_by_role("region", name="Table: Raters")).to_contain_text("Rater 1")
    desk.press("Open it")
    _look(desk, f"{kind}-study")
    deliver_mail()
    found = re.search(r"/studies/invitation/\S+", str(mail.outbox[-1].body))
    assert found is not None
    return found[0]


def _played_by_another_simulator() -> None:
    """The scenarios of two metrics, held once more with another simulated user."""
    run, other = the_run(), make_model("other-simulator")
    again = make_run("by-another", targets=list(run.targets.all()), user_simulator=other)
    for scenario in Scenario.objects.filter(base__metric_version__in=run.metric_versions.order_by("pk")[:2]):
        make_conversation(again, scenario, run.targets.get(slug="luna"))


def _accepted(visit: Visit, link: str, kind: str) -> None:
    page = visit.page
    visit.open(link)
    visit.expects_refusal(422)
    visit.press("Take part")
    expect(page.get_by_role("heading", name="Not yet")).to_be_visible()
    _look(visit, f"{kind}-invitation")
    page.get_by_label("Yes, as “Rater” and a number").check()
    page.get_by_label("I have read this").check()
    visit.press("Take part")
    expect(page.locator("main")).to_contain_text("You are Rater 1")
    _look(visit, f"{kind}-own")
    visit.follow("Begin", exact=True)


def _missing_answers_are_named(visit: Visit) -> None:
    page = visit.page
    visit.press("Save and go to", exact=False)
    expect(page.locator(".p-summary", has_text="something is missing")).to_be_focused()
    assert visit.accessibility_problems() == []
    _shot(visit, "missing")


def _rated_with_keys(visit: Visit) -> None:
    """Digits choose, J and K go through the turns, and what is written is kept by itself."""
    page = visit.page
    scale = page.get_by_role("group", name="How relevant is the metric")
    expect(page.get_by_label("How should it change?")).to_be_hidden()
    scale.get_by_role("radio").first.focus()
    page.keyboard.press("2")
    expect(page.get_by_label("How should it change?")).to_be_visible()
    expect(page.locator("[data-saved]")).to_contain_text("Saved at")
    assert Rating.objects.get().answers == {"relevance": 2}
    visit.press("Skip this one")
    page.get_by_role("region", name="The conversation with Model A").focus()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("#turn-2")).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator("#turn-1")).to_be_focused()
    visit.press("Back to 1 of", exact=False)


def _rate(visit: Visit, kind: str, place: int, n: int) -> None:
    """Answer every question with its last option, and every field with a word."""
    page = visit.page
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"{place} of {n}")
    expect(page.locator("main")).not_to_contain_text(re.compile("luna|terra|sol", re.IGNORECASE))
    for group in page.locator("fieldset.p-crit").all():
        if group.is_visible():
            group.locator("input").last.check()
    for field in page.locator("textarea").all():
        if field.is_visible():
            field.fill("It says so.")
    if place <= 2:
        _look(visit, f"{kind}-rate-{place}")
    if place == 2 and kind == "expert-review":
        _look_at_all_widths(visit, "rate")
    visit.press("Save the last one" if place == n else f"Save and go to {place + 1} of {n}")


def _finished(visit: Visit, kind: str) -> None:
    page = visit.page
    expect(page.locator("main")).to_contain_text("You have been through all")
    visit.press("Finish my ratings")
    if kind == "scenario-review":
        expect(page.locator("main")).to_contain_text("You have finished. Thank you.")
    else:
        expect(page.get_by_role("heading", name="What was hidden", level=1)).to_be_visible()
        hidden = page.get_by_role("region", name="Table: What was hidden")
        expect(hidden).to_contain_text(re.compile("Luna|Terra|Sol|Other Simulator"))
    _look(visit, f"{kind}-end")


def _closed_and_published(desk: Visit, kind: str, n: int) -> None:
    page = desk.page
    page.reload()
    expect(page.get_by_role("region", name="Table: Raters")).to_contain_text(f"{n} of {n}")
    desk.press("Close it")
    desk.follow("Analysis", exact=True)
    expect(page.locator("main")).to_contain_text(f"{n} ratings of {n} of {n} items by 1 rater")
    _look(desk, "analysis")
    page.go_back()
    desk.follow("Items and disagreements")
    _look(desk, "items")
    page.locator("tbody a").last.click()
    if kind not in ("judgment-review", "expert-review"):
        expect(page.get_by_role("button", name="Keep the decision")).to_have_count(0)
    else:
        page.get_by_label("It stays contested").check()
        page.get_by_label("Reasons", exact=True).fill("Both have a point.")
        _look(desk, "item")
        desk.press("Keep the decision")
    desk.open(f"/studies/{Study.objects.get().public_id}/")
    desk.press("Publish it")
    expect(page.locator("main")).to_contain_text("It was published on")
    assert StudyFinding.objects.filter(metric_version=None).count() == 1


def _look(visit: Visit, name: str) -> None:
    """Nothing to scroll sideways, nothing that axe finds wrong; axe is a script, and the phone has none."""
    size = visit.page.viewport_size or PHONE
    if size["width"] > PHONE["width"]:
        assert visit.overflow() <= 0, name
        assert visit.accessibility_problems() == [], name
    _shot(visit, name)


def _look_at_all_widths(visit: Visit, name: str) -> None:
    for width in (360, 768, 1280):
        visit.page.set_viewport_size({"width": width, "height": 900})
        assert visit.overflow() <= 0, (name, width)
        assert visit.accessibility_problems() == [], (name, width)
        _shot(visit, f"{name}-{width}")


def _shot(visit: Visit, name: str) -> None:
    if SHOTS:
        visit.page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)
