"""Pages as a reader's own settings show them: forced colours, more contrast, no motion, large text, grey paper."""

from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.conftest import Visit, visit_in_a_window
from tests.journeys.site import axe, geometry, pixels
from tests.journeys.site.conftest import NARROW
from tests.journeys.site.pages import AREA, FOUR, FULL, METRIC, SUBAREA, TWO, UNDER_HALF
from tests.support.july_shape import EXPLAINED, NOTABLE

pytestmark = pytest.mark.browser

LABEL, TRANSCRIPT = f"/labels/{FULL}/", f"/conversations/{EXPLAINED}/"
MODES: dict[str, dict[str, Any]] = {
    "print": {"media": "print"},
    "forced": {"forced_colors": "active"},
    "contrast": {"contrast": "more"},
}
# What each mode draws by rules of its own. On screen as it comes every page is looked at by test_every_page.
DRAWN = {
    "print": [LABEL, METRIC, TRANSCRIPT],
    "forced": [LABEL, f"/compare/?m={TWO}", f"{AREA}?view=grid", f"{AREA}?view=wheel"],
    "contrast": [LABEL],
}
ON_A_PHONE = [LABEL, "/compare/?m=" + FOUR, TRANSCRIPT]
# What carries evidence: each must be seen whatever colours a system paints in.
EVIDENCE = {
    LABEL: (".label .mark", ".label .bar-8", ".label svg.di", ".dots-rows svg.di", ".label-qr"),
    f"/labels/{UNDER_HALF}/care/?profile=teen": (".mark", "svg[data-rate], svg.metric-dots"),
    f"{AREA}?view=wheel": (".wheel",),
    f"{AREA}?view=grid": (".grid td",),
    METRIC: (".sq", ".sqs svg:has(use[href='#sq-no'])", ".status"),
    f"{SUBAREA}?view=dots": ("svg.di", ".strip"),
    TRANSCRIPT: (".cited",),
}
SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
DEFICIENCIES = ("protanopia", "deuteranopia", "tritanopia", "achromatopsia")
WITH_LARGE_TEXT = [
    "/", LABEL, f"/compare/?m={FOUR}", SUBAREA, f"{AREA}?view=wheel", METRIC, TRANSCRIPT, "/concerns/",
    f"/labels/{FULL}/embed/",
]  # fmt: skip
_LUMINANCE = """const light = text => text.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);"""
_WIDEST = """kind => [...document.querySelectorAll(`main :is(.di.${kind}, .di .${kind}) .core`)].reduce(
  (best, one) => one.getBoundingClientRect().width > best.getBoundingClientRect().width ? one : best)"""


@pytest.mark.parametrize(("mode", "address"), [(mode, one) for mode, some in DRAWN.items() for one in some])
def test_page_is_accessible_in_every_mode(reader: Visit, mode: str, address: str) -> None:
    reader.page.emulate_media(**MODES[mode])
    reader.open(address)
    reader.settle()
    axe.shorten(reader.page)

    assert axe.problems(reader.page, is_touched=mode != "print") == []


@pytest.mark.parametrize("address", ON_A_PHONE)
def test_page_is_accessible_on_the_narrowest_screen(reader: Visit, address: str) -> None:
    reader.page.set_viewport_size(NARROW)
    reader.open(address)
    axe.open_all(reader.page)
    axe.shorten(reader.page)

    assert axe.problems(reader.page) == []


@pytest.mark.parametrize("address", EVIDENCE)
def test_evidence_is_seen_in_forced_colours(reader: Visit, address: str) -> None:
    reader.open(address)
    seen = {}
    for scheme in SCHEMES:
        reader.page.emulate_media(forced_colors="active", color_scheme=scheme)
        for place in EVIDENCE[address]:
            seen[scheme, place] = pixels.contrast(pixels.shot(reader.page.locator(place).first))

    assert {place: contrast for place, contrast in seen.items() if contrast < 3} == {}


def test_focus_and_the_chosen_are_seen_in_forced_colours(reader: Visit) -> None:
    page = reader.page
    reader.open(SUBAREA)
    ring = f"""one => {{ {_LUMINANCE} const style = getComputedStyle(one);
      const ground = getComputedStyle(document.body).backgroundColor;
      return [parseFloat(style.outlineWidth), contrast(style.outlineColor, ground) >= 3]; }}"""
    link, chosen = page.get_by_role("link", name="Harbor 3").first, page.locator(".seg [aria-current]").first
    link.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")

    rings = {}
    for scheme in SCHEMES:
        page.emulate_media(forced_colors="active", color_scheme=scheme)
        # Which view is shown is told by more than a fill, which forced colours take away.
        rings[scheme] = (link.evaluate(ring), chosen.evaluate(ring))

    assert rings == {scheme: ([3, True], [2, True]) for scheme in SCHEMES}


def test_more_contrast_is_given_where_it_is_asked_for(reader: Visit) -> None:
    least = f"""() => {{ {_LUMINANCE} const white = 'rgb(255, 255, 255)';
      const quiet = [...document.querySelectorAll('main .quiet, main .avoid')].map(one => getComputedStyle(one).color);
      const lines = [...document.querySelectorAll('.dots > li')].map(one => getComputedStyle(one).borderBottomColor);
      const worst = colours => Math.min(...colours.map(colour => contrast(colour, white)));
      return [worst(quiet) >= 7, worst(lines) >= 3]; }}"""
    reader.open(LABEL)
    assert reader.page.evaluate(least) == [False, False]

    reader.page.emulate_media(contrast="more")
    assert reader.page.evaluate(least) == [True, True]


@pytest.mark.parametrize("address", [SUBAREA, "/metrics/"])
def test_nothing_moves_where_no_motion_is_wanted(reader: Visit, address: str) -> None:
    reader.page.emulate_media(reduced_motion="reduce")
    reader.open(address)
    axe.open_all(reader.page)
    reader.page.locator("main a").first.hover()

    assert reader.page.evaluate("() => document.getAnimations().length") == 0
    assert reader.page.evaluate("() => getComputedStyle(document.documentElement).scrollBehavior") == "auto"


@pytest.fixture(scope="module")
def _large_text(launch_browser: Callable[..., Browser]) -> Iterator[Browser]:
    browser = launch_browser(args=["--blink-settings=defaultFontSize=32,defaultFixedFontSize=26"])
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def large_text(_large_text: Browser, july_site: str) -> Iterator[Visit]:
    """A visit with letters of twice the size, which is all that is larger."""
    with visit_in_a_window(_large_text, july_site, 1280, 900) as visit:
        yield visit


@pytest.mark.parametrize("address", WITH_LARGE_TEXT)
def test_text_of_twice_the_size_fits(large_text: Visit, address: str) -> None:
    large_text.open(address)
    axe.open_all(large_text.page)

    page = large_text.page
    assert page.evaluate("() => getComputedStyle(document.documentElement).fontSize") == "32px"
    assert [*geometry.overflow(page), *geometry.unreadable(page)] == []


@pytest.fixture
def magnified(browser: Browser, july_site: str) -> Iterator[Visit]:
    """A visit that shows each pixel as four by four."""
    with visit_in_a_window(browser, july_site, 1280, 900, device_scale_factor=4) as visit:
        yield visit


def test_two_kinds_are_told_apart_by_every_eye_and_on_grey_paper(magnified: Visit) -> None:
    page = magnified.page
    magnified.open(LABEL)
    # As eyes see the marks: far enough apart in colour, and in grey at least in lightness beside their shapes.
    eyes = page.context.new_cdp_session(page)
    apart = {}
    for deficiency in ("none", *DEFICIENCIES):
        eyes.send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
        apart[deficiency] = pixels.distance(*(pixels.solid(_mark(page, kind)) for kind in ("promote", "avoid")))
    assert {eye: far for eye, far in apart.items() if far < 12} == {}

    # On paper without colour the one is solid and the other hatched.
    magnified.open(SUBAREA)
    page.emulate_media(media="print")
    changes = {kind: pixels.stripes(_widest(page, kind)) for kind in ("promote", "avoid")}
    # A mark with its white edge stands on each.
    assert changes["promote"] <= 4
    assert changes["avoid"] >= 10


def _mark(page: Page, kind: str) -> pixels.Pixels:
    return pixels.shot(page.locator(f".label .head-name .mark.{kind}"))


def _widest(page: Page, kind: str) -> pixels.Pixels:
    """The widest of the thick parts of lines of this kind."""
    bar = page.evaluate_handle(_WIDEST, kind).as_element()
    assert bar is not None
    bar.evaluate("one => { one.id = 'the-widest'; }")
    found = pixels.shot(page.locator("#the-widest"))
    bar.evaluate("one => { one.removeAttribute('id'); }")
    return found


def test_shapes_are_told_apart_by_more_than_colour(reader: Visit) -> None:
    reader.open(LABEL)

    symbols = [
        reader.page.locator(f".label .head-name .mark.{kind} use").get_attribute("href")
        for kind in ("promote", "avoid")
    ]
    assert symbols == ["#m-up", "#m-di"]
    expect(reader.page.locator(".label-key")).to_have_text("In 100 chats. More is better, for both.")


def test_longest_words_stay_inside_at_twice_the_size(large_text: Visit) -> None:
    large_text.open(f"/conversations/{NOTABLE['hostile']}/")

    assert geometry.overflow(large_text.page) == []
