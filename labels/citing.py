"""How to cite a page of results: as a line in APA style and as a BibTeX entry, with its release and date of access."""

import re
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format

from evaluation.models import Release
from labels.transcripts import visible

# What LaTeX reads as more than a character.
_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}  # fmt: skip


@dataclass(frozen=True)
class Citation:
    """The two forms, plain text."""

    apa: str
    bibtex: str


def citation(title: str, release: Release, address: str, on: date) -> Citation:
    """How to cite the page `title` of a release at its pinned `address`, opened on a day.

    Titles are English, whatever the language of the page: a citation is data.
    """
    title = " ".join(visible(title).split())
    year = release.published_at.year
    apa = (
        f"ImpactBench. ({year}). {title} [{release.title}, release {release.slug}]. "
        f"Retrieved {date_format(on, 'F j, Y')}, from {address}"
    )
    key = re.sub(r"[^a-z0-9]+", "-", f"impactbench-{release.slug}-{address.rstrip('/').rsplit('/', 1)[-1]}".lower())
    fields = {
        "author": "{ImpactBench}",
        "title": f"{{{_latex(title)}}}",
        "year": str(year),
        "note": _latex(f"{release.title}, release {release.slug}; accessed {on.isoformat()}"),
        "howpublished": f"\\url{{{address}}}",
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return Citation(apa, f"@misc{{{key.split('?')[0].strip('-')},\n{lines}}}")


def _latex(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in text)
