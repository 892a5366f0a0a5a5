"""The audit trail: who did what to which thing, kept even when the thing is gone."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class AuditEvent(models.Model):
    """One action; written by `audit.record` alone, never changed."""

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

    class Meta:
        indexes = [models.Index(fields=["target_type", "target_id"], name="audit_by_target")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor_name or 'a command'} {self.action} {self.target_name}"
