"""Compares two texts word by word, compares two lists, and puts two additions to one text together."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["same", "added", "removed"]

# Words, single characters of scripts that put no space between words, blanks, anything else.
_TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+(?:['’-][^\W\u3040-\u30ff\u3400-\u9fff]+)*|\s+|[^\w\s]"
)
# COST: what lies between two anchors is compared cell by cell up to this many cells, and replaced whole above it.
# With n words that makes n * sqrt(MOST_CELLS) steps at most.
MOST_CELLS = 40_000
DEEPEST = 12
# An equal run of so few letters between two replacements says nothing to a reader.
SHORTEST_SAME = 4


@dataclass(frozen=True)
class Segment:
    """A piece of text that both versions have, or that only the new (`added`) or the old one (`removed`) has."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class ListDiff:
    """The items that a list gained and lost, each in its list's order, and how many stayed."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    n_same: int


def diff(old: str, new: str) -> tuple[Segment, ...]:
    """The way from one text to the other; what was removed stands before what came in its place.

    The `same` and `removed` texts make up `old`, the `same` and `added` ones `new`, to the letter.
    """
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    changes: list[tuple[str, str, str]] = []
    at_old = at_new = 0
    for i, j, size in [*_runs(before, after), (len(before), len(after), 0)]:
        changes.append(("", "".join(before[at_old:i]), "".join(after[at_new:j])))
        at_old, at_new = i + size, j + size
        changes.append(("".join(before[i:at_old]), "", ""))
    return _segments(_without_tiny_runs(_paired(changes)))


def diff_lists(old: Sequence[str], new: Sequence[str]) -> ListDiff:
    """The items added and removed; an item that only moved counts as unchanged, one that is there twice as two."""
    added = _left_over(new, Counter(old))
    removed = _left_over(old, Counter(new))
    return ListDiff(added, removed, len(new) - len(added))


def merge(base: str, mine: str, theirs: str) -> str | None:
    """Both texts together, where each only adds words to `base`; None where one of them changed or removed any.

    Additions at the same place stand one after the other, mine first.
    """
    if mine == theirs or theirs == base:
        return mine
    if mine == base:
        return theirs
    my_additions, their_additions = _additions(base, mine), _additions(base, theirs)
    if my_additions is None or their_additions is None:
        return None
    parts, done = [], 0
    for place in sorted({*my_additions, *their_additions}):
        parts.append(base[done:place])
        parts.append(_both(my_additions.get(place, ""), their_additions.get(place, "")))
        done = place
    return "".join([*parts, base[done:]])


def _both(mine: str, theirs: str) -> str:
    if theirs.startswith(mine):
        return theirs
    if mine.startswith(theirs):
        return mine
    gap = "" if mine[-1].isspace() or theirs[0].isspace() else " "
    return mine + gap + theirs


def _additions(base: str, text: str) -> dict[int, str] | None:
    """Place in `base` -> what the text has there in addition; None where the text lacks something of `base`."""
    additions, place = {}, 0
    for segment in diff(base, text):
        if segment.kind == "removed":
            return None
        if segment.kind == "added":
            additions[place] = segment.text
        else:
            place += len(segment.text)
    return additions


def _left_over(items: Sequence[str], taken: Counter[str]) -> tuple[str, ...]:
    left = []
    for item in items:
        if taken[item] > 0:
            taken[item] -= 1
        else:
            left.append(item)
    return tuple(left)


def _paired(changes: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """(equal run, removed, added) each: a run together with the change after it, neighbouring runs joined."""
    paired: list[tuple[str, str, str]] = [("", "", "")]
    for same, removed, added in changes:
        last = paired[-1]
        if same and (last[1] or last[2]):
            paired.append((same, removed, added))
        else:
            paired[-1] = (last[0] + same, last[1] + removed, last[2] + added)
    return paired


def _without_tiny_runs(changes: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    kept = changes[:1]
    for same, removed, added in changes[1:]:
        before = kept[-1]
        is_replacement = (before[1] or removed) and (before[2] or added)
        is_last = not removed and not added
        if is_replacement and not is_last and len(same.strip()) < SHORTEST_SAME and "\n" not in same:
            kept[-1] = (before[0], before[1] + same + removed, before[2] + same + added)
        else:
            kept.append((same, removed, added))
    return kept


def _segments(changes: list[tuple[str, str, str]]) -> tuple[Segment, ...]:
    kinds: tuple[Kind, Kind, Kind] = ("same", "removed", "added")
    return tuple(Segment(kind, text) for change in changes for kind, text in zip(kinds, change, strict=True) if text)


def _runs(old: list[str], new: list[str]) -> list[tuple[int, int, int]]:
    """Equal runs (place in old, place in new, length) in rising order.

    Words that stand exactly once on both sides are anchors, as in a patience diff; what is between two anchors is
    treated in the same way, and what has no anchor by the longest common subsequence.
    """
    runs: list[tuple[int, int, int]] = []
    todo = [(0, len(old), 0, len(new), 0)]
    while todo:
        i, i_end, j, j_end, depth = todo.pop()
        start = 0
        while i + start < i_end and j + start < j_end and old[i + start] == new[j + start]:
            start += 1
        end = 0
        while i_end - end > i + start and j_end - end > j + start and old[i_end - end - 1] == new[j_end - end - 1]:
            end += 1
        runs += [(i, j, start), (i_end - end, j_end - end, end)]
        i, j, i_end, j_end = i + start, j + start, i_end - end, j_end - end
        anchors = _anchors(old, new, i, i_end, j, j_end) if depth < DEEPEST else []
        if anchors:
            for at_old, at_new in anchors:
                todo.append((i, at_old, j, at_new, depth + 1))
                runs.append((at_old, at_new, 1))
                i, j = at_old + 1, at_new + 1
            todo.append((i, i_end, j, j_end, depth + 1))
        elif 0 < (i_end - i) * (j_end - j) <= MOST_CELLS:
            runs += _common_subsequence(old, new, i, i_end, j, j_end)
    return sorted(run for run in runs if run[2])


def _anchors(old: list[str], new: list[str], i: int, i_end: int, j: int, j_end: int) -> list[tuple[int, int]]:
    """Places of words that stand once on each side, as many as keep one order (longest rising sequence)."""
    n_old, n_new = Counter(old[i:i_end]), Counter(new[j:j_end])
    places = {new[at]: at for at in range(j, j_end) if n_new[new[at]] == 1 and n_old[new[at]] == 1}
    pairs = [(at, places[old[at]]) for at in range(i, i_end) if old[at] in places and not old[at].isspace()]
    tails: list[int] = []
    tail_pairs: list[int] = []
    previous: list[int] = []
    for index, (_, place) in enumerate(pairs):
        at = bisect_left(tails, place)
        previous.append(tail_pairs[at - 1] if at else -1)
        tails[at : at + 1] = [place]
        tail_pairs[at : at + 1] = [index]
    chain, index = [], tail_pairs[-1] if tail_pairs else -1
    while index >= 0:
        chain.append(pairs[index])
        index = previous[index]
    return chain[::-1]


def _common_subsequence(
    old: list[str], new: list[str], i: int, i_end: int, j: int, j_end: int
) -> list[tuple[int, int, int]]:
    width = j_end - j + 1
    table = [[0] * width]
    for at in range(i_end - 1, i - 1, -1):
        below, row = table[-1], [0] * width
        for column in range(width - 2, -1, -1):
            if old[at] == new[j + column]:
                row[column] = below[column + 1] + 1
            else:
                row[column] = max(below[column], row[column + 1])
        table.append(row)
    table.reverse()
    found, at_old, at_new = [], i, j
    while at_old < i_end and at_new < j_end:
        if old[at_old] == new[at_new]:
            found.append((at_old, at_new, 1))
            at_old, at_new = at_old + 1, at_new + 1
        elif table[at_old - i + 1][at_new - j] >= table[at_old - i][at_new - j + 1]:
            at_old += 1
        else:
            at_new += 1
    return found
