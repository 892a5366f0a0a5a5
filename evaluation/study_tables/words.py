"""What parts, columns and values of an analysis are called."""

import re
from typing import TypeAlias

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

Words: TypeAlias = str | Promise

# The parts of an analysis in their order, with their headings; parts of a question get its words besides.
PARTS: dict[str, Words] = {
    "judge": gettext_lazy("The judge beside the majority of the raters"),
    "repeatability": gettext_lazy("The judge asked again"),
    "scales": gettext_lazy("Marks"),
    "choices": gettext_lazy("Answers"),
    "agreement": gettext_lazy("How far they agree with each other"),
    "simulators": gettext_lazy("Simulated users"),
    "rates": gettext_lazy("What another judge would change"),
    "orders": gettext_lazy("The order of the models"),
    "conditions": gettext_lazy("Conditions"),
    "differences": gettext_lazy("Differences between conditions"),
    "changes": gettext_lazy("How often a verdict changes"),
    "times": gettext_lazy("Time taken"),
}
# In the order in which columns stand; the database keeps none.
COLUMNS: dict[str, Words] = {
    "rater": gettext_lazy("Rater"),
    "simulator": gettext_lazy("Simulated user"),
    "judge": gettext_lazy("Judge"),
    "measure": gettext_lazy("What was measured"),
    "condition": gettext_lazy("Condition"),
    "against": gettext_lazy("Beside"),
    "target": gettext_lazy("Model"),
    "kind": gettext_lazy("Who is compared"),
    "judge_a": gettext_lazy("First judge"),
    "judge_b": gettext_lazy("Second judge"),
    "coefficient_name": gettext_lazy("Coefficient"),
    "polarity": gettext_lazy("Kind"),
    "repeats": gettext_lazy("Times"),
    "n": gettext_lazy("Ratings"),
    "n_ratings": gettext_lazy("Ratings"),
    "n_raters": gettext_lazy("Raters"),
    "n_items": gettext_lazy("Items"),
    "n_metrics": gettext_lazy("Metrics"),
    "n_scenarios": gettext_lazy("Scenarios"),
    "n_conversations": gettext_lazy("Chats"),
    "n_complete": gettext_lazy("Chats with all readings"),
    "n_contexts": gettext_lazy("Scenarios with a model"),
    "n_targets": gettext_lazy("Models"),
    "n_pairs": gettext_lazy("Pairs"),
    "n_turned": gettext_lazy("Pairs turned round"),
    "n_without_majority": gettext_lazy("Without a majority"),
    "n_unjudged": gettext_lazy("Not judged"),
    "n_passed": gettext_lazy("Good outcome, say raters"),
    "n_failed": gettext_lazy("Bad outcome, say raters"),
    "mean": gettext_lazy("Mean"),
    "sd": gettext_lazy("Standard deviation"),
    "upper": gettext_lazy("Marks of 3 and 4, of 100"),
    "z": gettext_lazy("Mean, each rater’s severity taken out"),
    "pairwise": gettext_lazy("Pairs that agree, of 100"),
    "unanimity": gettext_lazy("All agree, of 100"),
    "alpha": gettext_lazy("Krippendorff’s alpha"),
    "agreement": gettext_lazy("Agreement, of 100"),
    "kappa": gettext_lazy("Kappa"),
    "coefficient": gettext_lazy("Agreement beyond chance"),
    "sensitivity": gettext_lazy("Good for the judge too, of 100"),
    "specificity": gettext_lazy("Bad for the judge too, of 100"),
    "changed": gettext_lazy("Verdicts not all alike, of 100"),
    "differ": gettext_lazy("Pairs that differ, of 100"),
    "value": gettext_lazy("Of 100"),
    "other": gettext_lazy("Beside it, of 100"),
    "difference": gettext_lazy("Difference, in points"),
    "spearman": gettext_lazy("How alike the orders are (Spearman)"),
    "median_seconds": gettext_lazy("Median"),
    "sum_seconds": gettext_lazy("In all"),
}
KINDS: dict[str | None, Words] = {
    None: gettext_lazy("Both kinds"),
    "positive": gettext_lazy("Good behaviour"),
    "negative": gettext_lazy("Harmful behaviour"),
}
# What the values of some columns are called; others stand as they are.
VALUES: dict[str, dict[str | None, Words]] = {
    "polarity": KINDS,
    "measure": {
        "coverage": gettext_lazy("Objectives that the user covered"),
        "inconsistency": gettext_lazy("Pairs of repeats that cover other objectives"),
        "failures": gettext_lazy("Bad outcomes"),
        "pass rate": gettext_lazy("Good outcomes"),
    },
    "kind": {
        "pair": gettext_lazy("Two judges"),
        "panel": gettext_lazy("All judges"),
        "judge-against-majority": gettext_lazy("One judge beside the others’ majority"),
    },
    "coefficient_name": {
        "cohen-kappa": gettext_lazy("Cohen’s kappa"),
        "krippendorff-alpha": gettext_lazy("Krippendorff’s alpha"),
    },
    "target": {None: gettext_lazy("All")},
    "judge": {None: gettext_lazy("All")},
    "rater": {None: gettext_lazy("All")},
}
# As `evaluation.studies.analysis` says them beside a number, or in its place.
_NARROW = re.compile(r"rests on (\d+) (metrics|scenarios|items) only: likely too narrow")
_RESTS_ON: dict[str, Words] = {
    "metrics": gettext_lazy("likely too narrow, as it rests on %(n)s metrics only"),
    "scenarios": gettext_lazy("likely too narrow, as it rests on %(n)s scenarios only"),
    "items": gettext_lazy("likely too narrow, as it rests on %(n)s items only"),
}
_NO_INTERVAL = "no interval: "
_REASONS: dict[str, Words] = {
    "no item was rated by two": gettext_lazy("no item was rated by two"),
    "all ratings are one category": gettext_lazy("all ratings are one category"),
    "every rater gave one mark throughout": gettext_lazy("every rater gave one mark throughout"),
    "no item, or all are alike": gettext_lazy("no item, or all are alike"),
    "nothing was audited or judged": gettext_lazy("nothing was audited or judged"),
    "nothing to compute it from": gettext_lazy("nothing to compute it from"),
    "no context has both": gettext_lazy("no scenario has both"),
    "fewer than 2 metrics": gettext_lazy("fewer than 2 metrics"),
    "fewer than 2 scenarios": gettext_lazy("fewer than 2 scenarios"),
    "fewer than 2 items": gettext_lazy("fewer than 2 items"),
    "the draws are alike, or too few have a value": gettext_lazy("the draws are alike, or too few have a value"),
}


def kind_words(polarity: str | None) -> str:
    """The kind of behaviour."""
    return str(KINDS.get(polarity, polarity))


def reason_words(reason: str) -> str:
    """What an analysis says beside or instead of a number: why it is missing, or how far its range is to be trusted.

    '' where there is nothing to say.
    """
    narrow = _NARROW.fullmatch(reason)
    if narrow:
        return str(_RESTS_ON[narrow[2]]) % {"n": narrow[1]}
    bare = reason.removeprefix(_NO_INTERVAL)
    return str(_REASONS.get(bare, bare))
