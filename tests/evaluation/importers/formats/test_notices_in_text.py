"""Content notices proposed from the words of a benchmark."""

from evaluation.content_notices import VOCABULARY
from evaluation.importers.formats import notices_in_text
from evaluation.importers.formats.notices_in_text import notices_in


def test_trap_26_words_of_hard_subjects_propose_notices_in_the_vocabulary_s_order():
    assert notices_in(["He was bullied.", "Talks of Suicide and self-harm", "a bomb"]) == (
        "self-harm and suicide", "violence", "abuse",
    )  # fmt: skip


def test_harmless_words_propose_none():
    assert notices_in(["A bombastic essay on grapes, hatters and rapeseed.", ""]) == ()


def test_every_notice_that_can_be_proposed_is_one_that_editors_choose_from():
    assert [notice for notice, _words in notices_in_text._WORDS] == list(VOCABULARY)
