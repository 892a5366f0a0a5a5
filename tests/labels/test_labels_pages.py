"""The pages and files of labels: every address answers, says its limits, refuses politely and stays inert."""

import csv
import io
import json
import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.models import LanguageModel, Release
from labels.context import read_state
from labels.errors import PageNotFound
from labels.exports import label_table
from labels.label import label_document
from labels.tables import csv_text
from labels.views.errors import not_found
from labels.views.labels import label
from labels.weakest import weakest_spot_rule
from labels.wording import LIMITS, SHORT_LIMITS
from tests.support.builders import make_release

pytestmark = pytest.mark.django_db

PAGES = [
    "/labels/luna/",
    "/labels/luna/agency-purpose/",
    "/labels/luna/embed/",
    "/labels/",
    "/compare/?m=luna,terra",
    "/",
]


@pytest.fixture
def release() -> Release:
    return make_release()


def html(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_pages_carry_both_limits_and_nothing_inline(client: Client, release: Release) -> None:
    for address in PAGES:
        page = html(client, address)

        assert [sentence for sentence in LIMITS if sentence in page] == list(LIMITS), address
        assert re.findall(r"\sstyle=|\son\w+=|<style|javascript:", page) == [], address
        assert re.findall(r'<script(?![^>]*\ssrc=)(?! type="application/ld\+json">)', page) == [], address


def test_pages_have_one_h1_and_no_id_twice(client: Client, release: Release) -> None:
    for address in PAGES:
        page = html(client, address)

        ids = re.findall(r'\sid="([^"]+)"', page)
        assert page.count("<h1") == 1, address
        assert sorted(ids) == sorted(set(ids)), address


def test_hostile_model_name_is_escaped_everywhere(client: Client, release: Release) -> None:
    LanguageModel.objects.filter(slug="luna").update(name="<script>alert('x')</script>", provider='"><img src=x>')

    for address in PAGES:
        page = html(client, address)

        assert ("<script>alert" in page, "<img" in page) == (False, False), address


def test_label_card_says_who_was_tested_how_much_and_where(client: Client, release: Release) -> None:
    page = html(client, "/labels/luna/")

    assert "<span>48 chats, 12 metrics</span>" in page
    assert "Tested for the 2026-a release" in page
    assert "testserver/<wbr>labels/<wbr>luna/<wbr>?release=2026-a" in page
    assert "Judged by an AI: Judge Model. Users played by an AI: Simulator Model." in page


def test_label_of_a_partly_tested_model_says_so_in_words(client: Client, release: Release) -> None:
    page = html(client, "/labels/sol/")

    assert page.count("<b>Partial:</b> 3 of 6 metrics, not comparable with other models") == 2
    assert "<b>–</b><small>not tested</small>" in page


def test_label_addresses_follow_public_url(client: Client, release: Release, settings) -> None:
    settings.PUBLIC_URL = "https://impactbench.example/"

    page = html(client, "/labels/luna/")

    assert '<link rel="canonical" href="https://impactbench.example/labels/luna/">' in page
    assert "impactbench.example/<wbr>labels/<wbr>luna/<wbr>?release=2026-a" in page


@pytest.mark.parametrize("profile", ["teen", "adult"])
def test_label_of_one_profile_shows_its_column_only(client: Client, release: Release, profile: str) -> None:
    page = html(client, f"/labels/luna/?profile={profile}")

    names = re.findall(r'<th scope="col">((?:Teens|Adults)[^<]*)</th>', page)
    assert {name.split()[0].lower().rstrip("s") for name in names} == {profile}
    assert page.count("This label shows") == 1
    assert page.count("Shown side by side") == 0


def test_unknown_profile_is_ignored_with_a_notice(client: Client, release: Release) -> None:
    page = html(client, "/labels/luna/?profile=<b>martian")

    assert "“&lt;b&gt;martian” is not known here as profile, so it was ignored." in page


def test_unknown_things_are_not_found(client: Client, release: Release) -> None:
    addresses = [
        "/labels/nobody/",
        "/labels/nobody.svg",
        "/labels/luna/?release=none",
        "/labels/luna/no-such-row/",
        "/?release=none",
        "/labels/luna.json?release=none",
    ]

    assert {address: client.get(address).status_code for address in addresses} == dict.fromkeys(addresses, 404)


def test_unknown_release_lists_those_that_exist(rf, release: Release) -> None:
    request = rf.get("/labels/?release=2027")
    with pytest.raises(PageNotFound) as refused:
        read_state(request)

    page = not_found(request, refused.value).content.decode()
    assert "There is no release named “2027”." in page
    assert "<h2>These releases exist</h2>" in page
    assert '<a class="go" href="/labels/?release=2026-a">2026-a</a>' in page


@pytest.mark.parametrize("slug", ["lunar", "LUNA"])
def test_misspelt_model_is_answered_with_names_that_come_near(rf, release: Release, slug: str) -> None:
    request = rf.get(f"/labels/{slug}/")
    with pytest.raises(PageNotFound) as refused:
        label(request, slug)

    assert (refused.value.message, refused.value.links) == (
        f"There is no label of a model named “{slug}”.",
        [("Luna", "/labels/luna/")],
    )


def test_label_prints_the_whole_rule_of_the_weakest_spot(client: Client, release: Release) -> None:
    page = unescape(html(client, "/labels/luna/"))

    assert [words for words in weakest_spot_rule() if words not in page] == []


def test_newest_release_is_shown_and_an_older_one_says_so(client: Client, release: Release) -> None:
    newer = make_release("2026-b", run=release.runs.get())

    assert "Tested for the 2026-b release" in html(client, "/labels/luna/")
    assert f'a newer release exists. <a href="/labels/luna/?">See {newer.title}</a>' in html(
        client, "/labels/luna/?release=2026-a"
    )


def test_retracted_release_is_not_the_newest_and_says_why(client: Client, release: Release) -> None:
    make_release("2026-b", run=release.runs.get())
    Release.objects.filter(slug="2026-b").update(status="retracted", retraction_reason="A judge was broken.")

    assert "Tested for the 2026-a release" in html(client, "/labels/luna/")
    assert "2026-b was withdrawn: A judge was broken." in html(client, "/labels/luna/?release=2026-b")
    assert "Retracted: A judge was broken." in html(client, "/labels/luna/embed/?release=2026-b")


def test_embed_may_be_framed_and_has_no_script_and_no_cookie(client: Client, release: Release) -> None:
    response = client.get("/labels/luna/embed/")

    assert "X-Frame-Options" not in response.headers
    assert response["Content-Security-Policy"].endswith("frame-ancestors *")
    assert "<script" not in response.content.decode()
    assert not response.cookies


def test_other_pages_refuse_to_be_framed(client: Client, release: Release) -> None:
    response = client.get("/labels/luna/")

    assert response["X-Frame-Options"] == "DENY"
    assert response["Content-Security-Policy"].endswith("frame-ancestors 'none'")


def test_svg_and_png_are_what_they_say(client: Client, release: Release) -> None:
    svg, png = client.get("/labels/luna.svg"), client.get("/labels/luna.png")

    assert (svg["Content-Type"], png["Content-Type"]) == ("image/svg+xml; charset=utf-8", "image/png")
    assert [line for line in SHORT_LIMITS if line in svg.content.decode()] == list(SHORT_LIMITS)
    assert png.content[:4] == b"\x89PNG"


def test_json_is_the_document_of_the_label(client: Client, release: Release) -> None:
    document = json.loads(client.get("/labels/luna.json").content)

    assert document == label_document(release, LanguageModel.objects.get(slug="luna"))
    assert document["notes"][:2] == list(LIMITS)


def test_csv_has_a_line_a_number_with_limits_and_empty_for_missing(client: Client, release: Release) -> None:
    lines = list(csv.DictReader(io.StringIO(client.get("/labels/sol.csv").content.decode())))

    document = label_document(release, LanguageModel.objects.get(slug="sol"))
    assert len(lines) == len(document["headlines"]) + sum(len(row["cells"]) for row in document["rows"])
    assert {line["notes"].startswith(" ".join(LIMITS)) for line in lines} == {True}
    assert {line["pass_rate"] for line in lines if line["n_judged"] == "0"} == {""}


def test_csv_runs_no_formula(client: Client, release: Release) -> None:
    document = label_document(release, LanguageModel.objects.get(slug="luna"))
    document["rows"][0]["title"] = "=HYPERLINK(1)"

    titles = {line["title"] for line in csv.DictReader(csv_text(label_table("label", document)))}
    assert [title for title in titles if title.startswith(("=", "'="))] == ["'=HYPERLINK(1)"]


def test_gallery_filters_sorts_and_says_when_nothing_fits(client: Client, release: Release) -> None:
    LanguageModel.objects.filter(slug="terra").update(provider="Other Labs")

    def models(address: str) -> list[str]:
        return re.findall(r'id="s-([\w-]+)"', html(client, address))

    assert models("/labels/") == ["luna", "sol", "terra"]
    assert models("/labels/?provider=Other+Labs") == ["terra"]
    assert models("/labels/?sort=promote") == ["luna", "terra", "sol"]
    assert models("/labels/?sort=best") == ["luna", "sol", "terra"]
    assert "“best” is no order of labels" in html(client, "/labels/?sort=best")
    assert "No label fits these filters." in html(client, "/labels/?provider=Nobody")


def test_compare_shows_the_chosen_models_in_their_order(client: Client, release: Release) -> None:
    def models(query: str) -> list[str]:
        page = html(client, f"/compare/{query}")
        return re.findall(r'<th scope="col" role="columnheader"><a href="[^"]+">(\w+)</a>', page)

    assert models("") == []
    assert models("?m=luna") == []
    assert models("?m=luna,terra") == ["Luna", "Terra"]
    assert models("?m=terra&m=luna&m=&m=") == ["Terra", "Luna"]
    assert models("?m=luna,nobody,sol") == ["Luna", "Sol"]


def test_compare_says_which_model_it_left_out(client: Client, release: Release) -> None:
    assert "No model named “nobody” is in this release" in html(client, "/compare/?m=luna,nobody")


@pytest.mark.parametrize("address", ["/labels/", "/compare/", "/compare/?m=a,b"])
def test_pages_without_any_release_say_so_kindly(client: Client, address: str) -> None:
    page = html(client, address)

    assert ("No label yet" in page, "Nothing to compare yet" in page) == (
        address.startswith("/labels"), address.startswith("/compare"),
    )  # fmt: skip


def test_tables_without_any_release_are_empty_and_concerns_say_so(client: Client) -> None:
    assert "Nothing to weigh yet" in html(client, "/concerns/?weights=a:1")
    assert [client.get(address).json()["rows"] for address in ("/compare.json?m=a,b", "/concerns.json")] == [[], []]


def test_pages_ask_few_questions(client: Client, release: Release) -> None:
    counts = {}
    for address in ("/labels/luna/", "/labels/luna/embed/", "/labels/", "/labels/luna.svg"):
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        counts[address] = len(queries)

    assert {address: n for address, n in counts.items() if n > 8} == {}
