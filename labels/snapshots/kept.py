"""The files of a release that are kept for everybody: which there are, and where.

`SNAPSHOTS/<release>/<edition>/` is one whole snapshot; names that begin with a dot are being made or taken away.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import orjson
from django.conf import settings
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from evaluation.models import Release
from impactbench.common.whole_files import checksum
from labels.snapshots.parts import PARTS
from labels.snapshots.snapshot import DESCRIPTION, MANIFEST, README

_DOCUMENTS = (
    (README, "text/markdown; charset=utf-8", _("What is in the files, what to say beside the numbers, how to cite.")),
    (MANIFEST, "application/json", _("The release, its limits and licences, and the checksum of each table.")),
    (DESCRIPTION, "application/ld+json", _("The columns of each table, for programs (Croissant).")),
)


@dataclass(frozen=True)
class KeptFile:
    """A file that can be had: `rows` is None where it is no table; `path` leads to it on this site."""

    name: str
    explanation: str | Promise
    media_type: str
    rows: int | None
    bytes: int
    sha256: str
    path: str
    place: Path


def folder_of(release: Release) -> Path:
    """Where the release's snapshots are."""
    return Path(settings.SNAPSHOTS) / release.slug


def kept_files(release: Release) -> list[KeptFile] | None:
    """The files of the newest snapshot, documents first, then its tables; None while none can be read."""
    try:
        whole = [one for one in folder_of(release).iterdir() if not one.name.startswith(".")]
        folder = max(whole, key=lambda one: one.stat().st_mtime, default=None)
        return _files(release, folder) if folder else None
    except OSError:
        return None


def _files(release: Release, folder: Path) -> list[KeptFile]:
    manifest = orjson.loads((folder / MANIFEST).read_bytes())
    documents = [_document(release, folder / name, media_type, words) for name, media_type, words in _DOCUMENTS]
    return [*documents, *(_table(release, folder, entry) for entry in manifest["files"])]


def _document(release: Release, place: Path, media_type: str, explanation: Promise) -> KeptFile:
    sha256 = checksum(place)
    path = _path(release, place.name, sha256)
    return KeptFile(place.name, explanation, media_type, None, place.stat().st_size, sha256, path, place)


def _table(release: Release, folder: Path, entry: dict[str, Any]) -> KeptFile:
    numbers = {name: entry[name] for name in ("name", "media_type", "rows", "bytes", "sha256")}
    path = _path(release, entry["name"], entry["sha256"])
    explanation = PARTS[entry["part"]].explanation
    return KeptFile(**numbers, explanation=explanation, path=path, place=folder / entry["name"])


def _path(release: Release, name: str, sha256: str) -> str:
    """The file's address; with its checksum, so that who keeps what came from there never has another file."""
    return f"{reverse('labels:release-file', args=[release.slug, name])}?{urlencode({'sha256': sha256})}"
