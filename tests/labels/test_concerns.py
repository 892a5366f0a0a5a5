"""My concerns: weights in the address, two numbers a model, and who can be told apart under them."""

import csv
import io
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from evaluation.models import LanguageModel, Release, Result
from labels import queries
from labels.concerns import of_form, read_weights, weights_text
from labels.weighing import WeighedBlock, weigh
from tests.support.far_apart import far_apart

pytestmark = pytest.mark.django_db
AGENCY, COGNITION = "agency-purpose", "cognition-judgment"


@pytest.fixture(scope="module")
def release(django_db_setup: None, django_db_blocker: Any) -> Iterator[Release]:
    """Made once: no test changes it, and what is published cannot be deleted, only rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield far_apart()
        transaction.set_rollback(True)


def weighed(release: Release, weights: str, *, profile: str = "all") -> list[WeighedBlock]:
    tree, notices = queries.places(release), list[str]()
    models = list(LanguageModel.objects.filter(releases=release).order_by("slug"))
    return weigh(release, models, read_weights(weights, tree, notices), profile=profile)


def html(client: Client, query: str) -> str:
    response = client.get(f"/concerns/{query}")
    assert response.status_code == 200
    return unescape(response.content.decode())


def test_one_place_alone_gives_its_published_numbers(release: Release) -> None:
    for profile in ("all", "adult"):
        for block in weighed(release, f"{AGENCY}:2", profile=profile):
            for row in block.rows:
                published = Result.objects.get(
                    release=release, group="subarea", key=AGENCY, polarity=block.kind.polarity, profile=profile,
                    model=row.model,
                )  # fmt: skip
                if row.why:
                    assert (row.model.slug, row.pass_rate) == ("sol", None)
                elif published.ci_method == "wilson":
                    assert (row.pass_rate, row.ci_low) == (published.pass_rate, None)
                else:
                    expected = (published.pass_rate, published.ci_low, published.ci_high, published.n_judged)
                    assert (row.pass_rate, row.ci_low, row.ci_high, row.n_judged) == expected


def test_weights_mix_the_rates_of_places_and_count_each_chat_once(release: Release) -> None:
    block = weighed(release, f"{AGENCY}:3,{COGNITION}:1")[0]
    rates = {
        (result.key, result.model.slug): result.pass_rate
        for result in Result.objects.filter(
            release=release, group="subarea", polarity="positive", profile="all", model__isnull=False
        ).select_related("model")
        if result.model
    }

    for row in block.rows[:1] + block.rows[2:]:
        slug = row.model.slug
        mixed = (3 * (rates[AGENCY, slug] or 0) + (rates[COGNITION, slug] or 0)) / 4
        assert row.pass_rate == pytest.approx(mixed)
        # The metrics of cognition-judgment are agency-purpose's too.
        assert (row.n_judged, row.n_metrics) == (64, 8)


def test_models_that_lack_data_get_no_number_and_no_place(release: Release) -> None:
    tree = queries.places(release)
    name = next(part.name for area in tree for part in area.parts if part.slug == AGENCY)
    block = weighed(release, f"{AGENCY}:1")[0]

    assert [(row.model.slug, row.why, row.text, row.places, row.beside) for row in block.rows if row.why] == [
        ("sol", f"{name}: tested on part of the metrics", "–", "", None)
    ]


def test_words_say_who_can_be_told_apart(release: Release) -> None:
    block = weighed(release, f"{AGENCY}:1")[0]

    assert [(row.model.slug, row.beside.words) for row in block.rows if row.beside] == [
        ("luna", "Higher than 1, lower than 0, can’t tell from 1"),
        ("terra", "Higher than 0, lower than 2, can’t tell from 0"),
        ("vega", "Higher than 1, lower than 0, can’t tell from 1"),
    ]
    assert block.stability == (
        "2 pairs of models can be told apart. We then moved one weight by one step, in 1 way: the same model stayed "
        "higher in 2 of 2."
    )


def test_few_shared_metrics_tell_nobody_apart(release: Release) -> None:
    block = weighed(release, f"{COGNITION}:1")[0]

    assert {row.beside.words for row in block.rows if row.beside} == {"Higher than 0, lower than 0, can’t tell from 2"}
    assert block.stability == "No two models can be told apart under these weights."


@pytest.mark.parametrize(
    ("text", "used", "notices"),
    [
        ("", "", []),
        (f"{AGENCY}:0", "", []),
        (f"{AGENCY}:3,,", f"{AGENCY}:3", []),
        (f"{COGNITION}:1,{AGENCY}:2", f"{AGENCY}:2,{COGNITION}:1", []),
        (f"{AGENCY}:4", "", [f"“{AGENCY}:4” was ignored: a weight is a whole number from 0 to 3."]),
        (f"{AGENCY}:-1", "", [f"“{AGENCY}:-1” was ignored: a weight is a whole number from 0 to 3."]),
        (AGENCY, "", [f"“{AGENCY}” was ignored: a weight is a whole number from 0 to 3."]),
        ("soul:3", "", ["There is no area “soul” in this release, so it was ignored."]),
        (
            ",".join([*(f"x{n}:1" for n in range(300)), f"{AGENCY}:1"]), "",
            ["“x0:1”, “x1:1”, “x2:1” and 298 more were ignored: write an area of this release, a colon, and 0 to 3."],
        ),
        (
            f"psychological:2,{AGENCY}:1", f"{AGENCY}:1",
            ["Parts of Psychological were chosen, so the whole does not count beside them."],
        ),
    ],
)  # fmt: skip
def test_weights_are_read_or_ignored_with_a_notice(release: Release, text: str, used: str, notices: list[str]) -> None:
    said: list[str] = []
    concerns = read_weights(text, queries.places(release), said)

    assert (weights_text({one.place.slug: one.weight for one in concerns}), said) == (used, notices)


def test_form_without_script_leads_to_the_address_that_says_it_all(client: Client, release: Release) -> None:
    response = client.get(f"/concerns/?w-{AGENCY}=3&w-{COGNITION}=0&profile=adult&release=2026-a")

    assert (response.status_code, unescape(response.headers["Location"])) == (
        302, f"/concerns/?profile=adult&release=2026-a&weights={AGENCY}%3A3",
    )  # fmt: skip
    assert of_form({"profile": "adult"}) is None
    page = html(client, f"?weights={AGENCY}:3")
    chosen = re.findall(r'<option value="(\d)" selected>', page)
    assert sorted(chosen) == ["0"] * (len(chosen) - 1) + ["3"]


def test_page_shows_two_numbers_a_model_and_never_one(client: Client, release: Release) -> None:
    page = html(client, f"?weights={AGENCY}:3")

    assert re.findall(r'<h2 id="c-(\w+)"', page) == ["promote", "avoid"]
    main = page.partition("<main")[2].partition("</main>")[0]
    assert re.findall(r"\b(best|worst|winner|overall)\b", main) == []


def test_nothing_chosen_and_nothing_counting_say_what_to_do(client: Client, release: Release) -> None:
    nothing = "Nothing is chosen yet."
    assert nothing in html(client, "")
    zeros = html(client, f"?weights={AGENCY}:0")
    assert (nothing in zeros, "Nothing counts yet: give at least one area a weight above 0." in zeros) == (True, True)
    assert client.get("/concerns/?weights=%00:\x00,:::,1e9:3&m=x&profile=y").status_code == 200


def test_questions_do_not_grow_with_what_counts(
    client: Client, release: Release, django_assert_max_num_queries: Any
) -> None:
    for query in (f"?weights={AGENCY}:3", f"?weights={AGENCY}:3,{COGNITION}:1"):
        with django_assert_max_num_queries(15):
            client.get(f"/concerns/{query}")


def test_files_hold_the_same_numbers(client: Client, release: Release) -> None:
    text = client.get(f"/concerns.csv?weights={AGENCY}:3").content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    first = weighed(release, f"{AGENCY}:3")[0].rows[0]

    assert [row["model"] for row in rows] == ["luna", "sol", "terra", "vega"] * 2
    assert (rows[0]["weighted_rate"], rows[0]["n_judged"], rows[0]["weights"]) == (
        str(first.pass_rate), "64", f"{AGENCY}:3",
    )  # fmt: skip
    assert (rows[1]["weighted_rate"], rows[1]["missing"].endswith("tested on part of the metrics")) == ("", True)
    assert len(client.get(f"/concerns.json?weights={AGENCY}:3").json()["rows"]) == 8
