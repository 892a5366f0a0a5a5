"""Tables of published studies, in the words of public pages."""

from evaluation.models import Study, StudyFinding
from labels.studied import _share
from labels.study_tables import study_tables


def test_answers_are_never_a_bare_pass_and_hidden_letters_are_shown() -> None:
    shares = {"pass": {"value": 0.5, "low": 0.25, "high": 0.75, "reason": ""}}
    rows = [{"question": "outcome", "by": by, "key": key, "n": 4, "shares": shares}
            for by, key in (("all", ""), ("metric", "m\u202e1"), ("metric", "m2"))]  # fmt: skip
    times = [{"rater": None, "n": 1, "median_seconds": 3.0, "sum_seconds": 3}]

    [table] = study_tables(Study(kind="expert-review"), {"choices": rows, "times": times})

    assert table.title == "Answers: Was the outcome good?"
    assert table.columns == ["Group", "Ratings", "Good outcome, of 100"]
    assert (table.rows, table.more[0][0]) == ([["All", "4", "50 (25 to 75)"]], "m[U+202E]1")


def test_the_trust_panel_tells_the_same_caution() -> None:
    finding = StudyFinding(study=Study(public_id="st", title="S"))
    found = {"value": 0.5, "n": 4, "low": 0.2, "high": 0.8, "reason": "rests on 4 items only: likely too narrow"}

    told = [_share(finding, {**found, "reason": reason}, "%(part)s chats", "") for reason in (found["reason"], "")]

    assert [one.detail for one in told] == [
        "Range 20 to 80 of 100; likely too narrow, as it rests on 4 items only.",
        "Range 20 to 80 of 100.",
    ]
