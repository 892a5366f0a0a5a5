"""The parameters of queries about a release."""

from evaluation.models import Comparison, MetricVersion, Polarity, Result, Study
from evaluation.statistics.panel_agreement import KINDS
from impactbench.common.api.parameters import Parameter

NULL = "null"


RELEASE = Parameter("release", "Slug of a release, retracted ones too. Without it: the newest that is published.")
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
