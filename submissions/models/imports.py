"""Benchmark files that were read at the import desk, their drafts, and everything that was done to each draft."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from evaluation.models.choices import one_of
from submissions.models.submission import Submission


class DraftKind(models.TextChoices):
    """What a row would become."""

    METRIC = "metric", "Metric"
    SCENARIO = "scenario", "Scenario"


class DraftState(models.TextChoices):
    """What has become of a row."""

    PROPOSED = "proposed", "To check"
    CONFIRMED = "confirmed", "Checked"
    DROPPED = "dropped", "Dropped"
    MERGED = "merged", "Merged"
    ACCEPTED = "accepted", "Sent on"
    # An earlier import of the same benchmark has the very same row.
    KNOWN = "known", "Read before"


class DraftAction(models.TextChoices):
    """What was done to rows at once."""

    EDIT = "edit", "changed or checked"
    CONFIRM = "confirm", "checked"
    DROP = "drop", "dropped"
    RESTORE = "restore", "brought back"
    MERGE = "merge", "merged"
    SPLIT = "split", "split"
    ACCEPT = "accept", "sent on"


class SourceImport(models.Model):
    """One reading of a file, or of several that belong together, with what the benchmark says of itself.

    `shared` is what all its metrics have in common once they are submissions: parts of life, relevance, licence and
    credit, which no source states. Nothing of an import is public.
    """

    file_name = models.CharField(max_length=500)
    # Over names and contents of all files.
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    format = models.CharField(max_length=50)
    format_title = models.CharField(max_length=200)
    is_verified = models.BooleanField(default=True)
    slug = models.CharField(max_length=150)
    name = models.TextField()
    description = models.TextField(blank=True)
    sources = models.JSONField(default=list)
    licence = models.TextField(blank=True)
    # 'yes', 'no' or 'unknown': whether the source's words may be shown to others.
    sharing = models.CharField(max_length=10)
    contributors = models.JSONField(default=list)
    content_notices = models.JSONField(default=list)
    must_keep = models.JSONField(default=list)
    # [{"place", "text"}]
    flags = models.JSONField(default=list)
    skipped = models.JSONField(default=list)
    shared = models.JSONField(default=dict)
    read_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    read_at = models.DateTimeField(default=timezone.now)
    discarded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-read_at", "-pk"]
        indexes = [
            models.Index(fields=["sha256"], name="source_import_by_sha256"),
            models.Index(fields=["format", "slug"], name="source_import_by_benchmark"),
        ]

    def __str__(self) -> str:
        return f"import {self.pk} of {self.slug}"


class DraftRow(models.Model):
    """One draft: the source's words and place as they were read, and what people have made of it since.

    `read` is the draft as it was read and never changes; `content` is what it says now, for a metric as
    `import_text.RowText` has it. A row that came of a split has the number of the row it was split from, and a `part`.
    """

    Kind = DraftKind

    State = DraftState

    source = models.ForeignKey(SourceImport, on_delete=models.CASCADE, related_name="rows")
    number = models.PositiveIntegerField()
    part = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=10, choices=Kind)
    key = models.CharField(max_length=200)
    text = models.TextField()
    place = models.TextField()
    read = models.JSONField()
    # sha256 of what was read: the same draft in another import has the same.
    digest = models.CharField(max_length=64)
    flags = models.JSONField(default=list)
    content = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State, default=State.PROPOSED)
    reason = models.TextField(blank=True)
    merged_into = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="merged")
    split_from = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="parts")
    # The row of this key in the newest earlier import of the same benchmark.
    earlier = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="later")
    submission = models.ForeignKey(
        Submission, null=True, blank=True, on_delete=models.SET_NULL, related_name="imported_from"
    )
    # Counts the changes; a page that was opened on an older one is told so instead of writing over it.
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["source", "number", "part"]
        constraints = [
            models.UniqueConstraint(fields=["source", "number", "part"], name="draft_row_number_unique"),
            one_of("kind", DraftKind, "draft_row_kind_is_known"),
            one_of("state", DraftState, "draft_row_state_is_known"),
        ]
        indexes = [
            models.Index(fields=["source", "kind", "state"], name="draft_row_by_state"),
            models.Index(fields=["source", "key"], name="draft_row_by_key"),
        ]

    def __str__(self) -> str:
        return f"row {self.label} of {self.source}"

    @property
    def label(self) -> str:
        """'4', or '4.1' for the first part that was split off row 4."""
        return f"{self.number}.{self.part}" if self.part else str(self.number)


class DraftAct(models.Model):
    """One thing that one person did to one row or many; undone as a whole, and kept then too."""

    Action = DraftAction

    source = models.ForeignKey(SourceImport, on_delete=models.CASCADE, related_name="acts")
    action = models.CharField(max_length=10, choices=Action)
    # What was said to the person: '3 rows were dropped.'
    told = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [one_of("action", DraftAction, "draft_act_action_is_known")]

    def __str__(self) -> str:
        return f"{self.action} {self.pk} on {self.source}"


class DraftChange(models.Model):
    """A row before and after an act; `before` is null where the act made the row."""

    act = models.ForeignKey(DraftAct, on_delete=models.CASCADE, related_name="changes")
    row = models.ForeignKey(DraftRow, on_delete=models.CASCADE, related_name="changes")
    before = models.JSONField(null=True)
    after = models.JSONField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["act", "row"], name="draft_change_once_an_act")]

    def __str__(self) -> str:
        return f"{self.act}: {self.row}"
