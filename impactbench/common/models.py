"""What all parts share: the audit trail, and the outbox of mails."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone


class AuditEvent(models.Model):
    """One action; written by `audit.record` alone.

    The database refuses to change or to delete one; only the names of people may give way to pseudonyms.
    """

    at = models.DateTimeField(default=timezone.now, db_index=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, db_constraint=False
    )
    actor_name = models.CharField(max_length=254, blank=True)
    action = models.CharField(max_length=60)
    target_type = models.CharField(max_length=60)
    target_id = models.CharField(max_length=60)
    target_name = models.CharField(max_length=300)
    details = models.JSONField(default=dict)
    request_id = models.CharField(max_length=32, blank=True)

    class Meta:
        indexes = [models.Index(fields=["target_type", "target_id"], name="audit_by_target")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor_name or 'a command'} {self.action} {self.target_name}"


class OutgoingMail(models.Model):
    """One letter to one person; written by `mail.post` and changed by `mail` and `mail_delivery` alone.

    One event gives a person one mail: only cancelled ones and those sent again do not count.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        HELD = "held"
        SENT = "sent"
        FAILED = "failed"
        CANCELLED = "cancelled"
        MUTED = "muted"

    event = models.CharField(max_length=60)
    kind = models.CharField(max_length=30)
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="outgoing_mails"
    )
    address = models.EmailField(blank=True)
    object_type = models.CharField(max_length=60, blank=True)
    object_id = models.CharField(max_length=60, blank=True)
    round = models.CharField(max_length=60, blank=True)
    subject = models.CharField(max_length=300)
    text = models.TextField()
    still_true = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    not_before = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.CharField(max_length=200, blank=True)
    resent_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="sent_again_as"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "recipient", "object_type", "object_id", "round"],
                condition=Q(recipient__isnull=False, resent_from__isnull=True) & ~Q(state="cancelled"),
                name="mail_once_to_a_user",
            ),
            models.UniqueConstraint(
                fields=["event", "address", "object_type", "object_id", "round"],
                condition=Q(recipient__isnull=True, resent_from__isnull=True) & ~Q(state="cancelled"),
                name="mail_once_to_an_address",
            ),
            models.CheckConstraint(
                condition=Q(recipient__isnull=False, address="") | Q(recipient__isnull=True) & ~Q(address=""),
                name="mail_has_one_recipient",
            ),
            models.CheckConstraint(
                condition=Q(state="sent", sent_at__isnull=False) | ~Q(state="sent") & Q(sent_at__isnull=True),
                name="mail_sent_has_a_time",
            ),
        ]
        indexes = [
            models.Index(fields=["not_before"], condition=Q(state="waiting"), name="mail_due"),
            models.Index(fields=["object_type", "object_id"], name="mail_by_object"),
        ]

    def __str__(self) -> str:
        return f"mail {self.pk} ({self.event}, {self.state})"
