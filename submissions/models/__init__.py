"""What the portal keeps: submissions and their versions, reviews, decisions, and what the public says."""

from submissions.models.calls import Call, Extension
from submissions.models.comments import Comment
from submissions.models.decisions import Decision, RequestedChange
from submissions.models.people import CoAuthor, Conflict, Reviewer, Seat
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
    "CoAuthor",
    "Comment",
    "Conflict",
    "Decision",
    "DraftVersion",
    "Extension",
    "RequestedChange",
    "Review",
    "Reviewer",
    "Revision",
    "Round",
    "Seat",
    "Submission",
    "Suggestion",
    "Trial",
    "TrialModel",
]
