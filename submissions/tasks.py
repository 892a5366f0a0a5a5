"""The portal's background work; thin: each task calls one function."""

from celery import shared_task

from submissions.services import old_drafts, reminders, trial_queue


@shared_task(name=trial_queue.TASK, acks_late=True)
def run_trial(*, trial: int) -> None:
    """Do one trial. Safe to run twice, and beside others."""
    from submissions.services import trial_work  # noqa: PLC0415  (only workers may load the model clients)

    trial_work.work_on(trial)


@shared_task(name="submissions.end_stale_trials")
def end_stale_trials() -> None:
    """Fail the trials whose worker is gone. Safe to run twice, and beside others."""
    trial_queue.end_stale_trials()


@shared_task(name="submissions.release_due_decisions")
def release_due_decisions() -> None:
    """Let the letters of decisions go whose time has come. Safe to run twice, and beside others."""
    reminders.release_due_decisions()


@shared_task(name="submissions.keep_reviews_going")
def keep_reviews_going() -> None:
    """Remind reviewers, end invitations, tell editors what is late. Safe to run twice, and beside others."""
    reminders.keep_reviews_going()


@shared_task(name="submissions.forget_old_drafts")
def forget_old_drafts() -> None:
    """Write about drafts that nobody touches, and delete them in the end. Safe to run twice, and beside others."""
    old_drafts.forget_old_drafts()
