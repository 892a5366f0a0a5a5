"""Parameters of queries: which ones a path knows, and reading them strictly."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from evaluation.models import Comparison, MetricVersion, Polarity, Result, Study
from evaluation.statistics.panel_agreement import KINDS
from labels.api.problems import BadQuery, quoted

NULL = "null"


@dataclass(frozen=True)
class Parameter:
    """One parameter: `choices` closes the list of its values, `schema` (OpenAPI) says more for machines."""

    name: str
    description: str
    choices: tuple[str, ...] = ()
    schema: dict[str, Any] = field(default_factory=lambda: {"type": "string"})


RELEASE = Parameter("release", "Slug of a release, retracted ones too. Without it: the newest that is published.")
CURSOR = Parameter("cursor", "Where the page begins; taken from `next` or `previous`, never made up.")
PAGE_SIZE = Parameter(
    "page_size",
    "How many items a page holds.",
    schema={"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
)
FIELDS = Parameter("fields", "Members that each item shall have, separated by commas; without it: all.")
GROUP = Parameter("group", "What the metrics are pooled by.", choices=tuple(Result.Group.values))
KEY = Parameter("key", f"Slug of the area, subarea, benchmark, label row or metric; `{NULL}` for overall.")
MODEL = Parameter("model", "Slug of a model of the release.")
MODEL_OR_ALL = Parameter("model", f"Slug of a model of the release; `{NULL}` for all models pooled.")
METRIC = Parameter("metric", "Slug of a metric of the release, as `<benchmark>/<metric>`.")
BENCHMARK = Parameter("benchmark", "Slug of a benchmark of the release.")
SUBAREA = Parameter("subarea", "Slug of a subarea of the release's taxonomy.")
STATUS = Parameter("status", "How far the metric has been checked.", choices=tuple(MetricVersion.Status.values))
POLARITY = Parameter("polarity", "`positive` or `negative`.", choices=tuple(Polarity.values))
PROFILE = Parameter("profile", "Slug of a demographic profile of the release.")
PROFILE_OR_ALL = Parameter("profile", "Slug of a demographic profile of the release; `all` for all pooled.")
COMPARED_GROUPS = tuple(group for group in Result.Group.values if group != Result.Group.METRIC)
COMPARED_GROUP = Parameter("group", "What the metrics are pooled by; single metrics are not compared.", COMPARED_GROUPS)
COMPARISON_KIND = Parameter("kind", "What is compared: models, profiles or polarities.", tuple(Comparison.Kind.values))
MODEL_COMPARED = Parameter("model", "Slug of a model that takes part in the comparison.")
SENSITIVITY_KINDS = (
    "equal-benchmark", "leave-one-benchmark-out", "benchmark-vs-rest", "profile-consistency", "positive-vs-negative",
    "without-aware",
)  # fmt: skip
SENSITIVITY_KIND = Parameter("kind", "Which analysis.", SENSITIVITY_KINDS)
AGREEMENT_KIND = Parameter("kind", "Two judges, all of them, or one beside the majority of the others.", KINDS)
JUDGE = Parameter("judge", "Slug of a judge of the release, on either side.")
STUDY = Parameter("study", "Name of a published study, as `study` has it.")
STUDY_KIND = Parameter("kind", "What was studied.", choices=tuple(Study.Kind.values))
PASSED = Parameter("passed", f"Whether it passed; `{NULL}` where there is no verdict.", choices=("true", "false", NULL))


def read_query(query: QueryDict, known: Sequence[Parameter]) -> dict[str, str]:
    """The value of every parameter that is given, each known, given once, not blank and among its choices.

    Raises BadQuery naming everything that is wrong.
    """
    parameters = {parameter.name: parameter for parameter in known}
    errors = {}
    for name, values in query.lists():
        error = _error(parameters.get(name), name, values, parameters)
        if error:
            errors[printable(name)] = error
    if errors:
        raise BadQuery(errors)
    return {name: str(query[name]) for name in query}


def printable(text: str) -> str:
    """A short name for a parameter that somebody made up."""
    return quoted(text)[1:-1]


def _error(parameter: Parameter | None, name: str, values: Sequence[Any], known: Iterable[str]) -> str | None:
    if parameter is None:
        allowed = ", ".join(sorted(known)) or "none"
        return f"The parameter {quoted(name)} is not known here; known ones: {allowed}."
    if len(values) > 1:
        return f"The parameter {name} is given more than once."
    value = str(values[0])
    if not value:
        return f"The parameter {name} has no value; leave it out to ask for everything."
    if "\x00" in value:
        return f"The parameter {name} holds a character that no name has."
    if parameter.choices and value not in parameter.choices:
        return f"The parameter {name} must be one of {', '.join(parameter.choices)}, not {quoted(value)}."
    return None
