"""None of the fifteen defects of the first edition can occur here; docs/first-edition.md tells them in our words.

Each has its test in this file, by number; where others hold a part of it, the table there names them.
"""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from evaluation.models import Release, Result, Verdict
from labels import bands
from labels.charts import dots
from labels.differences import MINUS
from labels.wording import KINDS
from tests.support.builders import make_metric, make_release
from tests.support.commands import ROOT

pytestmark = pytest.mark.django_db

TABLE = ROOT / "docs/first-edition.md"
NUMBERS = range(1, 16)
TEMPLATES = [*(ROOT / "templates/labels").rglob("*"), *(ROOT / "templates/components").rglob("*")]
PUBLIC_SHEETS = ("base", "components", "pages", "compare", "explore", "evidence", "reading", "report")
PAGES = [
    "/", "/labels/", "/labels/luna/", "/labels/luna/?profile=teen", "/labels/terra/", "/labels/luna/agency-purpose/",
    "/compare/", "/compare/?m=luna,terra", "/explore/", "/explore/?view=grid", "/explore/?view=wheel",
    "/explore/psychological/", "/explore/psychological/agency-purpose/", "/concerns/", "/metrics/",
    "/metrics/autonomy/m01/", "/metrics/autonomy/m01/scenarios/1/", "/benchmarks/", "/benchmarks/autonomy/",
    "/models/luna/", "/methodology/", "/about/", "/glossary/", "/releases/", "/releases/2026-a/",
    "/releases/2026-a/report/", "/for/parents/", "/for/policymakers/", "/cite/", "/search/?q=autonomy",
]  # fmt: skip


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: Any) -> Iterator[Release]:
    """Made once: no test changes it, and what is published cannot be deleted, only rolled back.

    `sol` was tested on one of the two benchmarks only.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_release()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def pages(site: Release) -> dict[str, str]:
    return {address: html(Client(), address) for address in PAGES}


def html(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return unescape(response.content.decode())


def words(page: str) -> str:
    """What a page says in its main part, with spaces as one."""
    return re.sub(r"\s+", " ", re.sub(r"<(style|script)\b.*?</\1>|<[^>]+>", " ", page[page.index("<main") :]))


def colours() -> dict[str, str]:
    """The colours of the design by name, as whoever asks for nothing else sees them."""
    found = re.findall(r"--([\w-]+): (#[0-9a-f]{6});", css().partition("@media")[0])
    return dict(found)


def css() -> str:
    """All style sheets of public pages, without their comments."""
    texts = [(ROOT / f"static/css/{name}.css").read_text(encoding="utf-8") for name in PUBLIC_SHEETS]
    return re.sub(r"/\*.*?\*/", "", "\n".join(texts), flags=re.DOTALL)


# --- The fifteen


def test_defect_01_what_is_missing_is_no_zero_no_half_and_no_failure(client: Client, site: Release) -> None:
    place = "/explore/psychological/learning-skill-development"
    row = re.search(r"<tr[^>]*>(?:(?!</tr>).)*?/labels/sol/.*?</tr>", html(client, f"{place}/?view=table"), re.DOTALL)
    listed = html(client, "/metrics/?bench=learning")
    wheel = client.get("/explore.json?view=wheel&m=sol").json()["rows"]

    assert row is not None
    assert "data-rate" not in row[0]
    assert "–" in row[0]
    # Three models are in the release; two were tested here, and only those are counted.
    assert {n for _good, n in re.findall(r'<b class="num">(\d) of (\d)</b> models?, in most chats', listed)} == {"2"}
    assert [one["pass_rate"] for one in wheel if one["model"] and one["key"] == "learning-skill-development"] in (
        [],
        [None, None],
    )


def test_defect_02_every_panel_counts_outcomes_and_none_counts_yes(client: Client, site: Release) -> None:
    for verdict in Verdict.objects.filter(release=site, passed__isnull=False).select_related("metric_version"):
        assert verdict.passed == (verdict.present == (verdict.metric_version.polarity == "positive"))
    good = Counter(
        (one.metric_version.metric.slug, one.model.slug)
        for one in Verdict.objects.filter(release=site, passed=True).select_related("metric_version__metric", "model")
    )
    for result in Result.objects.filter(release=site, group="metric", profile="all", model__slug="luna"):
        assert result.n_passed == good[result.key, "luna"]
        page = words(html(client, f"/metrics/{result.key}/?m=luna"))
        assert f"Luna {result.n_passed} of {result.n_judged}" in re.sub(
            r"Luna, [^:]*: (?:Not a g|G)ood outcome ", "", page
        )


def test_defect_03_nothing_dead_is_left_and_there_is_one_scale(pages: dict[str, str]) -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in _sources()}
    together = "\n".join(sources.values())
    templates = [path.relative_to(ROOT / "templates").as_posix() for path in TEMPLATES if path.is_file()]
    styled = set(re.findall(r"\.(-?[A-Za-z_][\w-]*)", re.sub(r"\{[^{}]*\}", "{}", css())))

    assert [name for name in templates if f'"{name}"' not in together] == []
    said = set(re.findall(r"[\w-]+", together))
    # What a template or code fills in the end of.
    begun = set(re.findall(r'(?<=[\s"])([\w-]+)\{', together))
    assert sorted(name for name in styled - said if begun.isdisjoint(_starts(name))) == []
    assert [
        address for address, page in pages.items() if re.search(rf"[-–{MINUS}]1 (?:to|and|…) \+?1\b", words(page))
    ] == []
    assert (dots.SCALE[0], dots.SCALE[-1]) == (0, 100)


def _sources() -> Iterator[Path]:
    for package in ("labels", "submissions", "evaluation", "impactbench"):
        yield from (ROOT / package).rglob("*.py")
    yield from (path for path in (ROOT / "templates").rglob("*") if path.is_file())
    yield from (ROOT / "static/js").glob("*.js")


def _starts(name: str) -> list[str]:
    """Where a class may be cut so that its end is filled in: behind a hyphen, or behind its first letter."""
    return [name[: at + 1] for at, letter in enumerate(name) if letter == "-"] + [name[:1]]


def test_defect_04_counts_are_counted_and_agree_wherever_they_stand(
    client: Client, site: Release, pages: dict[str, str]
) -> None:
    facts = {
        name: int(n.replace(",", ""))
        for name, n in re.findall(r"<dt>([^<]+)</dt>\s*<dd>([\d,]+)</dd>", pages["/"])
    }  # fmt: skip
    api = client.get("/api/v1/releases/").json()["results"][0]

    assert facts == {
        "models": site.targets.count(),
        "metrics": Result.objects.filter(release=site, group="metric").values("key").distinct().count(),
        "benchmarks": 2,
        "judged conversations": site.n_judged,
    }
    assert [api[f"n_{name.partition(' ')[0]}"] for name in facts] == list(facts.values())
    assert f"{facts['metrics']} metrics showing" in words(pages["/metrics/"])
    # No template has a number of its own for what the data say.
    noun = r"(?:models|metrics|benchmarks|conversations|chats|scenarios)"
    texts = {path.name: _literal(path.read_text(encoding="utf-8")) for path in TEMPLATES if path.suffix == ".html"}
    # "In 100 chats" is the scale.
    found = {name: re.findall(rf"\b(?!100 )\d[\d,]*(?: \w+)? {noun}\b", text) for name, text in texts.items()}
    assert {name: numbers for name, numbers in found.items() if numbers} == {}


def _literal(template: str) -> str:
    """The words that stand in a template itself."""
    said = re.sub(r'\{% translate "(.*?)" %\}', r"\1", template)
    return re.sub(r"<[^>]+>|\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", " ", said)


def test_defect_05_legend_and_cells_are_one_colour_by_one_rule(pages: dict[str, str]) -> None:
    """A shade in a grid and the shade in its legend stand in the same rule, and every shade in use is in the legend."""
    rules = re.findall(r"([^{}]+)\{ background: var\(--(promote|avoid)-(\d)\); \}", css())

    assert sorted((kind, step) for _selector, kind, step in rules) == sorted(product(("avoid", "promote"), "12345"))
    for selector, kind, step in rules:
        assert {one.strip() for one in selector.split(",")} == {f".grid-{kind} .g{step}", f".gk-{kind}.g{step}"}
    for kind in ("promote", "avoid"):
        part = pages["/explore/?view=grid"].partition(f'id="g-{kind}"')[2].partition("</section>")[0]
        legend = set(re.findall(r'<li class="g(\d) ', part))
        assert set(re.findall(r'<td class="g(\d)', part)) <= legend == set("12345")


def test_defect_06_words_for_numbers_come_from_one_table(client: Client, pages: dict[str, str]) -> None:
    names = [str(name) for _floor, name in bands.BANDS]
    sources = {path for path in (ROOT / "labels").rglob("*.py") if path.name != "bands.py"} | {
        path for path in TEMPLATES if path.suffix == ".html"
    }
    said = [
        (cell["pass_rate"], cell["band"])
        for model in ("luna", "terra")
        for row in client.get(f"/labels/{model}.json").json()["rows"]
        for cell in row["cells"]
        if cell["band"]
    ]

    assert [path.name for path in sources if any(f'"{one}"' in path.read_text(encoding="utf-8") for one in names)] == []
    assert [rate for rate, band in said if band.partition(" (")[0] != bands.word(rate)] == []
    edges = [0.0, 0.194, 0.195, 0.394, 0.395, 0.594, 0.595, 0.794, 0.795, 1.0]
    assert [names.index(bands.word(rate)) for rate in edges] == [4, 4, 3, 3, 2, 2, 1, 1, 0, 0]


def test_defect_07_links_keep_who_was_asking_and_which_models(client: Client, site: Release) -> None:
    label = html(client, "/labels/luna/?profile=teen")
    down = [href for href in _links(label) if re.match(r"/labels/luna/[a-z]", href) and "/embed/" not in href]
    listed = [
        href for href in _links(html(client, "/explore/?m=luna,sol&profile=teen")) if href.startswith("/explore/")
    ]
    scenario = words(html(client, "/metrics/autonomy/m01/scenarios/2/?profile=teen&m=luna"))

    assert len(down) >= 4
    assert [href for href in down if "profile=teen" not in href] == []
    assert [href for href in listed if "m=luna,sol" not in href and "m=" in href] == []
    # The link of a teen scenario opens that scenario with what teens were told.
    assert "Scenario 2" in scenario
    assert ("Teens 13–17" in scenario, "Luna, Adults" in scenario) == (True, False)


def _links(page: str) -> list[str]:
    return re.findall(r'<a [^>]*?href="([^"]+)"', page[page.index("<main") : page.index("</main>")])


def test_defect_08_kind_comes_from_the_data_and_never_from_a_name(client: Client) -> None:
    for local_id, name, polarity in (
        ("m90", "Avoids simple answers", "positive"),
        ("m91", "Promotes dependence", "negative"),
    ):
        make_metric(local_id, name=name, polarity=polarity, is_published=True)
        page = html(client, f"/metrics/autonomy/{local_id}/")
        kicker = re.search(r'<p class="kicker kind (\w+)">.*?</svg>([^<]+)</p>', page, re.DOTALL)

        assert kicker is not None
        assert kicker.groups() == (KINDS[polarity].slug, str(KINDS[polarity].name))


def test_defect_09_every_colour_of_text_is_dark_enough_and_no_text_is_tiny() -> None:
    named = colours()
    white = named["paper"]

    for name in ("ink", "text", "text-2", "promote", "avoid"):
        assert contrast(named[name], white) >= 4.5, name
    assert contrast(named["text-2"], named["wash"]) >= 4.5
    assert contrast(named["field"], white) >= 3
    for kind, step in product(("promote", "avoid"), range(1, 6)):
        ground = named[f"{kind}-{step}"]
        assert contrast("#111111" if step <= 3 else white, ground) >= 4.5, (kind, step)
    sizes = [float(size) * 16 for size in re.findall(r"font(?:-size)?: (?:\d+ )?(\d*\.?\d+)rem", css())]
    scale = [float(size) * 16 for size in re.findall(r"--t-\d+: (?:clamp\()?(\d*\.?\d+)rem", css())]
    on_paper = [float(size) for size in re.findall(r"font-size: (\d+(?:\.\d+)?)pt", css())]
    assert min(*sizes, *scale) >= 12
    # Fourteen subareas beside each other on one sheet are smaller; the table of the same numbers is not.
    assert sorted(size for size in on_paper if size < 8) == [6.5]


def test_defect_10_the_two_kinds_differ_for_every_eye_and_by_shape() -> None:
    """As far apart, for whoever sees no red or no green, as the design measured; green and red would be 5 apart."""
    named = colours()
    seen = {eye: far_apart(named["promote"], named["avoid"], eye) for eye in EYES}

    assert {eye: distance >= 18 for eye, distance in seen.items()} == dict.fromkeys(EYES, True)
    assert far_apart("#22c55e", "#ef4444", "deuteranopia") < 15
    assert dots.DOTS["positive"] != dots.DOTS["negative"]
    assert KINDS["positive"].symbol != KINDS["negative"].symbol
    # The middle half of one is solid, of the other hatched.
    assert ".di.avoid .core, .di .avoid .core { fill: url(#hatch); }" in css()


def test_defect_11_charts_are_for_keys_too_and_motion_and_scrollbars_are_the_readers(pages: dict[str, str]) -> None:
    wheel = re.search(r'<svg[^>]*class="wheel".*?</svg>', pages["/explore/?view=wheel"], re.DOTALL)

    assert wheel is not None
    rings = re.findall(r"<a [^>]*>", wheel[0])
    assert len(rings) >= 3
    assert [ring for ring in rings if "href=" not in ring] == []
    assert "prefers-reduced-motion: reduce" in css()
    assert re.findall(r"scrollbar-width|::-webkit-scrollbar|scroll-behavior: smooth|@keyframes", css()) == []
    # What only a pointer would show: nothing is said in a title alone, and nothing waits for a pointer to appear.
    assert {
        address: found
        for address, page in pages.items()
        if (found := re.findall(r"<(?!link|iframe)\w+ [^>]*?\stitle=", page))
    } == {}
    assert re.findall(r":hover[^{,]*\{[^}]*(?:display: (?!none)|visibility: visible|opacity: 1)", css()) == []


def test_defect_12_pages_load_nothing_from_elsewhere_and_no_heavy_picture(pages: dict[str, str]) -> None:
    tags = r'<(?:script|img|iframe|source|embed|object)\b[^>]*?\b(?:src|data)="([^"]+)"'
    links = r'<link rel="(?:stylesheet|icon|preload|preconnect|dns-prefetch)"[^>]*?href="([^"]+)"'
    # What is offered to be copied onto somebody else's page loads nothing here.
    shown = [re.sub(r"<(textarea|code)\b.*?</\1>", "", page, flags=re.DOTALL) for page in pages.values()]
    loaded = {one for page in shown for one in re.findall(tags, page) + re.findall(links, page)}

    assert [one for one in loaded if not one.startswith(("/static/", "data:image/svg"))] == []
    assert re.findall(r"url\((?!#|\"data:)[^)]*\)|@import|@font-face", css()) == []
    assert [
        path.name for path in (ROOT / "static").rglob("*") if path.suffix in (".png", ".jpg", ".webp", ".woff2")
    ] == []


def test_defect_13_no_page_claims_that_judges_agree_or_that_an_order_stands(pages: dict[str, str]) -> None:
    claims = r"(?:rank\w*|order)(?: \w+){0,3} (?:do(?:es)? not change|stays? the same|is robust|holds)"
    said = {address: re.findall(claims, words(page), re.IGNORECASE) for address, page in pages.items()}

    assert {address: found for address, found in said.items() if found} == {}
    assert "How far people agree with the judge: not checked yet." in words(pages["/labels/luna/"])
    assert "or of the judge, would change" in words(pages["/labels/luna/"])
    assert re.search(r"\brho\b|Spearman", words(pages["/methodology/"]) + words(pages["/about/"])) is None


def test_defect_14_every_page_has_a_title_of_its_own(pages: dict[str, str]) -> None:
    titles = Counter(page.partition("<title>")[2].partition("</title>")[0] for page in pages.values())

    assert {title: n for title, n in titles.items() if n > 1} == {}
    assert all(title.endswith("· ImpactBench") for title in titles)


def test_defect_15_public_pages_are_open_and_closed_ones_are_closed_by_the_server(
    client: Client, pages: dict[str, str]
) -> None:
    assert [address for address, page in pages.items() if 'type="password"' in page] == []
    for address in ("/submissions/", "/review/", "/review/imports/", "/runs/", "/accounts/profile/"):
        answer = client.get(address)
        assert (answer.status_code, answer.content) == (302, b""), address
        assert answer.headers["Location"].startswith("/accounts/login/")
    # No script of ours decides who may see something.
    scripts = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "static/js").glob("*.js"))
    assert re.findall(r"passcode|password", scripts, re.IGNORECASE) == []


# --- Colours


# What reaches whoever sees no red, no green or no blue: Machado and others 2009, at full strength, in linear light.
EYES = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip
_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_OKLAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def linear(colour: str) -> tuple[float, ...]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2."""
    lights = sorted(sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True)) for c in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def far_apart(one: str, other: str, eye: str) -> float:
    """The distance of two colours for an eye, in OKLab times 100."""
    a, b = (_oklab(_times(EYES[eye], linear(colour))) for colour in (one, other))
    return 100 * float(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5)


def _oklab(light: tuple[float, ...]) -> tuple[float, ...]:
    return _times(_OKLAB, tuple(max(part, 0.0) ** (1 / 3) for part in _times(_CONES, light)))


def _times(matrix: tuple[tuple[float, ...], ...], vector: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


# --- The table


def numbered() -> dict[int, set[str]]:
    """The tests of this file by the number that they bear."""
    found: dict[int, set[str]] = {}
    for name, number in re.findall(r"^def (test_defect_(\d\d)_\w+)", Path(__file__).read_text(encoding="utf-8"), re.M):
        found.setdefault(int(number), set()).add(name)
    return found


def rows() -> list[tuple[int, set[str]]]:
    """(number, names of tests) of each row of the table."""
    found = re.findall(r"^\| (\d+) \|.*\| ([^|]*) \|$", TABLE.read_text(encoding="utf-8"), re.M)
    return [(int(number), set(re.findall(r"test_\w+", tests))) for number, tests in found]


def test_every_defect_has_its_test_and_one_row_that_names_tests_that_exist() -> None:
    in_table = rows()
    exist = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.M)
    }

    assert sorted(numbered()) == list(NUMBERS)
    assert Counter(number for number, _names in in_table) == Counter(NUMBERS)
    assert {number: names - exist for number, names in in_table if names - exist} == {}
    assert [number for number, names in in_table if not numbered()[number] <= names] == []
