"""Makes one benchmark of the drafts of a published benchmark's files, with what is known of its publication."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluation.importers.formats.beginnings import beginning
from evaluation.importers.formats.draft_keys import Keys
from evaluation.importers.formats.draft_types import BenchmarkDraft, MetricDraft, ReadDrafts, ScenarioDraft, Sharing
from evaluation.importers.formats.equal_criteria import join_equal
from evaluation.importers.formats.licences import Licence, licence_in
from evaluation.importers.formats.notices_in_text import notices_in
from evaluation.importers.formats.types import Remark, Source

_LICENCE_NAMES = re.compile(r"(licen[cs]e|copying)\b", re.IGNORECASE)
# A scenario of more metrics than these tells nobody what it is for.
MOST_METRICS = 200
_KEEP_WHOLE = "disclaimer shall also be included"


@dataclass(frozen=True)
class Publication:
    """A benchmark as its makers publish it; `licence` is that of the publication, None where it has none."""

    slug: str
    name: str
    source: Source
    licence: str | None
    # What the licence asks for that no data file holds.
    duty: str | None = None
    # 'no' where it is known that nothing gives a right to share.
    sharing: Sharing = "unknown"
    is_verified: bool = True


class Gathering:
    """The drafts of one file or of all files of a folder, before equal ones are joined."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.metrics: list[MetricDraft] = []
        self.scenarios: list[ScenarioDraft] = []
        self.flags: list[Remark] = []
        self.skipped: list[Remark] = []
        self.must_keep: list[str] = []
        # What the files themselves state.
        self.licences: list[Licence] = []
        self.description = ""
        self._metric_keys = Keys()
        self._scenario_keys = Keys()
        self._metric_words: dict[str, str] = {}
        self._scenario_words: dict[str, str] = {}

    def place(self, file: Path, place: str) -> str:
        """'row 7', with the file before it where there are several."""
        return place if file == self.path else f"{file.relative_to(self.path).as_posix()}, {place}"

    def metric_key(self, key: str, words: str, place: str) -> str:
        chosen, is_changed = self._metric_keys.take(key, words)
        self._metric_words[chosen] = words
        return self._told(chosen, key, place) if is_changed else chosen

    def scenario_key(self, key: str, words: str, place: str) -> str:
        chosen, is_changed = self._scenario_keys.take(key, words)
        self._scenario_words[chosen] = words
        return self._told(chosen, key, place) if is_changed else chosen

    def has_metric(self, key: str) -> bool:
        return key in self._metric_words

    def has_scenario(self, key: str, words: str) -> bool:
        """Whether a scenario with this key and these words was gathered."""
        return self._scenario_words.get(key) == words

    def flag(self, place: str, text: str) -> None:
        self.flags.append(Remark(place, text))

    def skip(self, place: str, text: str) -> None:
        self.skipped.append(Remark(place, text))

    def _told(self, chosen: str, key: str, place: str) -> str:
        self.flag(place, f"the id {key!r} stands here again: this one is called {chosen}")
        return chosen


def drafts(publication: Publication, gathered: Gathering) -> ReadDrafts:
    """The benchmark: equal criteria joined, notices proposed, the licence with whether it was seen."""
    metrics, scenarios = join_equal(gathered.metrics, gathered.scenarios)
    seen = _licence_stated(gathered.licences) or _licence_beside(gathered.path)
    benchmark = BenchmarkDraft(
        slug=publication.slug,
        name=publication.name,
        description=gathered.description,
        sources=(publication.source,),
        licence=seen[0].name if seen else publication.licence,
        sharing=seen[0].sharing if seen else publication.sharing,
        content_notices=notices_in(_texts(metrics, scenarios)),
        must_keep=tuple(dict.fromkeys((*gathered.must_keep, *(_to_keep(seen[1]) if seen else ())))),
        metrics=metrics,
        scenarios=scenarios,
        verified=publication.is_verified,
    )
    flags = (*_licence_flags(publication, seen is not None), *gathered.flags)
    return ReadDrafts(benchmark, flags, tuple(gathered.skipped))


def _licence_stated(licences: list[Licence]) -> tuple[Licence, str] | None:
    """What the files state; of several licences the one that allows least says whether to share."""
    names = list({licence.name.lower(): licence.name for licence in reversed(licences) if licence.name}.values())[::-1]
    if not names:
        return None
    least = min(licences, key=lambda licence: ("no", "unknown", "yes").index(licence.sharing))
    return Licence("; ".join(names), least.sharing, least.reason), ""


def _licence_beside(folder: Path) -> tuple[Licence, str] | None:
    """The licence in a folder and its text; a file alone has none beside it that could be trusted to be its own."""
    files = sorted(folder.rglob("*")) if folder.is_dir() else []
    for file in files:
        if _LICENCE_NAMES.match(file.name) and file.is_file() and not file.is_symlink():
            text = beginning(file)
            licence = licence_in(text)
            if licence.name:
                return licence, text
    return None


def _to_keep(text: str) -> tuple[str, ...]:
    return (text.strip(),) if _KEEP_WHOLE in " ".join(text.split()) else ()


def _licence_flags(publication: Publication, is_seen: bool) -> Iterator[Remark]:
    if is_seen:
        return
    if publication.licence is None:
        yield Remark(
            "file", f"{publication.name} is published without a licence: its words must not be shown to others"
        )
        return
    stated = f"states no licence; {publication.name} is published under {publication.licence}"
    yield Remark("file", f"{stated}: confirm that it holds before its words are shown to others")
    if publication.duty:
        yield Remark("file", publication.duty)


def _texts(metrics: tuple[MetricDraft, ...], scenarios: tuple[ScenarioDraft, ...]) -> Iterator[str]:
    yield from (metric.origin.text for metric in metrics)
    yield from (scenario.origin.text for scenario in scenarios)
