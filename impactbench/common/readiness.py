"""Make ready what every process needs: the servers, and the tables in them."""

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from impactbench import embedded

# Any fixed number will do: it names the lock that lets one process migrate while the others wait.
MIGRATION_LOCK = 7_226_001


def embedded_needs() -> list[embedded.Service]:
    """The embedded servers that these settings rely on; none when the environment names others."""
    needs = []
    if settings.USES_EMBEDDED_POSTGRES:
        needs.append(embedded.Service.POSTGRES)
    if settings.USES_EMBEDDED_VALKEY:
        needs.append(embedded.Service.VALKEY)
    return needs


def join_servers() -> embedded.Lease | None:
    """Start or join the embedded servers for as long as this process lives; None when none are needed."""
    needs = embedded_needs()
    return embedded.join(settings.IMPACTBENCH_HOME, *needs) if needs else None


def apply_pending_migrations() -> None:
    """Bring the tables up to date; safe when many processes do it at once."""
    if not _has_pending_migrations():
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        try:
            if _has_pending_migrations():
                call_command("migrate", interactive=False, verbosity=0)
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])


def prepare() -> embedded.Lease | None:
    """Servers first, then migrations. Raises EmbeddedServerError or Django's OperationalError when it cannot."""
    lease = join_servers()
    apply_pending_migrations()
    return lease


def _has_pending_migrations() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
