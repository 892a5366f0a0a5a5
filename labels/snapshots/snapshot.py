"""A whole release as a folder of files, with what is needed to use them: a manifest, a description, a canary."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings

from evaluation.models import Benchmark, Release
from impactbench.common.whole_files import checksum
from labels.api.views.releases import ReleaseSerializer
from labels.citing import PAPER
from labels.label import label_notes
from labels.snapshots.canary import canary
from labels.snapshots.croissant import croissant
from labels.snapshots.parts import PARTS, Part
from labels.snapshots.writing import FORMATS

MANIFEST, DESCRIPTION, README = "manifest.json", "croissant.json", "README.md"
MEDIA_TYPES = {
    "csv": "text/csv",
    "json": "application/json",
    "jsonl": "application/jsonlines",
    "jsonl.gz": "application/gzip",
    "parquet": "application/x-parquet",
}
# Tables that may change while a release stands: a metric is validated, a model gets another name.
CHANGING = ("metrics", "models")

Told = Callable[[str], None]


def silent(_line: str) -> None:
    """Tell nobody."""


def write_snapshot(release: Release, formats: Sequence[str], folder: Path, told: Told = silent) -> dict[str, Any]:
    """Write every table of the release in each format into the new folder and return the manifest.

    The same release gives the same rows and hashes with the same versions of code and libraries. `told` hears a line
    for each file. The description is of the first format's columns.
    """
    folder.mkdir()
    parts = tuple(PARTS.values())
    files = [_write_part(release, part, format_, folder, told) for format_ in formats for part in parts]
    manifest = {**_about(release), "formats": list(formats), "files": files}
    described = croissant(release, files, parts, formats[0], " ".join(manifest["notes"]))
    _write(folder / DESCRIPTION, described)
    _write(folder / MANIFEST, manifest)
    (folder / README).write_text(_readme(release, manifest), encoding="utf-8")
    return manifest


def edition_of(release: Release) -> str:
    """What a snapshot made now would be, in 16 digits: others where anything in it would differ."""
    tables = {name: list(PARTS[name].rows(release)) for name in CHANGING}
    columns = [repr(part.columns()) for part in PARTS.values()]
    content = orjson.dumps([_about(release), columns, tables], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(content).hexdigest()[:16]


def _write_part(release: Release, part: Part, format_: str, folder: Path, told: Told) -> dict[str, Any]:
    file = folder / f"{part.name}.{format_}"
    n = FORMATS[format_](part.rows(release), part.columns(), file)
    told(f"{file.name}: {n:,} rows")
    return {
        "name": file.name,
        "part": part.name,
        "media_type": MEDIA_TYPES[format_],
        "rows": n,
        "bytes": file.stat().st_size,
        "sha256": checksum(file),
    }


def _about(release: Release) -> dict[str, Any]:
    """The manifest without its files."""
    measured = release.metric_versions.values("metric__benchmark")
    benchmarks = Benchmark.objects.filter(pk__in=measured).order_by("slug")
    return {
        "release": ReleaseSerializer(release).data,
        "licence": settings.SITE_LICENCE or None,
        "benchmarks": [
            {"slug": benchmark.slug, "name": benchmark.name, "licence": benchmark.licence or None}
            for benchmark in benchmarks
        ],
        "notes": [str(note) for note in label_notes(release)],
        "cite": PAPER,
        "canary": canary(release),
    }


def _write(file: Path, document: dict[str, Any]) -> None:
    file.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n")


def _readme(release: Release, manifest: dict[str, Any]) -> str:
    tables = "\n".join(
        f"* `{entry['name']}`, {entry['rows']:,} rows. {PARTS[entry['part']].explanation}"
        for entry in manifest["files"]
    )
    limits = "\n".join(f"* {note}" for note in manifest["notes"])
    licence = manifest["licence"] or "not stated; ask the operator of the site before you use the data elsewhere"
    return (
        f"# ImpactBench, release {release.slug}\n\n{manifest['canary']}\n\n"
        f"{tables}\n\n`{MANIFEST}` has the checksums, `{DESCRIPTION}` the columns (Croissant).\n\n"
        f"## What to say beside the numbers\n\n{limits}\n\n"
        f"## Licence\n\nResults: {licence}. Each benchmark keeps its own licence; the manifest names it.\n\n"
        f"## How to cite\n\n{manifest['cite']}\n"
    )
