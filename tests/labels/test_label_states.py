"""The label in every state that data can bring it into: each looks right and claims nothing that is not there."""

import re

import pytest
from django.test import Client

from evaluation.models import LabelRow, LanguageModel, Metric, Profile, Release, Taxonomy
from labels.wording import FURTHER_LIMITS, LIMITS
from tests.support.builders import (
    make_conversation,
    make_finished_run,
    make_judgment,
    make_metric,
    make_model,
    make_release,
    make_run,
    make_scenario,
)

pytestmark = pytest.mark.django_db


def html(client: Client, address: str = "/labels/luna/") -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def words(page: str) -> str:
    """The text of a page in one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def publish_extremes() -> Release:
    """One profile, three metrics of each kind: every good thing done, no harmful one kept clear of."""
    versions = [
        make_metric(f"m{number}", polarity="positive" if number < 4 else "negative") for number in range(1, 7)
    ]  # fmt: skip
    model = make_model("luna")
    run = make_run(versions=versions, targets=[model])
    for version in versions:
        for number in (1, 2, 3):
            make_judgment(make_conversation(run, make_scenario(version, number=number), model), present=True)
    return make_release(run=run)


def test_extremes_have_a_range_and_stand_at_the_ends_of_the_scale(client: Client) -> None:
    publish_extremes()

    page = html(client)

    heads = re.findall(r'<span class="vh">In 100 chats: </span>(\d+)</p>', page)
    notes = re.findall(r'<span class="num">(\d+–\d+ · n \d+)</span></p>', page)
    assert (heads, notes) == (["100", "0"], ["70–100 · n 9", "0–30 · n 9"])


def test_label_of_one_profile_has_its_name_once_and_compares_nobody(client: Client) -> None:
    publish_extremes()

    page = html(client)

    assert re.findall(r'<nav class="label-who".*?</nav>', page)[0].count("<a ") == 1
    assert (page.count("By age."), page.count("By group."), page.count("Everyone</a>")) == (0, 0, 0)


def test_groups_that_differ_by_something_else_than_age_are_called_groups(client: Client) -> None:
    make_release()
    Profile.objects.update(attributes={"gender": "any"})

    assert words(html(client)).count("By group. No row has enough chats") == 1


def test_model_without_any_result_shows_dashes_and_no_zero(client: Client) -> None:
    release = make_release()
    nova = make_model("nova")
    Release.targets.through.objects.create(release=release, languagemodel=nova)

    page = html(client, "/labels/nova/")

    assert re.findall(r'class="head-num head-count">(.*?)</p>', page) == ["–", "–"]
    assert page.count("<b>No number</b>") == 2
    assert "<span>nothing yet</span>" in page
    assert "No metric of good behaviour was tested in this release." in page


def test_model_of_another_release_is_not_found_but_says_where_its_label_is(client: Client) -> None:
    run = make_finished_run()
    make_release("2026-a", run=run)
    alone = make_run("other", versions=[], targets=[])
    version = make_metric("x1", subareas=["agency-purpose"])
    alone.metric_versions.set([version])
    alone.targets.set([make_model("nova")])
    make_judgment(make_conversation(alone, make_scenario(version), make_model("nova")))
    make_release("2026-b", run=alone)

    response = client.get("/labels/luna/")

    assert response.status_code == 404
    assert '<a class="go" href="/labels/luna/?release=2026-a">2026-a</a>' in response.content.decode()


def test_superseded_retracted_and_demonstration_labels_say_so_on_the_card(client: Client) -> None:
    run = make_finished_run()
    make_release("2026-a", run=run)
    make_release("2026-b", run=run)
    card = re.compile(r'<p class="label-demo">(.*?)</p>')

    assert card.findall(html(client, "/labels/luna/?release=2026-a")) == ["<b>A newer release exists:</b> 2026-b"]
    Release.objects.filter(slug="2026-a").update(status="retracted", retraction_reason="A judge was broken.")
    assert card.findall(html(client, "/labels/luna/?release=2026-a")) == ["<b>Retracted.</b> A judge was broken."]
    Release.objects.filter(slug="2026-b").update(is_demonstration=True)
    assert card.findall(html(client)) == ["<b>This is a demonstration by a tiny model and no finding.</b>"]


def test_more_than_sixteen_rows_are_counted_on_the_card_and_all_on_the_page(client: Client) -> None:
    run = make_finished_run()
    taxonomy = Taxonomy.objects.get(slug="impactbench-2026")
    for polarity, numbers in (("positive", (1, 2, 3)), ("negative", (4, 5, 6))):
        metrics = Metric.objects.filter(local_id__in=[f"m{number:02d}" for number in numbers])
        for order in range(10):
            title = f"Row number {order} with a title as long as one may well become {'x' * order}"
            row = LabelRow.objects.create(
                taxonomy=taxonomy, slug=f"row-{order}", polarity=polarity, title=title, order=order
            )
            row.metrics.set(metrics)
    make_release(run=run)

    page = html(client)

    card = page[page.index('<article class="label"') : page.index("</article>")]
    assert card.count('<tr><th scope="row">') == 16
    assert "4 more rows on the page of this label." in card
    assert page.count('<li id="row-') == 20


def test_band_words_never_stand_without_in_tests(client: Client) -> None:
    make_release()

    for address in ("/labels/", "/labels/luna/", "/labels/luna/agency-purpose/"):
        text = words(html(client, address))
        bare = re.findall(r"(?:Nearly always|About half|Sometimes|Rarely|Often)\b(?! in tests)", text)
        assert bare == [], address


def test_label_says_how_sure_we_are_and_that_people_have_not_checked(client: Client) -> None:
    make_release()

    assert words(html(client)).count(
        "How sure are we? Judged by an AI: Judge Model. Users played by an AI: Simulator Model. "
        "How far people agree with the judge: not checked yet. What checks exist"
    ) == 1  # fmt: skip


@pytest.mark.parametrize("address", ["/labels/", "/labels/luna/", "/labels/luna/agency-purpose/"])
def test_what_readers_must_not_conclude_stands_in_full_and_the_rest_one_click_away(
    client: Client, address: str
) -> None:
    make_release()

    page = html(client, address)

    details = re.findall(r'<details class="limits-more">(.*?)</details>', page, re.DOTALL)
    assert [sentence for sentence in LIMITS if sentence not in page] == []
    assert re.findall(r"<summary>(.*?)</summary>", details[0]) == ["What readers must not conclude"]
    found = [item.replace("&#x27;", "'") for item in re.findall(r"<li>(.*?)</li>", details[0])]
    assert found == list(FURTHER_LIMITS)


def test_print_opens_everything_that_is_folded(client: Client) -> None:
    make_release()

    page = html(client, "/labels/luna/?print=1")

    assert (page.count("<details"), len(re.findall(r"<details[^>]* open", page))) == (5, 5)


def test_long_names_are_shown_whole(client: Client) -> None:
    make_release()
    name = "Quite-a-long-name-of-a-model-that-somebody-really-gave-it-2026"
    LanguageModel.objects.filter(slug="luna").update(name=name, provider=name, version=name)

    page = html(client)

    assert f'<p class="label-model">{name}</p>' in page
    assert f"Made by {name}" in page
