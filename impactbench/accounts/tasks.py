"""The background work of accounts; thin: each task calls one function."""

from celery import shared_task

from impactbench.accounts.session_age import forget_ended


@shared_task(name="accounts.forget_ended_sessions")
def forget_ended_sessions() -> None:
    """Delete sessions that are over, with the network addresses beside them. Safe to run twice, and beside others."""
    forget_ended()
