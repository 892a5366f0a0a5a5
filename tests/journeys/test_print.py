"""A label on paper, in a real browser: one page, whatever state its data are in."""

import re

import pytest

from evaluation.models import LabelRow, LanguageModel, Metric, Taxonomy
from tests.journeys.conftest import Visit
from tests.support.builders import (
    make_conversation,
    make_judgment,
    make_metric,
    make_model,
    make_release,
    make_run,
    make_scenarios,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "A name of sixty letters, as long as sources were seen to give"
# Model: what is special about it. All have 16 rows, the most that a card has, with titles of sixty letters.
STATES = {
    "whole": "complete, and no group differs",
    "partial": "tested on a part of the metrics",
    "adults": "no data on teens",
    "extreme": "every good thing done, no harmful one kept clear of",
    "long": "long names of model, maker and version",
    "unjudged": "no verdict at all",
}


def _present(slug: str, at: int) -> bool | None:
    return {"extreme": True, "unjudged": None}.get(slug, at % 3 > 0)


def publish() -> None:
    """A release in which each model of STATES is in its state."""
    versions = [make_metric(f"m{at}", polarity="positive" if at < 6 else "negative") for at in range(1, 11)]
    models = {slug: make_model(slug) for slug in STATES}
    LanguageModel.objects.filter(slug="long").update(name=LONG, provider=LONG, version=LONG)
    run = make_run(versions=versions, targets=list(models.values()))
    for at, version in enumerate(versions):
        for scenario in make_scenarios(version):
            for slug, model in models.items():
                is_held = {"partial": at % 5 < 2, "adults": scenario.profile.slug == "adult"}
                if is_held.get(slug, True):
                    conversation = make_conversation(run, scenario, model, turns=())
                    make_judgment(conversation, present=_present(slug, at))
    taxonomy = Taxonomy.objects.get(slug="impactbench-2026")
    for order in range(16):
        polarity = "positive" if order % 2 else "negative"
        row = LabelRow.objects.create(
            taxonomy=taxonomy, slug=f"row-{order}", polarity=polarity, title=f"{LONG} {order}", order=order
        )
        row.metrics.set(Metric.objects.filter(versions__polarity=polarity))
    make_release(run=run, allow_mixed=True)


def test_label_prints_on_one_page_of_both_papers_in_every_state(visit: Visit) -> None:
    publish()

    pages = {}
    for slug in STATES:
        visit.open(f"/labels/{slug}/?print=1")
        for paper in ("A4", "Letter"):
            pages[slug, paper] = len(re.findall(rb"/Type\s*/Page[^s]", visit.page.pdf(format=paper)))

    assert set(pages.values()) == {1}, pages
    assert visit.page.locator(".label-rows tbody tr").count() == 16


def test_printed_label_has_its_code_its_date_and_its_address_and_no_navigation(visit: Visit) -> None:
    publish()
    visit.page.emulate_media(media="print")

    visit.open("/labels/whole/")

    shown = {
        name: visit.page.locator(name).first.is_visible()
        for name in (".label-qr", ".label-url", ".label-serve", ".label-limits", ".mast nav", ".label-side", ".foot")
    }
    assert shown == {
        ".label-qr": True, ".label-url": True, ".label-serve": True, ".label-limits": True,
        ".mast nav": False, ".label-side": False, ".foot": False,
    }  # fmt: skip
