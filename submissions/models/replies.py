"""What a model's provider says of its results, posted by an editor and kept in all its versions."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class ProviderReply(models.Model):
    """A reply to the results of one model, in one release or in all; readers see its newest version.

    Of a withdrawn one they see only that it was there, and why it went.
    """

    model = models.ForeignKey("evaluation.LanguageModel", on_delete=models.PROTECT, related_name="provider_replies")
    release = models.ForeignKey(
        "evaluation.Release", null=True, blank=True, on_delete=models.PROTECT, related_name="provider_replies"
    )
    posted_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawal_reason = models.TextField(blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-posted_at", "-pk"]
        verbose_name_plural = "provider replies"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(withdrawn_at__isnull=True, withdrawal_reason="")
                | (models.Q(withdrawn_at__isnull=False) & ~models.Q(withdrawal_reason="")),
                name="withdrawn_reply_has_a_reason",
            )
        ]

    def __str__(self) -> str:
        return f"reply {self.pk} about {self.model.slug}"


class ReplyVersion(models.Model):
    """The words of a reply as an editor posted or corrected them; `said_on` is the provider's own date."""

    reply = models.ForeignKey(ProviderReply, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    provider = models.CharField(max_length=200)
    said_on = models.DateField()
    source_url = models.CharField(max_length=500)
    text = models.TextField()
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    written_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["reply", "number"]
        constraints = [
            models.UniqueConstraint(fields=["reply", "number"], name="reply_version_number_unique"),
            models.CheckConstraint(condition=models.Q(source_url__startswith="https://"), name="reply_source_is_https"),
        ]

    def __str__(self) -> str:
        return f"{self.reply} v{self.number}"
