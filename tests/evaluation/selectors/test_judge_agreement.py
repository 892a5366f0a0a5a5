"""How far several judges agree about a run."""

import pytest

from evaluation.selectors.judge_agreement import JudgeAgreement, agreement_of
from tests.support.builders import (
    make_conversation,
    make_judge,
    make_judgment,
    make_metric,
    make_model,
    make_run,
    make_scenario,
)

pytestmark = pytest.mark.django_db


def test_agreement_counts_pairs_and_splits_and_leaves_the_unjudged_out() -> None:
    version, target = make_metric(), make_model()
    run = make_run(versions=[version], targets=[target])
    scenario = make_scenario(version)
    verdicts = [(True, True), (True, False), (False, False), (True, None)]
    for sample, pair in enumerate(verdicts, start=1):
        talk = make_conversation(run, scenario, target, sample=sample)
        for name, present in zip(("first", "second"), pair, strict=True):
            make_judgment(talk, present=present, judge=make_judge(name))

    found = agreement_of(run)

    assert (found.n_conversations, found.n_split) == (3, 1)
    assert found.pairwise == found.unanimous == pytest.approx(2 / 3)
    assert found.krippendorff_alpha == pytest.approx(1 - (5 * 2) / (2 * 3 * 3))


def test_one_verdict_each_agrees_with_nothing() -> None:
    version, target = make_metric(), make_model()
    run = make_run(versions=[version], targets=[target])
    make_judgment(make_conversation(run, make_scenario(version), target), present=True)

    assert agreement_of(run) == JudgeAgreement(0, 0, None, None, None)
