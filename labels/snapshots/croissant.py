"""Describes the files of a release in Croissant, the vocabulary for data sets of machine learning (MLCommons, 1.0)."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings

from evaluation.models import Release
from labels.citing import PAPER
from labels.snapshots.columns import Column, Kind
from labels.snapshots.parts import Part

_TYPES = {
    Kind.TEXT: "sc:Text",
    Kind.JSON: "sc:Text",
    Kind.INTEGER: "sc:Integer",
    Kind.NUMBER: "sc:Float",
    Kind.TRUTH: "sc:Boolean",
}
# The words that Croissant documents begin with, as its specification gives them.
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant(
    release: Release, files: Sequence[dict[str, Any]], parts: Sequence[Part], format_: str, description: str
) -> dict[str, Any]:
    """The release's files as a Croissant document; `files` are entries of the manifest.

    Records are those of the files in `format_`: what other formats hold is the same.
    """
    document: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"impactbench-{release.slug}",
        "description": description,
        "version": "1.0.0",
        "datePublished": release.published_at.date().isoformat(),
        "citeAs": PAPER,
        "isLiveDataset": False,
        "distribution": [_file_object(entry) for entry in files],
        "recordSet": [_record_set(part, f"{part.name}.{format_}", format_) for part in parts],
    }
    if settings.SITE_LICENCE:
        document["license"] = settings.SITE_LICENCE
    return document


def _file_object(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": entry["name"],
        "name": entry["name"],
        "contentUrl": entry["name"],
        "contentSize": f"{entry['bytes']} B",
        "encodingFormat": entry["media_type"],
        "sha256": entry["sha256"],
    }


def _record_set(part: Part, file: str, format_: str) -> dict[str, Any]:
    # Croissant has no lists of records; in CSV they are text, elsewhere only the description can name them.
    columns = part.columns()
    told = [column for column in columns if format_ == "csv" or column.kind is not Kind.RECORD]
    rest = [
        f"{column.name}, a list of records of {', '.join(part.name for part in column.parts)}"
        for column in columns
        if column not in told
    ]
    return {
        "@type": "cr:RecordSet",
        "@id": part.name,
        "name": part.name,
        "description": " ".join([str(part.explanation), *(f"Each row also has {words}." for words in rest)]),
        "field": [_field(column, part.name, file, format_) for column in told],
    }


def _field(column: Column, above: str, file: str, format_: str) -> dict[str, Any]:
    place = f"{above}/{column.name}"
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": place,
        "name": place,
        "description": column.explanation or column.name.replace("_", " "),
        "dataType": _TYPES.get(column.kind, "sc:Text"),
        "source": {"fileObject": {"@id": file}, "extract": _extract(column, format_)},
    }
    if column.many and format_ != "csv":
        field["repeated"] = True
    return field


def _extract(column: Column, format_: str) -> dict[str, str]:
    return {"jsonPath": f"$[*].{column.name}"} if format_ == "json" else {"column": column.name}
