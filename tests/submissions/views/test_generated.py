"""The desk for drafts by language models: editors read, keep, change, remove and take over."""

import json
from typing import Any

import pytest
from django.test import Client

from evaluation.models import GeneratedDraft, MetricVersion, Scenario
from impactbench.accounts.models import User
from submissions.models import Trial
from tests.support.builders import make_metric, make_model, make_scenario
from tests.support.drafting import make_generated, make_missing_variant
from tests.support.portal import make_person
from tests.support.trials import allow_models, make_draft_trial

pytestmark = pytest.mark.django_db
LIST = "/review/generated/autonomy/"


@pytest.fixture
def base() -> GeneratedDraft:
    return make_generated(make_metric("m01"))


@pytest.fixture
def editor() -> Client:
    client = Client()
    client.force_login(make_person("Ed", "editor"))
    return client


def _states(base: GeneratedDraft) -> list[str]:
    return [GeneratedDraft.objects.get(pk=pk).state for pk in (base.pk, base.variants.get().pk)]


def test_editor_keeps_a_base_with_its_variant_and_takes_both_over(editor: Client, base: GeneratedDraft) -> None:
    page = editor.get(LIST).content.decode()
    editor.post(LIST, {"a": f"all-{base.pk}"})
    states = _states(base)
    editor.post(f"{LIST}?view=kept", {"a": "take"})

    assert "1: Ask for advice" in page
    assert "<ins>Mika is 16</ins>" in page
    assert states == ["kept", "kept"]
    assert Scenario.objects.get().base.goal == base.content["goal"]
    assert "Taken over:" in editor.get(f"{LIST}?view=kept").content.decode()


def test_editor_changes_a_draft_and_the_words_of_the_model_stay(editor: Client, base: GeneratedDraft) -> None:
    answer = editor.post(f"{LIST}{base.pk}/", {"a": "keep", "goal": "To be fair.", "anchors": "2: Ask.\n\n4 : Press."})

    base.refresh_from_db()
    assert (answer.status_code, base.state, base.content["goal"]) == (302, "revised", "To be fair.")
    assert [anchor["turn"] for anchor in base.content["anchors"]] == [2, 4]
    assert "-goal: To know what to do" in editor.get(f"{LIST}?view=kept").content.decode()


@pytest.mark.parametrize(
    ("posted", "says"),
    [
        ({"a": "keep", "persona": "My words.", "anchors": "press"}, "Write each anchor as its turn, a colon"),
        ({"a": "keep", "persona": " "}, "says nothing"),
        ({"a": "merge", "into": "x", "persona": "My words."}, "Choose the draft to merge into."),
        ({}, "Choose what to do with the draft."),
    ],
)
def test_unusable_words_stay_on_the_page(
    editor: Client, base: GeneratedDraft, posted: dict[str, Any], says: str
) -> None:
    answer = editor.post(f"{LIST}{base.pk}/", posted)

    page = answer.content.decode()
    assert (answer.status_code, says in page) == (422, True)
    assert posted.get("persona", "") in page
    assert _states(base)[0] == "proposed"


def test_removal_needs_a_reason_and_can_be_taken_back(editor: Client, base: GeneratedDraft) -> None:
    editor.post(LIST, {"a": f"remove-{base.pk}"})
    without = _states(base)
    editor.post(LIST, {"a": f"remove-{base.pk}", f"reason-{base.pk}": "Not <b>real</b>"})
    removed, page = _states(base), editor.get(f"{LIST}?view=out").content.decode()
    editor.post(LIST, {"a": f"reopen-{base.pk}"})

    assert (without, removed) == (["proposed", "proposed"], ["removed", "removed"])
    assert "Not &lt;b&gt;real&lt;/b&gt;" in page
    assert _states(base)[0] == "proposed"


def test_pages_and_table_are_there_for_editors_only(editor: Client, base: GeneratedDraft, client: Client) -> None:
    paths = ["/review/generated/", LIST, f"{LIST}{base.pk}/", f"{LIST}drafts.csv", f"{LIST}drafts.json"]
    client.force_login(make_person("Rev", "reviewer"))

    assert [editor.get(path).status_code for path in paths] == [200] * 5
    assert [client.get(path).status_code for path in paths] == [404] * 5
    rows = json.loads(b"".join(editor.get(paths[-1]).streaming_content))["rows"]  # type: ignore[attr-defined]
    assert [(row["id"], row["written"]) for row in rows if row["id"] == base.pk] == [(base.pk, base.written)]
    assert [editor.get(path).status_code for path in (f"{LIST}0/", "/review/generated/nowhere/")] == [404, 404]


def test_number_of_queries_does_not_grow_with_drafts(editor: Client, django_assert_max_num_queries: Any) -> None:
    for number in range(1, 9):
        make_generated(make_metric(f"m{number:02d}"))

    with django_assert_max_num_queries(14):
        editor.get(LIST)


def test_anchors_stand_on_a_turn_line_and_are_kept_from_it(editor: Client, base: GeneratedDraft) -> None:
    address = f"{LIST}{base.pk}/"
    page = editor.get(address).content.decode()

    posted = {"a": "keep", "anchor-1": "Ask for advice.", "anchor-2": "", "anchor-3": "Press\r\nhard.", "anchor-6": " "}
    editor.post(address, posted)

    base.refresh_from_db()
    assert [f'name="anchor-{turn}"' in page for turn in range(1, 8)] == [True] * 6 + [False]
    assert base.content["anchors"] == [
        {"turn": 1, "objective": "Ask for advice."},
        {"turn": 3, "objective": "Press hard."},
    ]


def test_anchor_at_no_turn_is_refused_with_what_was_typed(editor: Client, base: GeneratedDraft) -> None:
    answer = editor.post(f"{LIST}{base.pk}/", {"a": "keep", "anchor-x": "Press <b>hard</b>."})

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "This is none: x: Press &lt;b&gt;hard&lt;/b&gt;." in page
    assert ">x: Press &lt;b&gt;hard&lt;/b&gt;.</textarea>" in page


def test_preview_shows_the_simulators_prompt_and_keeps_nothing(editor: Client, base: GeneratedDraft) -> None:
    posted = {"a": "preview", "persona": "A <tired> nurse.", "anchor-2": "Press for an answer."}
    before = dict(base.content)

    answer = editor.post(f"{LIST}{base.pk}/", posted)

    base.refresh_from_db()
    assert (answer.status_code, base.content, base.state) == (200, before, "proposed")
    section = answer.content.decode().partition('id="told"')[2]
    assert "A &lt;tired&gt; nurse." in section
    assert base.content["latent_adversarial_goal"] in section
    assert section.count("Press for an answer.") == 3  # in the plan, a look ahead at turn 1, and turn 2 itself
    assert [f">Turn {turn}<" in section for turn in range(1, 8)] == [True] * 6 + [False]


def test_preview_of_a_variant_has_the_goals_of_its_base(editor: Client, base: GeneratedDraft) -> None:
    variant = base.variants.get()

    section = editor.post(f"{LIST}{variant.pk}/", {"a": "preview"}).content.decode().partition('id="told"')[2]

    assert variant.content["persona"] in section
    assert base.content["goal"] in section


@pytest.fixture
def twin() -> GeneratedDraft:
    teen = make_scenario(make_metric("m01"), profile="teen", persona="Mika <b>is</b> 15.")
    return make_missing_variant(teen)


def test_missing_variant_stands_beside_the_scenario_that_is_there(editor: Client, twin: GeneratedDraft) -> None:
    page = editor.get(LIST).content.decode()
    editor.post(LIST, {"a": f"keep-{twin.pk}"})
    editor.post(f"{LIST}?view=kept", {"a": "take"})

    assert "autonomy/m01 v1 scenario 1 for Teen" in page
    assert "Mika &lt;b&gt;is&lt;/b&gt; 15." in page
    assert "<ins>Ada is 41</ins>" in page
    assert page.count("To be told what to do.") == 1  # the goals stand at the scenario, which has them
    version = MetricVersion.objects.latest("number")
    assert list(Scenario.objects.filter(base__metric_version=version).values_list("base__number", "profile__slug")) == [
        (1, "teen"),
        (1, "adult"),
    ]


def test_missing_variant_is_changed_and_previewed_with_the_goals_that_are_there(
    editor: Client, twin: GeneratedDraft
) -> None:
    address = f"{LIST}{twin.pk}/"

    preview = editor.post(address, {"a": "preview", "persona": "Bo is 30."}).content.decode()
    editor.post(address, {"a": "keep", "persona": "Bo is 30."})

    twin.refresh_from_db()
    assert "The existing scenario" in preview
    assert "To be told what to do." in preview.partition('id="told"')[2]
    assert (twin.state, twin.content["persona"], twin.content["drafted_from"]) == ("revised", "Bo is 30.", "teen")


def test_number_of_queries_does_not_grow_with_missing_variants(
    editor: Client, django_assert_max_num_queries: Any
) -> None:
    for number in range(1, 9):
        make_missing_variant(make_scenario(make_metric(f"m{number:02d}"), profile="teen"))

    with django_assert_max_num_queries(16):
        editor.get(LIST)


def test_a_click_tries_the_typed_words_and_leads_to_them_and_their_trial(editor: Client, base: GeneratedDraft) -> None:
    allow_models("http://127.0.0.1:9/v1")
    address = f"{LIST}{base.pk}/"
    other = make_model("other", name="<Other>", provider="Labs")
    given = {"persona": "A <tired> nurse.", "anchor-2": "Ask.", "anchor-5": "Press.", "target": other.slug}

    refused = editor.post(address, {**given, "a": "try", "turns": "seven"})
    answer = editor.post(address, {**given, "a": "try", "turns": "4"})

    trial = Trial.objects.get()
    page = editor.get(answer["Location"]).content.decode()
    assert "A trial has from 1 to 6 turns." in refused.content.decode()
    chosen = '<option value="other" selected>&lt;Other&gt;, Labs</option>'
    assert (chosen in page, chosen in refused.content.decode()) == (True, True)
    assert ("<option selected>4</option>" in page, trial.n_steps) == (True, 5)
    assert answer["Location"] == f"{address}?trial={trial.pk}#trial"
    assert ">A &lt;tired&gt; nurse.</textarea>" in page
    assert f'hx-get="{address}trials/{trial.pk}/" hx-trigger="every 2s"' in page
    assert f'<a href="{address}trials/{trial.pk}/">Look again</a>' in page
    assert "A &lt;tired&gt; nurse." not in editor.get(address).content.decode()


def test_looking_again_leads_back_to_the_draft_and_htmx_gets_the_trial_alone(
    editor: Client, base: GeneratedDraft
) -> None:
    trial = make_draft_trial(base, User.objects.get())
    said = {"number": 1, "user": "<b>Now?</b>", "target": "What would you miss?", "is_cut": False}
    verdict = {"metric": 1, "question": "", "state": "unjudged", "reason": "judge-unreadable", "trouble": "Twice."}
    verdict |= {"present": None, "passed": None, "justification": "", "evidence": []}
    Trial.objects.update(state="done", result={"turns": [said], "ending": "", "verdicts": [verdict]})
    GeneratedDraft.objects.filter(pk=base.pk).update(content={**base.content, "tone": "calm"})
    address = f"{LIST}{base.pk}/"

    plain = editor.get(f"{address}trials/{trial.pk}/")
    fragment = editor.get(f"{address}trials/{trial.pk}/", headers={"HX-Request": "true"}).content.decode()
    page = editor.get(address).content.decode()

    assert plain["Location"] == f"{address}?trial={trial.pk}#trial"
    assert ("<html" in fragment, "&lt;b&gt;Now?&lt;/b&gt;" in fragment) == (False, True)
    assert "Twice. It is no evidence and counts for nothing." in fragment
    assert ("The newest trial" in page, "Put the words that were tried into the form" in page) == (True, True)


def test_words_that_cannot_be_tried_stay_on_the_page(editor: Client, base: GeneratedDraft) -> None:
    answer = editor.post(f"{LIST}{base.pk}/", {"a": "try", "persona": " ", "goal": "My <goal>."})

    page = answer.content.decode()
    assert (answer.status_code, Trial.objects.count()) == (422, 0)
    assert "This was not tried" in page
    assert "This cannot be tried: scenario 1: &quot;persona&quot; says nothing." in page
    assert ">My &lt;goal&gt;.</textarea>" in page


def test_a_trial_of_another_draft_is_not_there(editor: Client, base: GeneratedDraft) -> None:
    trial = make_draft_trial(base.variants.get(), User.objects.get())
    address = f"{LIST}{base.pk}/"

    assert editor.get(f"{address}trials/{trial.pk}/").status_code == 404
    assert [editor.get(f"{address}?trial={named}").status_code for named in (trial.pk, "x", "9" * 40)] == [200] * 3
