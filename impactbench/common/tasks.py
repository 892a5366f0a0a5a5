"""The background work that all parts share; thin: each task calls one function."""

from celery import shared_task

from impactbench.common.mail import DELIVER
from impactbench.common.mail_delivery import deliver_due
from impactbench.common.mail_keeping import forget_old_letters as empty_old_letters


@shared_task(name=DELIVER)
def deliver_mail() -> None:
    """Send every mail that is due. Safe to run twice, and beside others."""
    deliver_due()


@shared_task(name="common.forget_old_letters")
def forget_old_letters() -> None:
    """Empty letters that are older than they are kept. Safe to run twice, and beside others."""
    empty_old_letters()
