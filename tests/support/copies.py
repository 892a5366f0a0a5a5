"""Copies of a whole release within the database, made by PostgreSQL itself: ten times the rows within seconds."""

from django.db import connection
from django.db.models import Max, Min, Model

from evaluation.models import Comparison, Conversation, Judgment, Release, Result, Run, Sensitivity, Turn, Verdict

OF_RELEASES = (Result, Comparison, Sensitivity)


def copy_release(release: Release, number: int) -> Release:
    """The same conversations, judgments, turns and numbers once more, as an older release of another name."""
    run = release.runs.get()
    targets, versions, judges = run.targets.all(), run.metric_versions.all(), run.judges.all()
    twin = Run.objects.get(pk=run.pk)
    twin.pk, twin.slug, twin.spec_hash = None, f"{run.slug}-{number}", f"{run.spec_hash}-{number}"
    twin.save()
    twin.targets.set(targets)
    twin.metric_versions.set(versions)
    twin.judges.set(judges)
    older = Release.objects.get(pk=release.pk)
    older.pk, older.slug = None, f"{release.slug}-copy-{number}"
    older.published_at = release.published_at.replace(year=release.published_at.year - number)
    older.save()
    for name in ("profiles", "targets", "metric_versions"):
        getattr(older, name).set(getattr(release, name).all())
    older.runs.set([twin])
    shift = _copy_conversations(run, f"-{number}", run_id=str(twin.pk))
    for model in OF_RELEASES:
        _copy(model, f"release_id = {release.pk}", release_id=str(older.pk))
    _copy(
        Verdict,
        f"release_id = {release.pk}",
        release_id=str(older.pk),
        conversation_id=f"conversation_id + {shift}",
    )
    return older


def copy_samples(release: Release, sample: int) -> None:
    """Each conversation of a release once more in it, as another sample; the release's numbers stay as they are."""
    run = release.runs.get()
    shift = _copy_conversations(run, f"-s{sample}", sample=str(sample))
    mine = f"release_id = {release.pk} AND conversation_id IN ({_firsts(run)})"
    _copy(Verdict, mine, conversation_id=f"conversation_id + {shift}")


def refresh_statistics() -> None:
    """What PostgreSQL's own daemon would do some time later."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _firsts(run: Run) -> str:
    return f"SELECT id FROM evaluation_conversation WHERE run_id = {run.pk} AND sample = 1"


def _copy_conversations(run: Run, suffix: str, **changed: str) -> int:
    """The run's first samples with judgments and turns; returns by how much the primary keys differ."""
    first = run.conversations.filter(sample=1).aggregate(Min("pk"))["pk__min"]
    shift = int(Conversation.objects.aggregate(Max("pk"))["pk__max"]) - int(first) + 1
    new_key = f"id + {shift}"
    _copy(Conversation, f"id IN ({_firsts(run)})", id=new_key, public_id=f"public_id || '{suffix}'", **changed)
    for model in (Judgment, Turn):
        _copy(model, f"conversation_id IN ({_firsts(run)})", conversation_id=f"conversation_id + {shift}")
    return shift


def _copy(model: type[Model], where: str, **changed: str) -> None:
    """Rows again, some columns as these SQL expressions; a table whose key is not among them gives new keys."""
    columns = [
        field.column
        for field in model._meta.concrete_fields
        if not field.generated and (not field.primary_key or field.column in changed)
    ]
    names = ", ".join(f'"{name}"' for name in columns)
    values = ", ".join(changed.get(str(name), f'"{name}"') for name in columns)
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f'INSERT INTO "{table}" ({names}) SELECT {values} FROM "{table}" WHERE {where}')
