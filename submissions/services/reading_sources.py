"""Reads an uploaded benchmark file into drafts: all of it or nothing."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from evaluation.importers.formats.changed_words import changed_words
from evaluation.importers.formats.deadline import MAX_SECONDS, Deadline
from evaluation.importers.formats.draft_types import BenchmarkDraft, DraftFormat, MetricDraft, ReadDrafts, ScenarioDraft
from evaluation.importers.formats.positions import MAX_BYTES
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.tables import MAX_ROWS
from evaluation.importers.formats.types import FormatDescription, Remark
from evaluation.importers.registry import choose_draft_format
from evaluation.importers.writing.storable import UNUSABLE
from impactbench.common.audit import record
from impactbench.common.errors import DomainError
from impactbench.common.file_names import safe_name
from submissions.checks import LICENCES
from submissions.import_text import Shared, text_of_draft
from submissions.models import DraftRow, SourceImport
from submissions.services.transitions import NotAllowed

MOST_FILES = 10
# Reading and storing together.
MOST_SECONDS: float = MAX_SECONDS
# How many of its scenarios a metric names; a person chooses one of them to begin with.
MOST_SCENARIOS = 10
_BATCH = 1000
_TOO_SLOW = "to read and to keep; split it, or ask an operator to import it by the command import_benchmark"


class Unreadable(DomainError):
    """A file cannot be imported; the message says where and why, and nothing of it was kept."""


def read_source(uploads: Sequence[UploadedFile], *, actor: Any) -> tuple[SourceImport, bool]:
    """The import of these files, which are one benchmark, and whether it is new: the same files again are the same one.

    What an earlier import of the same benchmark has in the very same words is marked as known; what changed refers to
    it. Raises NotAllowed, or Unreadable with file, line, column and reason; also when reading and storing together
    take longer than `MOST_SECONDS`.
    """
    need_editor(actor)
    contents = _contents(uploads)
    digest = _digest(contents)
    known = SourceImport.objects.filter(sha256=digest, discarded_at=None).first()
    if known is not None:
        return known, False
    names = ", ".join(name for name, _ in contents)
    size = sum(len(content) for _, content in contents)
    try:
        with Deadline(Path(names), MOST_SECONDS, what_to_do=_TOO_SLOW).around() as deadline:
            described, read = _read(contents, deadline)
            return _kept(read, described, names, digest, size, actor, deadline), True
    except FileProblem as problem:
        raise Unreadable(_told(problem)) from None


def need_editor(actor: Any) -> None:
    """Raises NotAllowed for everybody but editors: an import tells who the author of its submissions is."""
    if not (actor.is_active and actor.has_role("editor")):
        raise NotAllowed("Benchmark files are imported by editors.")


def _contents(uploads: Sequence[UploadedFile]) -> list[tuple[str, bytes]]:
    if not uploads:
        raise Unreadable("Choose a file first.")
    if len(uploads) > MOST_FILES:
        raise Unreadable(f"These are {len(uploads)} files; at most {MOST_FILES} can be read together.")
    if sum(upload.size or 0 for upload in uploads) > MAX_BYTES:
        raise Unreadable(f"This is more than {MAX_BYTES // 1_000_000} MB. Split it and read the parts one by one.")
    found = sorted((safe_name(upload.name or ""), upload.read()) for upload in uploads)
    if len({name for name, _ in found}) < len(found):
        raise Unreadable("Two of the files have the same name. Give each its own.")
    return found


def _digest(contents: Iterable[tuple[str, bytes]]) -> str:
    whole = hashlib.sha256()
    for name, content in contents:
        whole.update(f"{name}\0{hashlib.sha256(content).hexdigest()}\0".encode())
    return whole.hexdigest()


def _read(contents: Sequence[tuple[str, bytes]], deadline: Deadline) -> tuple[FormatDescription, ReadDrafts]:
    """Raises FileProblem. One file is read by itself, several as the folder of one benchmark."""
    with tempfile.TemporaryDirectory(prefix="import-") as made:
        folder = Path(made) / "files"
        folder.mkdir()
        for name, content in contents:
            (folder / name).write_bytes(content)
        path = folder / contents[0][0] if len(contents) == 1 else folder
        chosen = _chosen(path, deadline)
        read = chosen.read(path)
    n_rows = len(read.benchmark.metrics) + len(read.benchmark.scenarios)
    if n_rows > MAX_ROWS:
        raise FileProblem(path, f"gives {n_rows:,} drafts; at most {MAX_ROWS:,} can be worked on: split the file")
    return chosen.describe(), read


def _chosen(path: Path, deadline: Deadline) -> DraftFormat:
    try:
        return choose_draft_format(path)
    except FileProblem:
        # A format that had no time to look does not know the file, which would be the wrong thing to say.
        deadline.check()
        raise


def _told(problem: FileProblem) -> str:
    place = [problem.file.name if problem.file.suffix else "The file"]
    place += [f"line {problem.line}"] if problem.line is not None else []
    place += [f"column {problem.column}"] if problem.column is not None else []
    return f"{', '.join(place)}: {problem.message}. Nothing was kept."


@transaction.atomic
def _kept(
    read: ReadDrafts,
    described: FormatDescription,
    names: str,
    digest: str,
    size: int,
    actor: Any,
    deadline: Deadline,
) -> SourceImport:
    draft = read.benchmark
    source = SourceImport(
        file_name=names[:500], sha256=digest, size=size, format=described.name, format_title=described.title,
        is_verified=draft.verified, slug=draft.slug[:150], name=draft.name, description=draft.description,
        sources=[asdict(one) for one in draft.sources], licence=draft.licence or "", sharing=draft.sharing,
        contributors=list(draft.contributors), content_notices=list(draft.content_notices),
        must_keep=list(draft.must_keep), flags=_remarks(read.flags), skipped=_remarks(read.skipped),
        shared=_shared(draft, names, described).to_json(), read_by=actor,
    )  # fmt: skip
    _refuse_broken(vars(source) | {"_state": None}, "the file")
    source.save()
    rows = _rows(source, draft, deadline)
    _refer_to_earlier(source, rows, deadline)
    for start in range(0, len(rows), _BATCH):
        deadline.check()
        DraftRow.objects.bulk_create(rows[start : start + _BATCH])
    deadline.check()
    details = {"format": described.name, "rows": len(rows)}
    record(actor=actor, action="source-read", target=source, details=details)
    return source


def _remarks(remarks: Iterable[Remark]) -> list[dict[str, str]]:
    return [{"place": remark.place, "text": remark.text} for remark in remarks]


def _shared(draft: BenchmarkDraft, names: str, described: FormatDescription) -> Shared:
    """What can be said for all rows at once: the benchmark itself is a source of each."""
    first = draft.sources[0] if draft.sources else None
    licence = next((known for known in LICENCES if known == (draft.licence or "")), "")
    reference = first.title if first else f"{draft.name} ({described.title}, {names})"
    return Shared(reference=reference, link=(first.doi or first.url or "") if first else "", licence=licence)


def _rows(source: SourceImport, draft: BenchmarkDraft, deadline: Deadline) -> list[DraftRow]:
    scenarios: dict[str, list[str]] = defaultdict(list)
    for scenario in draft.scenarios:
        for key in scenario.metric_keys:
            if len(scenarios[key]) < MOST_SCENARIOS:
                scenarios[key].append(scenario.key)
    found = []
    for metric in draft.metrics:
        deadline.check()
        found.append(_metric_row(source, metric, scenarios.get(metric.key, [])))
    for scenario in draft.scenarios:
        deadline.check()
        found.append(_scenario_row(source, scenario))
    for number, row in enumerate(found, start=1):
        row.number = number
    return found


def _metric_row(source: SourceImport, metric: MetricDraft, scenarios: list[str]) -> DraftRow:
    read = {**_columns(metric), "proposal": vars(metric.proposal), "labels": dict(metric.labels)}
    row = _row(source, metric, DraftRow.Kind.METRIC, read)
    # After the digest: other scenarios make no other metric.
    row.read["scenarios"] = scenarios
    row.content = text_of_draft(metric, scenarios[0] if scenarios else "").to_json()
    return row


def _scenario_row(source: SourceImport, scenario: ScenarioDraft) -> DraftRow:
    read = {**_columns(scenario), "anchors": [vars(anchor) for anchor in scenario.anchors]}
    row = _row(source, scenario, DraftRow.Kind.SCENARIO, read)
    row.read["metric_keys"] = list(scenario.metric_keys)
    return row


def _columns(draft: MetricDraft | ScenarioDraft) -> dict[str, Any]:
    """What a draft says, but for what stands in columns of its own; a large file has no time for `asdict`."""
    return {name: value for name, value in vars(draft).items() if name not in ("origin", "metric_keys")}


def _row(source: SourceImport, draft: MetricDraft | ScenarioDraft, kind: str, read: dict[str, Any]) -> DraftRow:
    text = json.dumps([read, draft.origin.text], sort_keys=True, ensure_ascii=False)
    if UNUSABLE.search(text) or "\\u0000" in text:
        _refuse_broken([read, draft.origin.text], draft.origin.place)
    return DraftRow(
        source=source,
        kind=kind,
        key=draft.key,
        text=draft.origin.text,
        place=draft.origin.place,
        read=read,
        digest=hashlib.sha256(text.encode()).hexdigest(),
        flags=list(draft.flags),
    )


def _refuse_broken(value: Any, place: str) -> None:
    """Half characters cannot be kept, wherever in a draft they stand."""
    if isinstance(value, str):
        if UNUSABLE.search(value):
            raise FileProblem(Path("The file"), f"{place} holds half a character or a NUL; write it anew")
    elif isinstance(value, dict):
        for part in (*value.keys(), *value.values()):
            _refuse_broken(part, place)
    elif isinstance(value, list | tuple):
        for part in value:
            _refuse_broken(part, place)


def _refer_to_earlier(source: SourceImport, rows: list[DraftRow], deadline: Deadline) -> None:
    """Mark what the newest earlier import of the benchmark has as well, and refer to it from what changed since.

    What all rows shared there, they share here.
    """
    others = SourceImport.objects.filter(format=source.format, slug=source.slug, discarded_at=None)
    before = others.exclude(pk=source.pk).first()
    if before is None:
        return
    source.shared = before.shared
    source.save(update_fields=["shared"])
    stored = DraftRow.objects.filter(source=before, part=0).values_list(
        "kind", "key", "pk", "digest", "earlier_id", "state"
    )
    known: dict[tuple[str, str], Any] = {(kind, key): rest for kind, key, *rest in stored}
    metrics = {key for kind, key in known if kind == DraftRow.Kind.METRIC}
    again = _found_again(rows, before, metrics, deadline)
    for row in rows:
        if found := known.get((row.kind, again.get(row.key, row.key))):
            pk, digest, earlier, state = found
            # What was known then already is followed to where it was worked on.
            row.earlier_id = earlier if state == DraftRow.State.KNOWN and earlier else pk
            if digest == row.digest:
                row.state = DraftRow.State.KNOWN


def _found_again(rows: list[DraftRow], before: SourceImport, known: set[str], deadline: Deadline) -> dict[str, str]:
    """The earlier keys of metrics without ids whose words changed a little; nothing but words is compared."""
    metrics = [row for row in rows if row.kind == DraftRow.Kind.METRIC]
    new = {row.key: row.text for row in metrics if row.key not in known}
    gone = known - {row.key for row in metrics}
    if not new or not gone:
        return {}
    texts = DraftRow.objects.filter(source=before, part=0, kind=DraftRow.Kind.METRIC, key__in=gone)
    return changed_words(new, dict(texts.values_list("key", "text")), within=deadline)
