"""The background work of accounts; thin: each task calls one function."""

from celery import shared_task

from impactbench.accounts.api.once import forget_old
from impactbench.accounts.session_age import forget_ended


@shared_task(name="accounts.forget_ended_sessions")
def forget_ended_sessions() -> None:
    """Delete sessions that are over, with the network addresses beside them. Safe to run twice, and beside others."""
    forget_ended()


@shared_task(name="accounts.forget_old_answers")
def forget_old_answers() -> None:
    """Delete what programs were told more than a day ago. Safe to run twice, and beside others."""
    forget_old()
