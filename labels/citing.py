"""How to cite the site, a release, a label or a conversation: APA, BibTeX and CFF.

A citation is data: its words are English, whatever the language of the page. No day of access is in it: a release never
changes, so APA wants none, and a page out of the cache would name the day of whoever came first.
"""

import json
import re
from dataclasses import dataclass

from evaluation.models import Conversation, LanguageModel, Release
from labels.transcripts import visible

# The paper that describes the method.
PAPER = (
    "Open Benchmark of AI Impact on Humans (ImpactBench): an expert-guided, open platform for the holistic evaluation "
    "of AI impact on humans"
)
# What LaTeX reads as more than a character.
_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}  # fmt: skip


@dataclass(frozen=True)
class Citation:
    """One citation in three forms, plain text."""

    apa: str
    bibtex: str
    cff: str


def site_citation(address: str) -> Citation:
    """The site as a whole, which grows with every release and so has no year."""
    return _citation("site", "ImpactBench: what AI models did to people in simulated conversations", None, address)


def release_citation(release: Release, address: str) -> Citation:
    """A release, which never changes."""
    return _citation(f"release-{release.slug}", f"ImpactBench: {release.title}", release, address)


def label_citation(release: Release, model: LanguageModel, address: str) -> Citation:
    """The label of a model in a release."""
    title = f"AI Nutrition Label of {model.name}"
    return _citation(f"label-{model.slug}-{release.slug}", title, release, address)


def conversation_citation(release: Release, shown: Conversation, title: str, address: str) -> Citation:
    """One conversation of a release; `title` is its scenario's."""
    who = f"{shown.target.name} with a simulated user ({shown.scenario.profile.name})"
    return _citation(f"conversation-{shown.public_id}", f"{title}: conversation of {who}", release, address)


def _citation(key: str, title: str, release: Release | None, address: str) -> Citation:
    title = " ".join(visible(title).split())
    year = str(release.published_at.year) if release else "n.d."
    edition = ""
    if release:
        edition = f"{visible(release.title)}, release {release.slug}, fingerprint {release.content_hash[:12]}"
    apa = f"ImpactBench. ({year}). {title}{f' [{edition}]' if edition else ''}. Retrieved from {address}"
    return Citation(apa, _bibtex(key, title, release, edition, address), _cff(title, release, address))


def _bibtex(key: str, title: str, release: Release | None, edition: str, address: str) -> str:
    fields = {"author": "{ImpactBench}", "title": f"{{{_latex(title)}}}"}
    if release:
        fields |= {"year": str(release.published_at.year), "note": _latex(edition)}
    fields["howpublished"] = f"\\url{{{address}}}"
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@misc{{{re.sub(r'[^a-z0-9]+', '-', f'impactbench-{key}'.lower()).strip('-')},\n{lines}}}"


def _cff(title: str, release: Release | None, address: str) -> str:
    """A citation file; every value is written as a JSON string, which YAML reads as it is."""
    values = {"title": title, "url": address}
    if release:
        values |= {
            "version": release.slug,
            "date-released": release.published_at.date().isoformat(),
            "commit": release.content_hash,
        }
    lines = [
        "cff-version: 1.2.0",
        "type: dataset",
        'message: "Please cite this data set as below."',
        *(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()),
        "authors:",
        '  - name: "ImpactBench"',
    ]
    return "\n".join(lines)


def _latex(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in text)
