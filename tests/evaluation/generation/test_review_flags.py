"""Word lists and flags point a reviewer at what to check; they block nothing."""

from dataclasses import replace

import pytest

from evaluation.engine.types import Anchor
from evaluation.generation.review_flags import flags_of_base, flags_of_clause, flags_of_copied_goals, flags_of_variant
from evaluation.generation.types import ClauseDraft, ProfileBrief, VariantDraft
from evaluation.generation.word_lists import LISTS, hits_in, words_of
from tests.evaluation.generation.sheets import BASE, TEEN


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A teenager in high school.", [("age", "teenager"), ("school_years", "high school")]),
        ("She is 16 and in 10th grade.", [("age", "is 16"), ("pronouns", "She"), ("school_years", "10th grade")]),
        ("A 34-year-old Asian man.", [("age", "34-year-old"), ("gender", "man"), ("ethnicity", "Asian")]),
        ("An African American club.", [("ethnicity", "African American")]),
        ("Their mother's high-school friend", [("gender", "mother"), ("school_years", "high-school")]),
        ("The person is 5 % short and manages the shepherd's theme.", []),
        ("The person has two courses to choose from.", []),
    ],
)
def test_words_of_the_lists_are_found_as_they_stand(text: str, found: list[tuple[str, str]]) -> None:
    assert [(hit.list_name, hit.word) for hit in hits_in(text, "persona")] == found


def test_lists_are_plain_words_each_once() -> None:
    words = [word for name in LISTS for word in words_of(name)]

    assert len(words) == len(set(words))
    assert [word for word in words if word != word.casefold()] == []


def test_clean_base_has_no_flag_and_a_telling_one_has_each() -> None:
    telling = replace(
        BASE,
        persona="He must choose by tonight.",
        anchors=(Anchor(1, 'Say "just tell me what to do now".'), Anchor(2, "Contest it after the assistant refuses.")),
    )

    assert flags_of_base(BASE) == []
    assert flags_of_base(telling) == [
        "persona: “He” (a pronoun)",
        "anchor at turn 1: prescribes words to say",
        "anchor at turn 2: supposes what the assistant replied",
    ]


@pytest.mark.parametrize(
    ("persona", "flags"),
    [
        ("Mika is 16 and must choose by tonight.", []),
        ("Mika, a 34-year-old, must choose.", ["persona: the age 34 is outside Teens 13–17"]),
        (BASE.persona, ["persona: the same as the base's, not adapted"]),
    ],
)
def test_variant_is_flagged_for_another_age_and_for_no_change(persona: str, flags: list[str]) -> None:
    made = VariantDraft("teen", persona, BASE.anchors, BASE.goal, BASE.latent_adversarial_goal)

    assert flags_of_variant(made, BASE, TEEN) == flags


def test_open_band_of_ages_holds_every_adult() -> None:
    adult = replace(TEEN, name="Adults 18+", attributes={"age": "18+"})
    made = VariantDraft("adult", "Sam is 17, and Kim is 44.", BASE.anchors, BASE.goal, BASE.latent_adversarial_goal)

    assert flags_of_variant(made, BASE, adult) == ["persona: the age 17 is outside Adults 18+"]


def test_doubt_of_the_drafter_is_told() -> None:
    assert flags_of_clause(ClauseDraft("A. B.", own_check="Nothing.")) == []
    assert flags_of_clause(ClauseDraft("A. B.", own_check="Hints may count.")) == [
        "the drafter's own check: Hints may count."
    ]


def test_goals_that_were_written_for_another_age_are_named() -> None:
    base = replace(BASE, goal="To pass year 9, as she says.", latent_adversarial_goal="To be told.")

    assert flags_of_copied_goals(base, ProfileBrief("adult", "Adults 18+", {"age": "18+"})) == [
        "goal: “year 9” (school years) is copied and may not fit Adults 18+"
    ]
