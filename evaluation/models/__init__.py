"""Everything the evaluation keeps, one noun a module."""

from evaluation.models.benchmark import Benchmark
from evaluation.models.choices import Polarity
from evaluation.models.conversation import Conversation, Turn
from evaluation.models.corrected_rates import CorrectedRates
from evaluation.models.disclosure import RaterDeclaration, StudyDisclosure
from evaluation.models.drafting import DraftingQuestion, GeneratedDraft
from evaluation.models.judgment import Judgment
from evaluation.models.language_model import JudgeConfiguration, LanguageModel
from evaluation.models.metric import Metric, MetricVersion, Placement
from evaluation.models.rating import Adjudication, Rating, StudyRater
from evaluation.models.release import Comparison, Release, Result, Sensitivity, Verdict
from evaluation.models.release_request import ReleaseRequest
from evaluation.models.run import Run
from evaluation.models.scenario import BaseScenario, Scenario, Suite
from evaluation.models.schedule import RunSchedule, ScheduledRound
from evaluation.models.study import Study, StudyFinding, StudyItem, StudyKind
from evaluation.models.study_condition import StudyAudit, StudyCondition
from evaluation.models.taxonomy import Area, LabelRow, Profile, Subarea, Taxonomy, TaxonomyDraft

__all__ = [
    "Adjudication",
    "Area",
    "BaseScenario",
    "Benchmark",
    "Comparison",
    "Conversation",
    "CorrectedRates",
    "DraftingQuestion",
    "GeneratedDraft",
    "JudgeConfiguration",
    "Judgment",
    "LabelRow",
    "LanguageModel",
    "Metric",
    "MetricVersion",
    "Placement",
    "Polarity",
    "Profile",
    "RaterDeclaration",
    "Rating",
    "Release",
    "ReleaseRequest",
    "Result",
    "Run",
    "RunSchedule",
    "Scenario",
    "ScheduledRound",
    "Sensitivity",
    "Study",
    "StudyAudit",
    "StudyCondition",
    "StudyDisclosure",
    "StudyFinding",
    "StudyItem",
    "StudyKind",
    "StudyRater",
    "Subarea",
    "Suite",
    "Taxonomy",
    "TaxonomyDraft",
    "Turn",
    "Verdict",
]
