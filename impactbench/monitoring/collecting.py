"""What is going on, asked of the database and the broker when somebody looks: runs, queues, mails.

Each number is the platform's, whichever web process is asked: it must not be added up over several.
"""

from collections.abc import Iterator

from django.conf import settings
from django.db import connection
from django.db.models import Count, Min
from django.utils import timezone
from kombu import Connection
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily

from evaluation.models import Run
from evaluation.selectors.progress import run_progress
from impactbench.common.models import OutgoingMail

OPEN = (Run.State.RUNNING, Run.State.PAUSED)
# So many of the newest turns tell how fast models answer now.
NEWEST_TURNS = 1_000
_LATENCY = """
SELECT model.slug, percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY turn.latency_ms)
FROM (SELECT * FROM evaluation_turn ORDER BY id DESC LIMIT %s) turn
JOIN evaluation_conversation conversation ON conversation.id = turn.conversation_id
JOIN evaluation_languagemodel model ON model.id = conversation.target_id
WHERE turn.latency_ms IS NOT NULL GROUP BY model.slug ORDER BY model.slug
"""


class Platform:
    """A collector for a registry of Prometheus."""

    def collect(self) -> Iterator[Metric]:
        """Every family of numbers, freshly asked."""
        yield _runs()
        yield from _open_runs()
        yield _latency()
        yield _queues()
        yield from _mails()


def _runs() -> Metric:
    family = GaugeMetricFamily("impactbench_runs", "Runs by state.", labels=["state"])
    counted = dict(Run.objects.order_by().values_list("state").annotate(Count("pk")))
    for state in Run.State.values:
        family.add_metric([state], counted.get(state, 0))
    return family


def _open_runs() -> Iterator[Metric]:
    conversations = GaugeMetricFamily(
        "impactbench_run_conversations", "Conversations of runs that are not over.", labels=["run", "state"]
    )
    workers = GaugeMetricFamily("impactbench_run_workers", "Workers that hold conversations now.", labels=["run"])
    calls = GaugeMetricFamily("impactbench_run_calls", "Calls of models so far.", labels=["run"])
    retries = GaugeMetricFamily("impactbench_run_retries", "Calls that were made again.", labels=["run"])
    unjudged = GaugeMetricFamily("impactbench_run_unjudged", "Judgments without a verdict.", labels=["run"])
    known = GaugeMetricFamily("impactbench_run_known_usd", "Cost so far of calls of known price.", labels=["run"])
    for run in Run.objects.filter(state__in=OPEN).order_by("slug"):
        progress = run_progress(run)
        counts = {
            "done": progress.done - progress.failed,
            "failed": progress.failed,
            "in flight": progress.in_flight,
            "waiting": progress.total - progress.done - progress.in_flight,
        }
        for state, number in counts.items():
            conversations.add_metric([run.slug, state], number)
        workers.add_metric([run.slug], progress.workers)
        calls.add_metric([run.slug], progress.calls)
        retries.add_metric([run.slug], progress.retries)
        unjudged.add_metric([run.slug], progress.unjudged)
        known.add_metric([run.slug], float(progress.known_cost_usd))
    yield from (conversations, workers, calls, retries, unjudged, known)


def _latency() -> Metric:
    family = GaugeMetricFamily(
        "impactbench_reply_seconds",
        f"How long models took to reply, over the newest {NEWEST_TURNS:,} turns.",
        labels=["model", "quantile"],
    )
    with connection.cursor() as cursor:
        cursor.execute(_LATENCY, [NEWEST_TURNS])
        for model, (median, high) in cursor.fetchall():
            family.add_metric([model, "0.5"], median / 1000)
            family.add_metric([model, "0.95"], high / 1000)
    return family


def _queues() -> Metric:
    family = GaugeMetricFamily("impactbench_queue_messages", "Messages that no worker has taken.", labels=["queue"])
    with Connection(settings.CELERY_BROKER_URL) as broker:
        client = broker.default_channel.client  # type: ignore[attr-defined]  # of the Redis transport
        for queue in (settings.CELERY_TASK_DEFAULT_QUEUE, settings.PORTAL_QUEUE):
            family.add_metric([queue], client.llen(queue))
    return family


def _mails() -> Iterator[Metric]:
    waiting = OutgoingMail.objects.filter(state=OutgoingMail.State.WAITING)
    found = waiting.aggregate(n=Count("pk"), oldest=Min("created_at"))
    failed = OutgoingMail.objects.filter(state=OutgoingMail.State.FAILED).count()
    yield GaugeMetricFamily("impactbench_mails_waiting", "Mails that wait to be sent.", value=found["n"])
    age = (timezone.now() - found["oldest"]).total_seconds() if found["oldest"] else 0.0
    yield GaugeMetricFamily("impactbench_oldest_mail_seconds", "Age of the oldest waiting mail.", value=age)
    yield GaugeMetricFamily("impactbench_mails_failed", "Mails that were given up.", value=failed)
