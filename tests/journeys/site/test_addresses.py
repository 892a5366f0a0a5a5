"""An address is the whole state of a page: it can be shared, taken apart and put together again."""

import html
import re
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.journeys.site.asking import ask, words
from tests.journeys.site.pages import AREA, FULL, METRIC, SUBAREA
from tests.support import july_words
from tests.support.july_shape import NOTABLE, OLDER_SLUG, SLUG

pytestmark = pytest.mark.browser

MODELS = [model.slug for model in july_words.MODELS]
DEFAULTS = {"profile": "both", "p": "both", "sort": "name", "inside": "name", "view": "", "only": ""}
WHO, KIND = st.sampled_from(["both", "teen", "adult"]), st.sampled_from(["both", "promote", "avoid"])
RELEASE = st.sampled_from(["", SLUG, OLDER_SLUG])


def _some_models(fewest: int, most: int) -> st.SearchStrategy[str]:
    # The older release has the first eight.
    chosen = st.lists(st.sampled_from(MODELS[:8]), unique=True, min_size=fewest, max_size=most)
    return chosen.map(",".join)


def _state(*paths: str, **values: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, dict[str, str]]]:
    """A page and some of its parameters, in any order."""
    some = st.fixed_dictionaries({}, optional=values)
    shuffled = some.flatmap(lambda chosen: st.permutations(list(chosen.items()))).map(dict)
    return st.tuples(st.sampled_from(paths), shuffled)


STATES = st.one_of(
    _state(
        "/explore/", AREA, release=RELEASE, profile=WHO, p=KIND, m=_some_models(0, 5),
        view=st.sampled_from(["grid", "wheel", "table"]), sort=st.sampled_from(["name", "number", "judged"]),
    ),
    _state(SUBAREA, profile=WHO, p=KIND, m=_some_models(0, 5), inside=st.sampled_from(["name", "most"])),
    _state(
        "/metrics/", release=RELEASE, profile=WHO, p=KIND, area=st.sampled_from(["psychological", "social"]),
        status=st.just("machine-judged"), q=st.sampled_from(["choice", "the person", "100 % & more", "<b>"]),
        sort=st.sampled_from(["name", "benchmark", "fewest", "most"]),
    ),
    _state("/compare/", release=RELEASE, profile=WHO, view=st.sampled_from(["areas", "metrics", "profiles"]),
           only=st.just("diff"), m=_some_models(2, 4)).filter(lambda state: "m" in state[1]),
    _state("/labels/", release=RELEASE, profile=WHO, sort=st.sampled_from(["name", "promotes", "avoids"]),
           provider=st.sampled_from(["Grove Research", "Nobody"]), weights=st.sampled_from(["open", "closed"])),
    _state(f"/labels/{FULL}/", f"/labels/{FULL}/own-choices/", f"/labels/{FULL}/care/", release=RELEASE, profile=WHO),
    _state(METRIC, f"{METRIC}scenarios/1/", release=RELEASE, profile=WHO, m=_some_models(0, 3)),
)  # fmt: skip


def _query(state: dict[str, str]) -> str:
    return f"?{urlencode(state)}" if state else ""


def test_state_survives_address_page_and_shared_link(july_site: str) -> None:
    """Whoever opens the pinned link of a page sees the same words, and finds the same link there."""

    @settings(max_examples=20)
    @given(STATES)
    def check(state: tuple[str, dict[str, str]]) -> None:
        path, asked = state
        page = ask(july_site + path + _query(asked))
        assert page.status == 200
        shared = page.link("Link to this view")

        again = ask(shared)

        wanted = {name: value for name, value in asked.items() if value and value != DEFAULTS.get(name)}
        assert urlsplit(shared).path == path
        assert dict(parse_qsl(urlsplit(shared).query)) == {"release": SLUG, **wanted}
        assert _without_release(again.text) == _without_release(page.text)
        assert again.link("Link to this view") == shared

    check()


@pytest.mark.parametrize("path", ["/explore/", AREA, SUBAREA, "/metrics/"])
def test_part_that_a_filter_swaps_is_that_part_of_the_page(july_site: str, path: str) -> None:
    """Without a script, with one, and after the way back, a reader sees the same."""

    @settings(max_examples=8)
    @given(_state(path, profile=WHO, p=KIND, m=_some_models(0, 4), release=RELEASE))
    def check(state: tuple[str, dict[str, str]]) -> None:
        address = july_site + path + _query(state[1])
        page, part = ask(address), ask(address, HX_Request="true")

        assert _ids(part.source) - _ids(page.source) == set()
        assert [words(block) for block in _blocks(part.source) if words(block) not in page.text] == []
        assert "<html" not in part.source
        restored = ask(address, HX_Request="true", HX_History_Restore_Request="true")
        assert restored.source == page.source
        assert {answer.headers["Vary"].find("HX-Request") >= 0 for answer in (page, part, restored)} == {True}

    check()


def _without_release(text: str) -> str:
    """Where a label spells out its own address, also for other pages, the pinned one differs by what it pins."""
    return re.sub(r"(?:[?&]|&amp;)release=[\w-]+", "", text)


# What a screen reader says of a new list is on no page: `found-said`.
_PIECE = re.compile(r'<(?:div|nav|p)[^>]*\bid="(?:found|found-said|f-sub|explore-[a-z]+)"')


def _blocks(source: str) -> list[str]:
    """What a swap brings, piece by piece: each starts where an element says by its id where it goes."""
    starts = [
        found.start() for found in re.finditer(r'<(?:div|nav|p)[^>]*\bid="(?:found|f-sub|explore-[a-z]+)"', source)
    ]
    pieces = [source[a:b] for a, b in zip(starts, [*starts[1:], len(source)], strict=True)]
    assert pieces
    return [piece for piece in pieces if 'id="found-said"' not in piece]


def _ids(source: str) -> set[str]:
    return set(re.findall(r'\bid="([^"]*)"', source))


def test_pinned_link_shows_its_release_after_a_newer_one(july_site: str) -> None:
    """Numbers of then, a word that newer ones exist, the way there; and links on the page stay in the release."""
    pinned = ask(f"{july_site}/labels/{FULL}/?release={OLDER_SLUG}")
    newest = ask(f"{july_site}/labels/{FULL}/")

    for page, slug in ((pinned, OLDER_SLUG), (newest, SLUG)):
        said = ask(f"{july_site}/api/v1/labels/{FULL}/?release={slug}").source
        counts = re.findall(r'"n_judged":\s*(\d+)', said)[:1]
        assert [f"n {int(n):,}" in page.text for n in counts] == [True]
    assert "This is April 2026; a newer release exists. See July 2026" in pinned.text
    assert pinned.link("See July 2026").rstrip("?") == f"/labels/{FULL}/"
    assert "a newer release exists" not in newest.text
    inside = re.findall(rf'href="(/labels/{FULL}/[^"#]*)"', pinned.source)
    assert {link.rstrip("?") for link in inside if f"release={OLDER_SLUG}" not in link} == {f"/labels/{FULL}/"}


HOSTILE = st.sampled_from(
    [
        "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7|add:7 }}", "{x} %s %(name)s", "\x00",
        "' OR 1=1 --", "\u202e", "٣", "-1", "9" * 40, "1e999", "../../etc/passwd", ",,,", "null", "both,both",
        "é" * 99, "javascript:alert(1)", "//tracker.example/", f"{FULL},{FULL},nobody",
    ]
)  # fmt: skip
NAMES = [
    "release", "profile", "p", "m", "view", "sort", "inside", "only", "q", "area", "subarea", "bench", "status",
    "after", "before", "page", "from", "with", "show", "weights", "provider", "version", "print", "unknown", "bom",
]  # fmt: skip
ANSWERING = [
    "/", "/labels/", f"/labels/{FULL}/", f"/labels/{FULL}/own-choices/", f"/labels/{FULL}/embed/", "/labels.csv",
    f"/labels/{FULL}.svg", "/compare/", f"/compare/?m={FULL},birch-1-1", "/compare.json", "/concerns/", "/explore/",
    AREA, SUBAREA, "/explore.csv", "/explore.svg", "/metrics/", "/metrics.json", METRIC, f"{METRIC}scenarios/1/",
    f"/conversations/{NOTABLE['hostile']}/", f"/models/{FULL}/", "/releases/", "/search/", "/cite/", "/oembed/",
]  # fmt: skip


def test_hostile_parameters_are_ignored_and_stay_words(july_site: str) -> None:
    @given(st.sampled_from(ANSWERING), st.dictionaries(st.sampled_from(NAMES), HOSTILE, min_size=1, max_size=3))
    def check(path: str, query: dict[str, str]) -> None:
        joint = "&" if "?" in path else "?"
        answer = ask(f"{july_site}{path}{joint}{urlencode(query)}")

        assert answer.status in (200, 400 if path == "/oembed/" else 200, 404)
        if "html" in answer.headers["Content-Type"]:
            assert [value for value in query.values() if re.search(r"[<\"]", value) and value in answer.source] == []
            assert html.escape("//tracker.example/") not in re.findall(r'(?:href|src|action)="([^"]*)"', answer.source)

    check()


@pytest.mark.parametrize(
    ("address", "near"),
    [
        ("/labels/alder/", "Alder 2"),
        ("/models/comet-9/", "Comet 9B"),
        ("/metrics/borrowed-decision/m01/", "m01"),
        ("/explore/psychologic/", "Psychological"),
        (f"/labels/{FULL}/own-choice/", "Leaves choices to people"),
        ("/benchmarks/own-compas/", "Own compass"),
    ],
)
def test_unknown_name_is_not_found_and_near_ones_are_offered(july_site: str, address: str, near: str) -> None:
    answer = ask(july_site + quote(address))

    assert answer.status == 404
    assert near in answer.text
