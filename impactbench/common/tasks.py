"""The background work that all parts share; thin: each task calls one function."""

from celery import shared_task

from impactbench.common.mail import DELIVER
from impactbench.common.mail_delivery import deliver_due


@shared_task(name=DELIVER)
def deliver_mail() -> None:
    """Send every mail that is due. Safe to run twice, and beside others."""
    deliver_due()
