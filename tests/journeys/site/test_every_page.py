"""Every public page in every state that looks different: nobody is shut out of it, and it fits however it is shown."""

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, ViewportSize

from tests.journeys.conftest import Visit
from tests.journeys.site import axe, geometry, outline
from tests.journeys.site.conftest import NARROW, WIDE
from tests.journeys.site.pages import NOT_THERE, PAGES

pytestmark = pytest.mark.browser

# What 1280 by 1024 pixels are at 400 %.
MAGNIFIED: ViewportSize = {"width": 320, "height": 256}
BAD = """<!doctype html><html lang="en"><title>Bad</title><main><h3>Too deep</h3>
<p style="color: #aaa; background: white">Too pale to read</p><div style="width: 2000px">wide</div>
<div style="overflow: auto; width: 9rem; white-space: nowrap">a box that scrolls but has no name</div>
<p><a href="/1" style="font-size: 8px">one</a><br><a href="/2" style="font-size: 8px">two</a></p>
<p style="height: 1rem; overflow: hidden">cut<br>off</p><p style="margin-bottom: -2rem">below</p><p>above it</p>
<figure><svg class="di"></svg></figure><p title="hidden">shown</p>
<h1 style="position: sticky; top: 0; height: 200px">In the way</h1>
<p><svg class="mark" aria-hidden="true"></svg> row</p>
</main></html>"""


def _seen(page: Page) -> dict[str, list[str]]:
    """What is wrong with the page, by the way it is shown; looked at with everything on it opened."""
    axe.open_all(page)
    axe.shorten(page)
    found = {"tree": outline.untold(page), **_measured(page, "")}
    page.set_viewport_size(MAGNIFIED)
    share = geometry.covered(page)
    found["magnified"] = [f"{share:.0%} of the window stays covered"] if share > 0.4 else []
    geometry.space_text(page)
    found |= _measured(page, " with spaced text")
    geometry.unspace_text(page)
    page.set_viewport_size(WIDE)
    found["axe"] = axe.problems(page)
    return {how: problems for how, problems in found.items() if problems}


def _measured(page: Page, how: str) -> dict[str, list[str]]:
    found = {}
    for name, size in (("wide", WIDE), ("narrow", NARROW)):
        page.set_viewport_size(size)
        found[name + how] = [
            *geometry.overflow(page),
            *geometry.unreadable(page),
            *([] if how else geometry.small_targets(page)),
        ]
    return found


@pytest.mark.fuzz
@pytest.mark.parametrize("address", PAGES)
def test_page_is_told_and_shown_whole_to_everybody(reader: Visit, address: str) -> None:
    reader.open(address)
    reader.settle()

    assert _seen(reader.page) == {}


def test_every_page_has_a_title_of_its_own(reader: Visit) -> None:
    titles: dict[str, list[str]] = {}
    for address in PAGES:
        # The same page for other people or in another view says so only where its title has room.
        if "?" not in address:
            page = reader.page.request.get(reader.site + address).text()
            titles.setdefault(page.split("<title>")[1].split("</title>")[0], []).append(address)

    assert [addresses for addresses in titles.values() if len(addresses) > 1] == []


@pytest.mark.parametrize("address", NOT_THERE)
def test_page_that_is_not_there_is_as_good(reader: Visit, address: str) -> None:
    reader.expects_refusal(404)
    reader.open(address, status=404)

    assert _seen(reader.page) == {}


def test_page_of_a_fault_of_ours_is_as_good(reader: Visit) -> None:
    reader.page.goto(f"{reader.site}/about/")
    reader.page.set_content(render_to_string("500.html"))

    assert _seen(reader.page) == {}


def test_what_is_looked_for_is_found(reader: Visit) -> None:
    reader.page.goto("about:blank")
    reader.page.set_content(BAD)

    assert {how: len(problems) for how, problems in _seen(reader.page).items()} == {
        "tree": 6,
        "wide": 6,
        "narrow": 6,
        "magnified": 1,
        "wide with spaced text": 4,
        "narrow with spaced text": 4,
        "axe": 4,
    }
