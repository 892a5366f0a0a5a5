"""Imports benchmark files: chooses each one's format, reads it, and writes it all or nothing."""

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.db import transaction

from evaluation.importers.formats.draft_types import ReadDrafts
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.registry import AUTO, AnyFormat, choose_format
from evaluation.importers.writing.benchmarks import write_benchmark
from evaluation.importers.writing.from_drafts import benchmark_of_drafts
from evaluation.importers.writing.kept_ids import with_kept_ids
from evaluation.importers.writing.reports import FileReport


def import_benchmarks(
    paths: Iterable[Path], *, actor: Any, format_name: str = AUTO, is_accepted: bool = False, is_dry_run: bool = False
) -> list[FileReport]:
    """Import the benchmark files that lie at or under these paths; one report each, in order.

    A file that cannot be read or written is `failed` and leaves nothing behind; the others are imported all the
    same. `is_accepted` makes the drafts of formats other than the native one runnable; the caller has checked that
    the actor may do that. `is_dry_run` reports the same and writes nothing.
    """
    reports: list[FileReport] = []
    first_file: dict[str, Path] = {}
    with transaction.atomic() if is_dry_run else nullcontext():
        for path in paths:
            reports += _import_path(path, first_file, actor, format_name, is_accepted=is_accepted)
        if is_dry_run:
            transaction.set_rollback(True)
    return reports


def _import_path(
    path: Path, first_file: dict[str, Path], actor: Any, format_name: str, *, is_accepted: bool
) -> Iterator[FileReport]:
    try:
        chosen = choose_format(path, format_name)
    except FileProblem as problem:
        yield _failed(path, format_name, problem)
        return
    files = chosen.find(path)
    if not files:
        name = chosen.describe().name
        yield _failed(path, name, FileProblem(path, f"holds no file of the format {name}"))
    for file in files:
        try:
            yield _import_file(file, chosen, first_file, actor, is_accepted=is_accepted)
        except FileProblem as problem:
            yield _failed(file, chosen.describe().name, problem)


def _import_file(
    file: Path, chosen: AnyFormat, first_file: dict[str, Path], actor: Any, *, is_accepted: bool
) -> FileReport:
    description = chosen.describe()
    read = chosen.read(file)
    if isinstance(read, ReadDrafts):
        read = with_kept_ids(benchmark_of_drafts(read))
    before = first_file.setdefault(read.benchmark.slug, file)
    if before != file:
        raise FileProblem(file, _read_before(read.benchmark.slug, file, before, chosen))
    return write_benchmark(
        read,
        actor=actor,
        file=file,
        format_name=description.name,
        is_runnable=description.is_runnable or is_accepted,
        is_accepted=is_accepted and not description.is_runnable,
    )


def _read_before(slug: str, file: Path, before: Path, chosen: AnyFormat) -> str:
    """What to do about a second file of one benchmark: many formats are several files, which their folder holds."""
    folder = file.parent
    if chosen.describe().is_runnable:
        way_out = "give it a slug"
    elif before.parent == folder and folder in chosen.find(folder):
        way_out = f"give the folder {folder} instead, whose files are read together"
    else:
        way_out = "put files of one benchmark into one folder, and give another benchmark's file another name"
    return f"the benchmark {slug!r} was already read from {before}; {way_out}"


def _failed(file: Path, format_name: str, problem: FileProblem) -> FileReport:
    return FileReport(
        file=str(file),
        format=format_name,
        status="failed",
        reason=problem.message,
        line=problem.line,
        column=problem.column,
        problem=str(problem),
    )
