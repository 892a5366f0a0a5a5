"""What a model's page says besides its history: where it stands out, by rule, and what must be known of its data."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from labels.label import Label, Row
from labels.reasons import why
from labels.strengths import strength
from labels.weakest import weakest_spot


@dataclass(frozen=True)
class Standout:
    """A row that lies clearly apart from the headline of its kind."""

    row: Row
    is_strength: bool


def standouts(label: Label) -> list[Standout]:
    """Strengths, then weak spots, at most one of each in a kind; often none."""
    headlines = {headline.kind.polarity: headline.cell for headline in label.headlines}
    found = [(block, headlines[block.kind.polarity]) for block in label.blocks]
    strengths = [strength(block.rows, headline) for block, headline in found]
    weak = [weakest_spot(block.rows, headline) for block, headline in found]
    return [Standout(row, True) for row in strengths if row] + [Standout(row, False) for row in weak if row]


def known_issues(label: Label) -> list[str]:
    """What a reader must know of the model's data in the label's release, as sentences; empty when there is nothing."""
    cells = label.headline_cells
    issues = [
        _("%(kind)s rests on %(part)s only.") % {"kind": shown.kind.name, "part": shown.coverage_words}
        for shown in cells
        if shown.is_partial
    ]
    results = [shown.result for shown in cells if shown.result]
    reasons: dict[str, int] = {}
    for result in results:
        for code, n in result.unjudged_reasons.items():
            reasons[code] = reasons.get(code, 0) + n
    for code, n in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        words = why(code) or _("No reason kept.")
        count = ngettext("%(n)s chat could not be judged.", "%(n)s chats could not be judged.", n) % {"n": f"{n:,}"}
        issues.append(f"{count} {words}")
    never = sum(result.n_planned - result.n_conversations for result in results)
    if never > 0:
        issues.append(
            ngettext("%(n)s planned chat never ended.", "%(n)s planned chats never ended.", never) % {"n": f"{never:,}"}
        )
    issues += [
        _("Not everything in this release was tested alike: %(difference)s") % {"difference": difference}
        for difference in label.release.unlike
    ]
    return issues
