"""A conversation's page: outcome in words, evidence, gates, and nothing that is private or hostile."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from evaluation.models import Conversation, Release, Turn
from tests.support.builders import (
    make_conversation,
    make_judge,
    make_judgment,
    make_metric,
    make_model,
    make_release,
    make_run,
    make_scenario,
)
from tests.support.frozen import nothing_is_frozen

pytestmark = pytest.mark.django_db

BUDGET = 12
HOSTILE = "<script>x</script> [a](javascript:x) ![](http://evil.example/a.png) </template> {x} %s \u202eabc"


def publish(
    *,
    polarity: str | None = "positive",
    turns: Any = (("Should I?", "It is your decision."), ("Tell me.", "No, you decide.")),
    metric: dict[str, Any] | None = None,
    scenario: dict[str, Any] | None = None,
    target: dict[str, Any] | None = None,
    **judgment: Any,
) -> Conversation:
    """One published conversation (another, judged one beside it keeps the release publishable)."""
    version = make_metric(polarity=polarity, **(metric or {}))
    run = make_run("small", versions=[version], targets=[make_model("luna", **(target or {})), make_model("terra")])
    situation = make_scenario(version, **(scenario or {}))
    conversation = make_conversation(run, situation, make_model("luna"), turns=turns)
    make_judgment(conversation, **judgment)
    make_judgment(make_conversation(run, situation, make_model("terra"), turns=turns))
    make_release("small", run=run)
    return conversation


def html(client: Client, conversation: Conversation, query: str = "") -> str:
    response = client.get(f"/conversations/{conversation.public_id}/{query}")
    assert response.status_code == 200
    return response.content.decode()


def words(client: Client, conversation: Conversation, query: str = "") -> str:
    return " ".join(strip_tags(html(client, conversation, query)).split())


@pytest.mark.parametrize(
    ("polarity", "present", "title", "sentence"),
    [
        ("positive", True, "Good outcome: yes", "The behaviour was there."),
        ("positive", False, "Good outcome: no", "The behaviour was not there."),
        ("negative", True, "Good outcome: no", "The behaviour was there."),
        ("negative", False, "Good outcome: yes", "The behaviour was not there."),
        (None, True, "Behaviour present: yes", "Whether that is good is not stated by the source"),
        (None, False, "Behaviour present: no", "Whether that is good is not stated by the source"),
    ],
)
def test_conversation_outcome_follows_polarity(
    client: Client, polarity: str | None, present: bool, title: str, sentence: str
):
    metric = {"is_imported_result": True} if polarity is None else {}
    page = words(client, publish(polarity=polarity, metric=metric, present=present))

    assert f"{title} {sentence}" in page


def test_conversation_unjudged_says_why_and_counts_as_neither(client: Client):
    page = words(client, publish(present=None, reason="judge-filtered"))

    assert "No verdict The provider" in page
    assert "It counts neither as good nor as not good." in page
    assert "Good outcome: no" not in page.replace("Good outcome: No", "")


def test_conversation_unjudged_with_a_sources_own_word_quotes_it(client: Client):
    assert "Instead of yes or no, the source says “fail”." in words(client, publish(present=None, reason="fail"))


def test_conversation_evidence_is_marked_where_it_stands(client: Client):
    page = html(
        client,
        publish(
            evidence=[
                {"turn": 1, "quote": "your decision", "verified": True},
                {"turn": 2, "quote": "I never said this", "verified": False},
            ],
            first_turn=1,
            corrected_later=True,
        ),
    )

    assert "<p>It is <mark>your decision</mark>.</p>" in page
    assert 'It points to <a href="#turn-1">turn 1</a>.' in page
    assert 'First seen in <a href="#turn-1">turn 1</a>.' in page
    assert "It says the model put it right in a later turn." in page
    assert page.count("<b>First time it happened. The judge says it was put right in a later turn.</b>") == 1
    assert page.count("<b>Cited by the judge</b>") == 1
    assert "Passages the judge gave that are not in the turn it named" in page
    assert page.count("<mark>") == 1
    assert page.count("I never said this") == 1


def test_conversation_first_time_is_marked_without_a_quote(client: Client):
    page = html(client, publish(first_turn=2))

    assert page.index('id="turn-2"') < page.index("<b>First time it happened.</b>")
    assert page.count("<b>First time it happened.</b>") == 1


def test_conversation_absent_behaviour_has_no_first_time(client: Client):
    assert "First time it happened" not in html(client, publish(present=False, first_turn=2))


def test_conversation_several_judges_are_named_with_the_verdict_that_counts(client: Client):
    version = make_metric()
    target = make_model("luna")
    run = make_run("small", versions=[version], targets=[target])
    run.judges.add(make_judge("second", model=make_model("sol")))
    conversation = make_conversation(run, make_scenario(version), target)
    make_judgment(conversation, present=True, first_turn=1)
    make_judgment(conversation, repeat=2, present=False)
    make_judgment(conversation, judge=make_judge("second"), present=True, first_turn=1)
    make_release("small", run=run)

    page = words(client, conversation)

    assert "The verdict that counts is that of the majority: 2 of 3 judgments gave it." in page
    assert page.count("asked again judged. Behaviour present: no.") == 1
    assert page.count("Sol: First time it happened.") == 1


def test_conversation_turns_can_be_addressed(client: Client):
    page = html(client, publish())

    assert re.findall(r'<li class="turn" id="(turn-\d+)">', page) == ["turn-1", "turn-2"]


def test_conversation_private_planning_is_never_shown(client: Client):
    conversation = publish()
    Turn.objects.filter(conversation=conversation).update(
        plan="SECRET PLAN", unedited_message="SECRET DRAFT", anchors=[{"turn": 1, "objective": "SECRET ANCHOR"}]
    )

    assert "SECRET" not in html(client, conversation)


def test_conversation_hostile_text_is_inert(client: Client):
    conversation = publish(
        turns=((HOSTILE, HOSTILE),),
        metric={"name": HOSTILE, "definition": HOSTILE},
        scenario={
            "title": HOSTILE,
            "persona": HOSTILE,
            "target_system_prompt": HOSTILE,
            "attributes": {"gender": HOSTILE},
        },
        target={"name": HOSTILE, "system_prompt": HOSTILE},
        justification=HOSTILE,
        evidence=[{"turn": 1, "quote": HOSTILE, "verified": False}, {"turn": "x"}, "rubbish"],
    )

    page = html(client, conversation)

    assert "<script>x" not in page
    assert "<img" not in page
    assert "</template>" not in page
    assert 'href="javascript' not in page
    assert 'href="http://evil' not in page
    assert page.count("[U+202E]abc") >= 4


def test_conversation_names_that_reorder_or_hide_are_spelled_out(client: Client):
    name = "Lu\u202ena\u200b"
    page = html(client, publish(target={"name": name}, scenario={"title": name}, metric={"name": name}))

    assert re.findall(".{40}[\u202e\u200b]", page) == []
    assert page.count("Lu[U+202E]na[U+200B]") > 5


def test_conversation_of_a_hundred_kilobytes_shows_every_word(client: Client):
    long = "supercalifragilistic" * 5_000

    page = html(client, publish(turns=((long, long),), evidence=[{"turn": 1, "quote": long[:40], "verified": True}]))

    assert page.count("supercalifragilistic") == 10_000
    assert page.count("<mark>") == 1


def test_conversation_closed_page_has_no_word_of_it_in_its_head(client: Client):
    conversation = publish(metric={"content_notices": ["self-harm"]}, turns=(("THE WORDS", "THE REPLY"),))

    opened = html(client, conversation, "?show=1")

    assert "THE" not in opened.split("</head>")[0]
    assert '<meta name="robots" content="noindex">' in opened


def test_conversation_without_turns_says_so(client: Client):
    page = words(client, publish(turns=()))

    assert "This conversation has no turns." in page


def test_conversation_missing_side_of_a_turn_says_so(client: Client):
    assert "Missing in the source." in words(client, publish(turns=((None, "Hello."),)))


def test_conversation_hard_content_starts_closed(client: Client):
    conversation = publish(
        metric={"content_notices": ["self-harm"]}, turns=(("THE WORDS", "THE REPLY"),), justification="THE REASONS"
    )

    closed = client.get(f"/conversations/{conversation.public_id}/")
    opened = client.get(f"/conversations/{conversation.public_id}/?show=1")

    assert "THE WORDS" not in closed.content.decode()
    assert "THE REASONS" not in closed.content.decode()
    assert "self-harm" in closed.content.decode()
    assert 'href="?show=1"' in closed.content.decode()
    assert "Good outcome: yes" in closed.content.decode()
    assert "THE WORDS" in opened.content.decode()
    assert [response["X-Robots-Tag"] for response in (closed, opened)] == ["noindex", "noindex"]


def test_conversation_of_a_benchmark_with_hard_content_starts_closed(client: Client):
    conversation = publish()
    benchmark = conversation.scenario.base.metric_version.metric.benchmark
    benchmark.content_notices = ["violence"]
    benchmark.save()

    assert "It speaks about: violence." in words(client, conversation)


def test_conversation_outside_any_release_is_not_there(client: Client):
    version = make_metric()
    target = make_model("luna")
    conversation = make_conversation(
        make_run("running", versions=[version], targets=[target]), make_scenario(version), target
    )
    make_judgment(conversation)

    assert client.get(f"/conversations/{conversation.public_id}/").status_code == 404


def test_conversation_extra_sample_is_shown_as_not_judged(client: Client):
    version = make_metric()
    target = make_model("luna")
    run = make_run("small", versions=[version], targets=[target])
    scenario = make_scenario(version)
    make_judgment(make_conversation(run, scenario, target))
    extra = make_conversation(run, scenario, target, sample=2, state=Conversation.State.EXTRA, reason="")
    make_release("small", run=run)

    page = words(client, extra)

    assert "Second sample, not judged" in page
    assert "Should I quit my job?" in page


def test_conversation_of_a_retracted_release_carries_the_reason(client: Client):
    conversation = publish()
    Release.objects.filter(slug="small").update(status="retracted", retraction_reason="The judge was broken.")

    assert "The judge was broken." in words(client, conversation)


def test_conversation_links_stay_in_its_release(client: Client):
    conversation = publish()
    run = make_run("newer", versions=[make_metric("m02")], targets=[make_model("luna")])
    scenario = make_scenario(run.metric_versions.get())
    make_judgment(make_conversation(run, scenario, make_model("luna")))
    make_release("newer", run=run)

    page = html(client, conversation)

    assert "a newer release exists" in page
    assert re.findall(r'<p class="back"><a href="([^"]+)"', page) == ["/metrics/autonomy/m01/?release=small"]


def test_conversation_previous_and_next_within_the_metric(client: Client):
    conversation = publish()
    other = Conversation.objects.exclude(pk=conversation.pk).get()

    page = html(client, conversation)

    assert "Conversation 1 of 2" in page
    assert f'rel="next" href="/conversations/{other.public_id}/"' in page
    assert 'rel="prev"' not in page


def test_conversation_neighbours_stay_in_the_list_one_came_from(client: Client):
    conversation = publish()

    page = html(client, conversation, "?m=luna&profile=adult")

    assert 'rel="next"' not in page
    assert re.findall(r'<p class="back"><a href="([^"]+)">([^<]+)</a>', page) == [
        ("/metrics/autonomy/m01/?m=luna&amp;profile=adult", "Back to the metric: 1 model, Adults 18+")
    ]


def test_conversation_opened_on_its_scenario_leads_back_there(client: Client):
    page = html(client, publish(), "?from=scenario")

    assert re.findall(r'<p class="back"><a href="([^"]+)">([^<]+)</a>', page) == [
        ("/metrics/autonomy/m01/scenarios/1/", "Back to scenario 1: all models")
    ]
    assert re.findall(r'rel="next" href="[^"]+(\?[^"]*)"', page) == ["?from=scenario"]


def test_conversation_side_by_side_aligns_turns(client: Client):
    conversation = publish()
    other = Conversation.objects.exclude(pk=conversation.pk).get()
    with nothing_is_frozen():
        Turn.objects.filter(conversation=other, number=2).delete()

    page = html(client, conversation, f"?with={other.public_id}")

    assert re.findall(r'<li class="turn" id="(turn-\d+)">', page) == ["turn-1", "turn-2"]
    assert page.count('<p class="say-who"><bdi>Luna</bdi></p>') == 3
    assert "The chat with Terra had ended before this turn." in page


def test_conversation_beside_one_of_another_scenario_says_so(client: Client):
    conversation = publish()
    run = make_run("other", versions=[make_metric("m02")], targets=[make_model("luna")])
    other = make_conversation(run, make_scenario(run.metric_versions.get()), make_model("luna"))
    make_judgment(other)
    make_release("other", run=run)

    page = html(client, conversation, f"?with={other.public_id}")

    assert "The two conversations have different scenarios, so they are not shown side by side." in page
    assert "turns-pair" not in page


@pytest.mark.parametrize("name", ["nowhere", "%00", "a" * 3000, "<script>x"])
def test_conversation_beside_an_unknown_one_says_so(client: Client, name: str):
    page = html(client, publish(), f"?with={name}")

    assert ("There is no published conversation" in page) is (name != "%00")
    assert "<script>x" not in page


def test_conversation_hard_content_stays_closed_beside_another(client: Client):
    conversation = publish(metric={"content_notices": ["self-harm"]}, turns=(("THE WORDS", "THE REPLY"),))
    other = Conversation.objects.exclude(pk=conversation.pk).get()

    page = html(client, conversation, f"?with={other.public_id}")

    assert "THE WORDS" not in page
    assert f'href="?with={other.public_id}&amp;show=1"' in page
    assert html(client, conversation, f"?with={other.public_id}&show=1").count("THE WORDS") == 2
    assert 'href="https://findahelpline.com/" rel="nofollow noopener noreferrer external"' in page


def test_conversation_json_is_what_the_page_shows(client: Client):
    conversation = publish(evidence=[{"turn": 1, "quote": "your decision", "verified": True}], first_turn=1)
    Turn.objects.filter(conversation=conversation).update(plan="SECRET")

    response = client.get(f"/conversations/{conversation.public_id}.json")
    data = response.json()

    assert "SECRET" not in response.content.decode()
    assert data["turns"][0] == {"number": 1, "user": "Should I?", "target": "It is your decision."}
    assert data["verdict"] == {"present": True, "passed": True, "reason": None}
    assert [one["evidence"] for one in data["judgments"]] == [
        [{"turn": 1, "text": "your decision", "is_verified": True}]
    ]
    assert "X-Robots-Tag" not in response


def test_conversation_json_of_hard_content_is_kept_from_search(client: Client):
    conversation = publish(metric={"content_notices": ["self-harm"]})

    response = client.get(f"/conversations/{conversation.public_id}.json")

    assert response["X-Robots-Tag"] == "noindex"
    assert response.json()["content_notices"] == ["self-harm"]


def test_conversation_error_of_its_judgment_can_be_reported(client: Client):
    conversation = publish(metric={"is_published": True})
    address = f"/metrics/autonomy/m01/suggest/?conversation={conversation.public_id}"

    assert f'href="{address}"' in html(client, conversation)
    assert f"About the judgment of chat {conversation.public_id}:" in client.get(address).content.decode()


def test_conversation_query_count_does_not_grow_with_turns(client: Client):
    conversation = publish(turns=(("a", "b"),))
    longer = Conversation.objects.exclude(pk=conversation.pk).get()
    Turn.objects.bulk_create(
        Turn(conversation=longer, number=number, user_message="a", reply="b") for number in range(2, 30)
    )

    with CaptureQueriesContext(connection) as short:
        html(client, conversation)
    with CaptureQueriesContext(connection) as long:
        html(client, longer)

    assert len(long) == len(short) <= BUDGET


def test_conversation_side_by_side_within_budget(client: Client):
    conversation = publish()
    other = Conversation.objects.exclude(pk=conversation.pk).get()

    with CaptureQueriesContext(connection) as queries:
        html(client, conversation, f"?with={other.public_id}")

    assert len(queries) <= BUDGET


def test_conversation_settings_of_the_model_are_shown(client: Client):
    page = words(
        client, publish(target={"system_prompt": "Be a coach."}, scenario={"target_system_prompt": "Ask first."})
    )

    assert "What the model was told beforehand" in page
    assert "Be a coach." in page
    assert "Ask first." in page
