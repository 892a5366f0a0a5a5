"""What the portal keeps: submissions, their reviews and decisions, what editors publish, and what the public says."""

from submissions.models.calls import Call, Extension
from submissions.models.cases import CaseStudy, CaseVersion
from submissions.models.comments import Comment
from submissions.models.decisions import Decision, RequestedChange
from submissions.models.imports import DraftAct, DraftChange, DraftRow, SourceImport
from submissions.models.people import CoAuthor, Conflict, Reviewer, Seat
from submissions.models.replies import ProviderReply, ReplyVersion
from submissions.models.reviews import Assignment, Review, Round
from submissions.models.revisions import ApprovedMetric, Attachment, DraftVersion, Revision
from submissions.models.submission import Submission
from submissions.models.suggestions import Suggestion
from submissions.models.trials import Trial, TrialModel

__all__ = [
    "ApprovedMetric",
    "Assignment",
    "Attachment",
    "Call",
    "CaseStudy",
    "CaseVersion",
    "CoAuthor",
    "Comment",
    "Conflict",
    "Decision",
    "DraftAct",
    "DraftChange",
    "DraftRow",
    "DraftVersion",
    "Extension",
    "ProviderReply",
    "ReplyVersion",
    "RequestedChange",
    "Review",
    "Reviewer",
    "Revision",
    "Round",
    "Seat",
    "SourceImport",
    "Submission",
    "Suggestion",
    "Trial",
    "TrialModel",
]
