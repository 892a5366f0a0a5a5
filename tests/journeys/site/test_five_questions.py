"""Five questions of a reader, each answered from a label within three clicks; the answers stand in the API."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.journeys.conftest import Visit
from tests.support import july_words

pytestmark = pytest.mark.browser

MODEL = july_words.MODELS[0]
NAMES = {model.slug: model.name for model in july_words.MODELS}
# One that is far from the first in what it does, and one that is near.
OTHERS = ["kelp-null", "birch-1-1"]
MOST_CLICKS = 3


class Reader:
    """Somebody at the label of the first model, whose clicks are counted."""

    def __init__(self, visit: Visit) -> None:
        self.visit, self.page, self.clicks = visit, visit.page, 0
        visit.open(f"/labels/{MODEL.slug}/")

    def click(self, what: Locator) -> None:
        self.clicks += 1
        what.click()
        self.page.wait_for_load_state()

    def asks_api(self, path: str) -> list[dict[str, Any]]:
        answer = self.page.request.get(f"{self.visit.site}/api/v1/{path}")
        assert answer.status == 200, path
        return list(answer.json()["results"])


@pytest.fixture
def reader(july: Visit) -> Reader:
    return Reader(july)


@pytest.mark.parametrize("other", OTHERS)
def test_which_did_better_for_teens_on_learning_and_can_the_two_be_told_apart(reader: Reader, other: str) -> None:
    page = reader.page
    reader.click(page.get_by_role("navigation", name="Who was asking").get_by_role("link", name="Teens"))
    reader.click(page.get_by_role("link", name="Compare with others"))
    reader.click(page.locator("main").get_by_role("link", name=NAMES[other], exact=True))

    row = page.get_by_role("region", name="Comparison by row").get_by_role("row", name=re.compile("Helps people learn"))
    expect(row).to_be_visible()
    numbers = [" ".join(cell.split()) for cell in row.get_by_role("cell").all_inner_texts()]
    assert page.get_by_label("Who was asking").input_value() == "teen"
    assert [number.split()[0] for number in numbers[:2]] == [_number(reader, slug) for slug in (MODEL.slug, other)]
    assert numbers[2].startswith(_who_is_higher(reader, other))
    assert reader.clicks <= MOST_CLICKS


def test_the_two_pairs_answer_differently(reader: Reader) -> None:
    """Else the questions above would have been asked of one case only."""
    assert [_who_is_higher(reader, other) for other in OTHERS] == [
        "Alder 2 higher than Kelp Null",
        "Can’t tell apart",
    ]


def test_what_the_diamond_means(reader: Reader) -> None:
    page = reader.page
    reader.click(page.get_by_text("How to read this label"))

    expect(page.get_by_text("The diamond ◆ marks harmful things it kept clear of.")).to_be_visible()
    assert reader.clicks <= MOST_CLICKS


def test_what_the_worst_conversation_was(reader: Reader) -> None:
    """Of each row: by the published rule from the API's verdicts, with its judge's reason and its words."""
    page = reader.page
    reader.click(page.locator(".label-rows a", has_text="Leaves choices to people"))
    reader.click(page.locator("#worst-promote").get_by_role("link").first)

    assert f"/conversations/{_worst(reader, 'own-choices')}/" in page.url
    expect(page.get_by_role("region", name="Good outcome: no")).to_be_visible()
    assert page.locator(".turn").count() == 4
    assert reader.clicks <= MOST_CLICKS


def test_how_sure_the_numbers_are(reader: Reader) -> None:
    """The range and the count stand beside each number; one click away is what was checked and what was not."""
    page = reader.page
    label = page.locator(".label")
    for polarity, name in (("positive", "Promotes good"), ("negative", "Avoids harm")):
        line = label.locator(".head-line", has=page.get_by_role("heading", name=name))
        (result,) = reader.asks_api(f"results/?group=overall&model={MODEL.slug}&polarity={polarity}&profile=all")
        said = " ".join(line.inner_text().split())
        assert f"{_hundred(result['ci_low'])}–{_hundred(result['ci_high'])}" in said
        assert f"n {result['n_judged']:,}" in said
    sure = label.get_by_role("listitem").filter(has_text="How sure are we?")
    expect(sure).to_contain_text("How far people agree with the judge: not checked yet.")
    reader.click(page.get_by_text("How to read this label"))
    expect(page.get_by_text("The range beside a number says where it would usually land")).to_be_visible()

    reader.click(sure.get_by_role("link", name="What checks exist"))

    checks = page.locator("#checks")
    expect(checks).to_be_in_viewport()
    assert reader.clicks <= MOST_CLICKS


def _who_is_higher(reader: Reader, other: str) -> str:
    """The words for the pair on the row, from its frozen comparison."""
    query = f"kind=model&group=label-row&key=learning&polarity=positive&profile=teen&model={MODEL.slug}"
    (found,) = (pair for pair in reader.asks_api(f"comparisons/?{query}") if other in (pair["a"], pair["b"]))
    if not found["distinguishable_adjusted"]:
        return "Can’t tell apart"
    higher, lower = (found["a"], found["b"]) if found["difference"] > 0 else (found["b"], found["a"])
    return f"{NAMES[higher]} higher than {NAMES[lower]}"


def _number(reader: Reader, model: str) -> str:
    """'62' of 100, as a cell starts."""
    query = f"group=label-row&key=learning&polarity=positive&profile=teen&model={model}"
    (result,) = reader.asks_api(f"results/?{query}")
    return str(_hundred(result["pass_rate"]))


def _worst(reader: Reader, row: str) -> str:
    """The failed chat of the row's metric with the lowest rate: earliest first turn, then public id."""
    answer = reader.page.request.get(f"{reader.visit.site}/labels/{MODEL.slug}/{row}.json")
    lines = [line for line in answer.json()["rows"] if line["metric"] and line["profile"] == "all"]
    lowest = min(line["pass_rate"] for line in lines)
    failed = [
        (judgment["first_turn"] or 99, judgment["conversation"])
        for line in lines
        if line["pass_rate"] == lowest
        for judgment in reader.asks_api(f"judgments/?metric={line['metric']}&model={MODEL.slug}&passed=false")
    ]
    return str(min(failed)[1])


def _hundred(rate: float) -> int:
    return int(rate * 100 + 0.5)
