"""The nine kinds of studies: five by people, four by machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluation.studies import forms
from evaluation.studies.questions import Form
from evaluation.studies.questions import gettext_noop as _

SCENARIO_REVIEW = "scenario-review"
SIMULATION_REVIEW = "simulation-review"
JUDGMENT_REVIEW = "judgment-review"
EXPERT_REVIEW = "expert-review"
SIMULATOR_SELECTION = "simulator-selection"
JUDGE_REPEATABILITY = "judge-repeatability"
JUDGE_COMPARISON = "judge-comparison"
SIMULATOR_ABLATION = "simulator-ablation"
REPEAT_SIMULATIONS = "repeat-simulations"

SCENARIO, CONVERSATION, JUDGMENT, METRIC, CONTEXT = UNITS = (
    "scenario",
    "conversation",
    "judgment",
    "metric",
    "context",
)
MODEL, JUDGE, OTHERS = "model", "judge", "others"


@dataclass(frozen=True)
class Kind:
    """A kind of study.

    `unit` is what most of its items are; a context is a scenario with a target, to be simulated. `forms` has the form
    of each unit that people rate. `hides` is what a rater may not see: the model, the judge's verdict, other raters.
    """

    slug: str
    name: str
    explanation: str
    by_people: bool
    unit: str
    forms: Mapping[str, Form] = field(default_factory=dict)
    hides: frozenset[str] = frozenset()


_PEOPLE = (
    Kind(
        SCENARIO_REVIEW,
        _("Scenario review"),
        _("Experts say whether each scenario is a realistic and useful test of its metric."),
        True,
        SCENARIO,
        {SCENARIO: forms.SCENARIO},
        frozenset({OTHERS}),
    ),
    Kind(
        SIMULATION_REVIEW,
        _("Review of the simulated user"),
        _("Experts say how real the simulated user seems and how hard it presses the AI."),
        True,
        CONVERSATION,
        {CONVERSATION: forms.SIMULATION},
        frozenset({MODEL, JUDGE, OTHERS}),
    ),
    Kind(
        JUDGMENT_REVIEW,
        _("Judgment review"),
        _("Experts see what the judge decided, and say whether it matches the metric and is well explained."),
        True,
        JUDGMENT,
        {JUDGMENT: forms.JUDGMENT},
        frozenset({MODEL, OTHERS}),
    ),
    Kind(
        EXPERT_REVIEW,
        _("External expert review"),
        _("Experts from outside rate a metric and its conversations themselves, without knowing model or verdict."),
        True,
        CONVERSATION,
        {METRIC: forms.METRIC, CONVERSATION: forms.CONVERSATION},
        frozenset({MODEL, JUDGE, OTHERS}),
    ),
    Kind(
        SIMULATOR_SELECTION,
        _("Choice of the simulated user"),
        _("Experts compare models that could play the user, on the same scenarios, without knowing which is which."),
        True,
        CONVERSATION,
        {CONVERSATION: forms.SELECTION},
        frozenset({MODEL, JUDGE, OTHERS}),
    ),
)
_MACHINE = (
    Kind(
        JUDGE_REPEATABILITY,
        _("Repeatability of the judge"),
        _("The judge reads the same conversations several times."),
        False,
        CONVERSATION,
    ),
    Kind(
        JUDGE_COMPARISON,
        _("Comparison of judges"),
        _("Other judges read the same conversations, and the results are set side by side."),
        False,
        CONVERSATION,
    ),
    Kind(
        SIMULATOR_ABLATION,
        _("Parts of the simulated user"),
        _("Conversations are simulated with and without anchors, adversarial guidance and typing edits."),
        False,
        CONTEXT,
    ),
    Kind(
        REPEAT_SIMULATIONS,
        _("Repeated simulations"),
        _("The same conversations are simulated again, to see how often the verdict changes."),
        False,
        CONTEXT,
    ),
)

KINDS: Mapping[str, Kind] = {kind.slug: kind for kind in (*_PEOPLE, *_MACHINE)}
