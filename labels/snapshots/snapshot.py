"""A whole release as a folder of files, with what is needed to use them: a manifest, a description, a canary."""

from collections.abc import Callable
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
from labels.snapshots.parts import PARTS
from labels.snapshots.writing import FORMATS

MANIFEST, DESCRIPTION, README = "manifest.json", "croissant.json", "README.md"


def write_snapshot(
    release: Release, format_: str, folder: Path, told: Callable[[str], None] = lambda _line: None
) -> dict[str, Any]:
    """Write every table of the release into the new folder and return the manifest.

    The same release gives the same rows and hashes with the same versions of code and libraries. `told` hears a line
    for each file.
    """
    folder.mkdir()
    files = []
    for part in PARTS.values():
        name = f"{part.name}.{format_}"
        n = FORMATS[format_](part.rows(release), part.columns(), folder / name)
        size, sum_ = (folder / name).stat().st_size, checksum(folder / name)
        files.append({"name": name, "part": part.name, "rows": n, "bytes": size, "sha256": sum_})
        told(f"{name}: {n:,} rows")
    manifest = _manifest(release, format_, files)
    described = croissant(release, files, tuple(PARTS.values()), format_, " ".join(manifest["notes"]))
    _write(folder / DESCRIPTION, described)
    _write(folder / MANIFEST, manifest)
    (folder / README).write_text(_readme(release, manifest), encoding="utf-8")
    return manifest


def _manifest(release: Release, format_: str, files: list[dict[str, Any]]) -> dict[str, Any]:
    measured = release.metric_versions.values("metric__benchmark")
    benchmarks = Benchmark.objects.filter(pk__in=measured).order_by("slug")
    return {
        "release": ReleaseSerializer(release).data,
        "format": format_,
        "files": files,
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
