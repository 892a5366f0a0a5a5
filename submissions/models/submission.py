"""A submission: an expert's proposal of a metric, from the first word to the published page."""

import secrets

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from evaluation.models.choices import one_of
from submissions.content import Content
from submissions.models.calls import Call
from submissions.states import STATE_NAMES, State

# No vowels and nothing that looks alike: an id can be read out over the telephone.
_ALPHABET = "23456789BCDFGHJKLMNPQRSTVWXZ"


class SubmissionState(models.TextChoices):
    """`states.State` for the database."""

    DRAFT = State.DRAFT.value, STATE_NAMES[State.DRAFT]
    DISCARDED = State.DISCARDED.value, STATE_NAMES[State.DISCARDED]
    SUBMITTED = State.SUBMITTED.value, STATE_NAMES[State.SUBMITTED]
    IN_REVIEW = State.IN_REVIEW.value, STATE_NAMES[State.IN_REVIEW]
    CHANGES_REQUESTED = State.CHANGES_REQUESTED.value, STATE_NAMES[State.CHANGES_REQUESTED]
    APPROVED = State.APPROVED.value, STATE_NAMES[State.APPROVED]
    PUBLISHED = State.PUBLISHED.value, STATE_NAMES[State.PUBLISHED]
    RETIRED = State.RETIRED.value, STATE_NAMES[State.RETIRED]
    REJECTED = State.REJECTED.value, STATE_NAMES[State.REJECTED]
    WITHDRAWN = State.WITHDRAWN.value, STATE_NAMES[State.WITHDRAWN]


def new_public_id() -> str:
    """A name for a submission that tells nothing and cannot be counted up, such as S-2K7QXM."""
    return "S-" + "".join(secrets.choice(_ALPHABET) for _ in range(6))


class Submission(models.Model):
    """One proposal. `content` is its draft; what was sent stands in its revisions, which never change.

    `state` is changed by `services.transitions` alone, `content` by `services.drafts` alone.
    """

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="submissions")
    call = models.ForeignKey(Call, null=True, blank=True, on_delete=models.PROTECT, related_name="submissions")
    state = models.CharField(max_length=20, choices=SubmissionState, default=SubmissionState.DRAFT)
    content = models.JSONField(default=dict)
    # Counts the saved drafts; a form that was opened on an older one is told so instead of overwriting it.
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)
    # The verified e-mail domains of its authors, kept so that every list can leave out people of the same organisation.
    author_domains = ArrayField(models.CharField(max_length=254), default=list, blank=True)
    # What it was copied from, and the published metric that it gives a new version of.
    clone_of = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="clones")
    improves = models.ForeignKey(
        "evaluation.Metric", null=True, blank=True, on_delete=models.PROTECT, related_name="submissions"
    )
    # The author lets anyone see where the submission is.
    is_status_public = models.BooleanField(default=False)

    class Meta:
        ordering = ["-created_at"]
        constraints = [one_of("state", SubmissionState, "submission_state_is_known")]
        indexes = [models.Index(fields=["state"], name="submission_by_state")]

    def __str__(self) -> str:
        return self.public_id

    @property
    def draft(self) -> Content:
        """What the author is writing now."""
        return Content.from_json(self.content)

    @property
    def title(self) -> str:
        """The name of the metric so far; a draft may have none."""
        return str(self.content.get("title") or "").strip() or "Without a name yet"
