"""What assistive technology is given: the label, Explore and a transcript as trees, and what a change says."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Visit
from tests.journeys.site import axe
from tests.journeys.site.pages import FULL, METRIC, PARTIAL, SUBAREA
from tests.support.july_shape import EXPLAINED

pytestmark = pytest.mark.browser

LABEL = """
- article "AI Nutrition Label":
  - heading "AI Nutrition Label" [level=2]
  - paragraph: Alder 2
  - paragraph: Made by Grove Research
  - paragraph: Version alder-2-2026
  - paragraph: Tested for the July 2026 release
  - img "QR code with the address of this label"
  - paragraph: /Amount tested [\\d,]+ of [\\d,]+ chats, 360 metrics/
  - navigation "Who was asking":
    - paragraph: Who was asking
    - link "Everyone"
    - link "Teens 13–17"
    - link "Adults 18+"
  - paragraph: In 100 chats. More is better, for both.
  - heading "Promotes good" [level=3]
  - paragraph: "/In 100 chats: \\\\d+/"
  - paragraph: /in tests .*\\d+–\\d+ · n [\\d,]+/
  - paragraph: /Teens 13–17 \\d+ \\(\\d+–\\d+, n \\d+\\) Adults 18\\+ \\d+ \\(\\d+–\\d+, n \\d+\\)/
  - heading "Avoids harm" [level=3]
  - paragraph: "/In 100 chats: \\\\d+/"
  - paragraph: /in tests .*\\d+–\\d+ · n [\\d,]+/
  - paragraph: /Teens 13–17 \\d+ \\(\\d+–\\d+, n \\d+\\) Adults 18\\+ \\d+ \\(\\d+–\\d+, n \\d+\\)/
  - paragraph:
    - text: We do not add these two together.
    - link "Why?"
  - table "Good things it did":
    - caption
    - rowgroup:
      - row "What was tested Teens 13–17 Adults 18+"
    - rowgroup:
      - row /Leaves choices to people \\d+ metrics \\d+ \\d+–\\d+ · n \\d+ \\d+ \\d+–\\d+ · n \\d+/:
        - rowheader /Leaves choices to people \\d+ metrics/:
          - link /Leaves choices to people \\d+ metrics/
        - cell /\\d+ \\d+–\\d+ · n \\d+/
        - cell /\\d+ \\d+–\\d+ · n \\d+/
      - row /Helps people learn \\d+ metrics/
      - row /Keeps people company with people \\d+ metrics/
      - row /Gives ideas room \\d+ metrics/
      - row /Cares for body and mind \\d+ metrics/
  - table "Harmful things it kept clear of":
    - caption
    - rowgroup:
      - row "What was tested Teens 13–17 Adults 18+"
    - rowgroup:
      - row /Cares for body and mind \\d+ metrics/
      - row /Keeps clear of flattery \\d+ metrics/
      - row /Keeps clear of made-up facts \\d+ metrics/
      - row /Keeps clear of rushing \\d+ metrics/
"""
EXPLORE = """
- navigation "Breadcrumb"
- heading "Your choices" [level=1]
- navigation "Areas"
- group:
  - form "What to show":
    - combobox "Release"
    - combobox "Who was asking"
    - combobox "Kind"
    - group:
      - group "Models to show; none chosen shows all"
    - button "Show"
- status: "2 models shown: Everyone, both kinds, July 2026."
- list "Active filters":
  - listitem:
    - link "Alder 2 , remove"
  - listitem:
    - link "Harbor 3 , remove"
  - listitem:
    - link "Clear all"
- list "View":
  - listitem:
    - link "Dots"
- figure /Models by name/:
  - list "Order of models"
  - region "Promotes good":
    - heading "Promotes good" [level=2]
    - list:
      - listitem:
        - paragraph:
          - link "Alder 2"
        - paragraph: /\\d+ \\d+–\\d+ n \\d+/
      - listitem:
        - paragraph:
          - link "Harbor 3"
        - paragraph: /\\d+ \\d+–\\d+ n \\d+/
  - region "Avoids harm":
    - heading "Avoids harm" [level=2]
    - list
- group: /Show the same numbers as a table/
- note "Limits of these numbers"
- 'region "What’s inside: 36 metrics"':
  - list:
    - listitem:
      - paragraph:
        - text: "Promotes good:"
        - link
"""
TRANSCRIPT = """
- navigation "Breadcrumb"
- heading "An evening that is about a family custom" [level=1]
- paragraph: "Alder 2, simulated user: Teens 13–17. July 2026."
- 'region "Good outcome: yes"':
  - 'heading "Good outcome: yes" [level=2]'
  - paragraph: The behaviour was there. The good result here is that the model does this.
  - blockquote
- heading "The conversation" [level=2]
- list:
  - listitem:
    - heading "Turn 1" [level=3]:
      - link "Turn 1"
    - paragraph: Simulated user
    - paragraph: /I have to settle something/
    - paragraph: Alder 2
    - paragraph: /What matters most to you/
  - listitem:
    - heading "Turn 2" [level=3]
  - listitem:
    - heading "Turn 3" [level=3]
    - paragraph: Simulated user
    - paragraph: Just tell me what to do.
    - paragraph: Alder 2
    - paragraph:
      - mark: Then take the first option
    - paragraph: Cited by the judge
    - paragraph: First time it happened.
  - listitem:
    - heading "Turn 4" [level=3]
- complementary "Same scenario, other chats":
  - heading "Same scenario, other chats" [level=2]
  - list:
    - listitem:
      - 'link "Good outcome: Alder 2 Mini"'
"""
OUTLINES = {
    f"/labels/{FULL}/": [
        "1 Alder 2", "2 AI Nutrition Label", "3 Promotes good", "3 Avoids harm", "2 Use this label",
        "2 Good things it did", "2 Harmful things it kept clear of",
    ],
    METRIC: [
        "1 Asks what the person wants before a choice of school (m01)", "2 Results", "2 In exact words",
        "2 Why it matters", "2 Scenarios", "3 An evening that is about a quarrel at home",
        "3 An evening that is about a first draft", "3 An evening that is about an unpaid bill", "2 Version",
        "2 What people say about it", "2 How far to trust it", "3 Where it comes from",
    ],
    f"/compare/?m={FULL},{PARTIAL}": [
        "1 Compare 2 models", "2 Promotes good", "2 Avoids harm", "2 Row by row",
        "2 Same scenario, different outcome",
    ],
    "/releases/2026-07/": [
        "1 July 2026", "2 All models together", "3 What changed", "2 How it was made", "2 Check it yourself",
        "3 Download", "2 Models in it",
    ],
}  # fmt: skip
_LISTEN = """selector => {
  window.said = [];
  const place = document.querySelector(selector);
  new MutationObserver(() => window.said.push(place.textContent.trim().replace(/\\s+/g, ' ')))
    .observe(place, {childList: true, characterData: true, subtree: true});
}"""
_OUTLINE = """() => [...document.querySelectorAll('main :is(h1, h2, h3)')].filter(one => one.checkVisibility())
  .map(one => `${one.tagName[1]} ${one.textContent.trim().replace(/\\s+/g, ' ')}`)"""
_REPEATED = """() => { const all = [...document.querySelectorAll('[id]')].map(one => one.id);
  return all.filter((id, at) => all.indexOf(id) !== at); }"""


@pytest.mark.parametrize(
    ("address", "place", "tree"),
    [
        (f"/labels/{FULL}/", ".label", LABEL),
        (f"{SUBAREA}?m={FULL},{PARTIAL}", "main", EXPLORE),
        (f"/conversations/{EXPLAINED}/", "main", TRANSCRIPT),
    ],
    ids=["label", "explore", "transcript"],
)
def test_tree_reads_as_the_page_does(reader: Visit, address: str, place: str, tree: str) -> None:
    reader.open(address)

    expect(reader.page.locator(place)).to_match_aria_snapshot(tree)


@pytest.mark.parametrize(("address", "headings"), OUTLINES.items(), ids=["label", "metric", "compare", "release"])
def test_headings_are_the_contents_of_the_page(reader: Visit, address: str, headings: list[str]) -> None:
    reader.open(address)
    reader.settle()

    assert reader.page.evaluate(_OUTLINE) == headings


@pytest.mark.parametrize(
    ("address", "field", "value", "place", "said"),
    [
        (SUBAREA, "Kind", "avoid", "#explore-status", "16 models shown: Everyone, Avoids harm, July 2026."),
        ("/metrics/", "Area", "physical", "#found-said", "112 metrics found"),
    ],
    ids=["explore", "metrics"],
)
def test_change_is_said_once_and_leaves_the_page_as_good(
    reader: Visit, address: str, field: str, value: str, place: str, said: str
) -> None:
    page = reader.page
    reader.open(address)
    page.evaluate(_LISTEN, place)

    choice = page.get_by_label(field, exact=True)
    choice.focus()
    choice.select_option(value)
    expect(page.locator(place)).to_have_text(said)

    expect(choice).to_be_focused()
    assert page.evaluate("() => window.said") == [said]
    assert page.evaluate(_REPEATED) == []
    axe.shorten(page)
    assert axe.problems(page) == []


@pytest.mark.parametrize(
    ("address", "field", "value", "button"),
    [(SUBAREA, "Kind", "avoid", "Show"), ("/metrics/", "Area", "physical", "Apply")],
    ids=["explore", "metrics"],
)
def test_change_that_does_not_load_says_so_and_keeps_the_choice(
    reader: Visit, address: str, field: str, value: str, button: str
) -> None:
    page = reader.page
    reader.expects_refusal(503)
    reader.open(address)
    page.route("**/*", lambda route: route.fulfill(status=503))

    page.get_by_label(field, exact=True).select_option(value)
    trouble = page.locator(".error-live")
    expect(trouble).to_have_role("alert")
    expect(trouble).to_have_text(f"This did not load. Your choices are kept: press “{button}” to try again.")
    axe.shorten(page)
    assert axe.problems(page) == []

    page.unroute("**/*")
    page.get_by_role("button", name=button, exact=True).click()
    expect(page).to_have_url(re.compile(f"={value}$"))
    expect(page.get_by_label(field, exact=True)).to_have_value(value)
    expect(trouble).to_be_empty()
