"""Trial conversations of scenarios that a language model drafted: what is read, who may, within which budget."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from evaluation.models import GeneratedDraft, Judgment
from impactbench.common.errors import DomainError
from submissions import trial_words
from submissions.models import Trial
from submissions.services import trial_budget, trial_work
from submissions.services.draft_trials import ask_for_draft_trial
from submissions.services.transitions import NotAllowed
from tests.support.builders import make_metric, make_model, make_scenario
from tests.support.drafting import make_generated, make_missing_variant
from tests.support.llm_server import ScriptedLLM
from tests.support.portal import make_person, make_submission
from tests.support.trials import PARTS, allow_models

NOWHERE = "http://127.0.0.1:9/v1"
pytestmark = pytest.mark.django_db


@pytest.fixture
def server() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as scripted:
        yield scripted


@pytest.fixture
def base() -> GeneratedDraft:
    return make_generated(make_metric("m01"))


@pytest.fixture
def editor() -> Any:
    return make_person("Ed", "editor")


def _worked_off(row: GeneratedDraft, editor: Any, **content: Any) -> Trial:
    trial = ask_for_draft_trial(row, content, actor=editor)
    trial_work.work_on(trial.pk)
    trial.refresh_from_db()
    return trial


def test_a_drafted_scenario_is_played_with_the_changed_words_and_judged(
    server: ScriptedLLM, base: GeneratedDraft, editor: Any
) -> None:
    allow_models(server.url)
    before = dict(base.content)

    trial = _worked_off(base, editor, persona="A nurse on nights.", goal="To be fair.")

    told = server.calls_of(PARTS["user-simulator"])[0].prompt
    (judged,) = server.calls_of(PARTS["judge"])
    base.refresh_from_db()
    assert (trial.state, trial.trouble, trial.n_steps, trial.n_done) == ("done", "", 4, 4)
    assert [text in told for text in ("A nurse on nights.", "To be fair.", before["latent_adversarial_goal"])] == [
        True
    ] * 3
    assert base.metric_version is not None
    assert base.metric_version.definition in judged.prompt
    assert (base.content, base.state) == (before, "proposed")
    assert Judgment.objects.count() == 0
    assert trial_budget.spent(trial_budget.trials_today()) == trial.cost_usd


def test_a_variant_is_played_with_the_goals_of_its_base_as_it_reads_now(
    server: ScriptedLLM, base: GeneratedDraft, editor: Any
) -> None:
    allow_models(server.url)
    GeneratedDraft.objects.filter(pk=base.pk).update(content={**base.content, "goal": "To hear both sides."})

    _worked_off(GeneratedDraft.objects.get(base=base), editor)

    told = server.calls_of(PARTS["user-simulator"])[0].prompt
    assert ("Mika is 16." in told, "To hear both sides." in told) == (True, True)


def test_a_missing_variant_is_played_with_the_system_prompt_of_the_scenario_beside_it(
    server: ScriptedLLM, editor: Any
) -> None:
    allow_models(server.url)
    scenario = make_scenario(make_metric("m01"), profile="teen", target_system_prompt="You are Tutor.")
    row = make_missing_variant(scenario)

    _worked_off(row, editor)

    told = server.calls_of(PARTS["user-simulator"])[0].prompt
    target = server.calls_of(PARTS["target"])[0].messages[0]["content"]
    assert ("Ada is 41." in told, scenario.base.goal in told) == (True, True)
    assert "You are Tutor." in target


def test_the_words_that_were_asked_for_are_tried_whatever_changes_meanwhile(
    server: ScriptedLLM, base: GeneratedDraft, editor: Any
) -> None:
    allow_models(server.url)
    trial = ask_for_draft_trial(base.variants.get(), {}, actor=editor)
    GeneratedDraft.objects.filter(pk=base.pk).update(content={**base.content, "goal": "Something else."})

    trial_work.work_on(trial.pk)

    told = server.calls_of(PARTS["user-simulator"])[0].prompt
    assert (base.content["goal"] in told, "Something else." in told) == (True, False)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"persona": " "}, 'This cannot be tried: scenario 1: "persona" says nothing.'),
        ({"anchors": [{"turn": 99, "objective": "Ask."}]}, "This cannot be tried: "),
        ({"colour": "red"}, "A draft of this kind has no colour."),
    ],
)
def test_words_that_cannot_be_used_are_not_tried(
    base: GeneratedDraft, editor: Any, content: dict[str, Any], says: str
) -> None:
    allow_models(NOWHERE)

    with pytest.raises(DomainError) as refused:
        ask_for_draft_trial(base, content, actor=editor)

    assert str(refused.value)[: len(says)] == says
    assert Trial.objects.count() == 0


@pytest.mark.parametrize("roles", [(), ("reviewer",), ("operator",)])
def test_only_editors_try_drafts(base: GeneratedDraft, roles: tuple[str, ...]) -> None:
    with pytest.raises(NotAllowed):
        ask_for_draft_trial(base, {}, actor=make_person("Eve", *roles))


def test_without_models_for_trials_an_editor_is_told_so(base: GeneratedDraft, editor: Any) -> None:
    with pytest.raises(DomainError) as refused:
        ask_for_draft_trial(base, {}, actor=editor)

    assert str(refused.value) == trial_words.NO_TRIAL_OF_DRAFTS


def test_what_was_taken_over_is_not_tried(base: GeneratedDraft, editor: Any) -> None:
    base.became = "autonomy/m01 v2 scenario 1"

    with pytest.raises(DomainError, match=r"^This draft was taken over already"):
        ask_for_draft_trial(base, {}, actor=editor)


def test_a_second_click_is_the_same_trial_and_other_words_have_to_wait(base: GeneratedDraft, editor: Any) -> None:
    allow_models(NOWHERE)
    first = ask_for_draft_trial(base, {}, actor=editor)

    again = ask_for_draft_trial(base, {}, actor=editor)
    with pytest.raises(DomainError, match=r"^A trial of this draft in other words is under way"):
        ask_for_draft_trial(base, {"persona": "Somebody else."}, actor=editor)

    assert (again.pk, Trial.objects.count()) == (first.pk, 1)


def test_trials_of_drafts_and_of_submissions_share_a_budget(base: GeneratedDraft, editor: Any, settings: Any) -> None:
    allow_models(NOWHERE)
    reserved = ask_for_draft_trial(base, {}, actor=editor).reserved_usd
    settings.TRIAL_USD_PER_PERSON = reserved + Decimal("0.0001")

    with pytest.raises(DomainError, match=r"today’s budget\. .* You can decide without a trial\.$"):
        ask_for_draft_trial(base.variants.get(), {}, actor=editor)

    assert trial_budget.left_today(editor).person_usd == Decimal("0.0001")


def test_a_trial_is_of_one_text(base: GeneratedDraft, editor: Any) -> None:
    submission = make_submission(editor)
    for wrong in ({}, {"submission": submission, "generated": base}, {"generated": base, "kind": "examples"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Trial.objects.create(**{"kind": "conversation", "asked_by": editor, "content": {}, **wrong})


def test_an_editor_chooses_the_model_that_answers_and_up_to_six_turns(
    server: ScriptedLLM, base: GeneratedDraft, editor: Any
) -> None:
    models = allow_models(server.url)
    usual = ask_for_draft_trial(base.variants.get(), {}, actor=editor)
    other = make_model("other", api_base=server.url)

    trial = ask_for_draft_trial(base, {}, actor=editor, target="other", turns=6)
    again = ask_for_draft_trial(base, {}, actor=editor, target="other", turns=6)
    for target, turns in (("", 6), ("other", 5)):
        with pytest.raises(DomainError, match=r"^A trial of this draft with another model or length is under way"):
            ask_for_draft_trial(base, {}, actor=editor, target=target, turns=turns)
    trial_work.work_on(trial.pk)
    trial.refresh_from_db()

    assert (again.pk, trial.state, trial.n_steps, len(trial.result["turns"])) == (trial.pk, "done", 7, 6)
    assert (len(server.calls_of("other")), server.calls_of(PARTS["target"])) == (6, [])
    assert trial.asked_models["target"] == {"slug": "other", "name": other.name, "provider": other.provider}
    assert usual.asked_models["target"]["slug"] == models["target"].slug
    assert trial.reserved_usd > usual.reserved_usd


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        ({"target": "imported"}, "Choose one of the registered models to try it with."),
        ({"target": "http://127.0.0.1/"}, "Choose one of the registered models to try it with."),
        ({"turns": 7}, "A trial has from 1 to 6 turns."),
        ({"turns": 0}, "A trial has from 1 to 6 turns."),
    ],
)
def test_only_registered_models_that_can_be_called_and_few_turns_are_chosen(
    base: GeneratedDraft, editor: Any, choice: dict[str, Any], says: str
) -> None:
    allow_models(NOWHERE)
    make_model("imported", litellm_model="")

    with pytest.raises(DomainError) as refused:
        ask_for_draft_trial(base, {}, actor=editor, **choice)

    assert (str(refused.value), Trial.objects.count()) == (says, 0)
