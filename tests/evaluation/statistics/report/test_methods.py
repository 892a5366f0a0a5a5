"""The paragraph on methods says what was run, and says what is unknown."""

from dataclasses import replace

from evaluation.statistics.report.methods import Made, methods_paragraph

KNOWN = Made(
    name="July", models=["Luna", "Terra"], n_benchmarks=2, n_positive=3, n_negative=1, n_planned=50, n_ended=48,
    n_judged=47, profiles=["Teenagers"], resamples=10_000, seed=7, simulator="Sonnet", judges=["Luna"],
    judge_repeats=3, turns=[6, 6], samples=1, scenarios=12, software="ImpactBench 1.0",
    unjudged=[("The judge answered with nothing.", 1)],
)  # fmt: skip


def test_everything_that_is_known_stands_in_it():
    text = methods_paragraph(KNOWN)

    assert text.startswith(
        "July: 2 models (Luna, Terra) on 4 metrics (3 positive, 1 negative) of 2 benchmarks, in 12 scenarios; "
        "simulated users: Teenagers. Users were simulated by Sonnet; conversations had at most 6 turns; 1 conversation "
        "per scenario and model. Each conversation was judged by Luna. Up to 3 judgments of one judge were taken; the "
        "majority counts, a tie is unjudged. Of 50 planned conversations 48 ended and 47 were judged. Unjudged ones "
        "leave the denominator (1: The judge answered with nothing). "
    )
    assert "with 10,000 resamples" in text
    assert "seed 7" in text
    assert text.endswith("Software: ImpactBench 1.0.")


def test_what_is_unknown_is_said_to_be():
    text = methods_paragraph(
        replace(KNOWN, simulator=None, judges=None, judge_repeats=None, turns=None, samples=None, scenarios=None,
                software=None, unjudged=[])
    )  # fmt: skip

    for sentence in (
        "Users were simulated by a model that is not published",
        "the limit of turns is unknown",
        "the number of conversations per scenario and model is unknown",
        "Which model judged is not published.",
        "The version of the software is unknown.",
    ):
        assert sentence in text


def test_mixed_runs_and_panels_are_named():
    text = methods_paragraph(replace(KNOWN, judges=["Luna", "Sol"], turns=[4, 6], mixed=["judge: a in x, b in y"]))

    assert "judged by Luna, Sol; the majority counts." in text
    assert "at most 4 to 6 turns, depending on the run" in text
    assert "The runs were not alike: judge: a in x, b in y." in text
