"""The methodology page's own facts: its version and changes, what was checked and what was not, and the statuses."""

from dataclasses import dataclass
from datetime import date

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evaluation.studies.status import StatusRules

Words = str | Promise


@dataclass(frozen=True)
class Change:
    """A version of the page and what became different with it."""

    version: str
    day: date
    words: Words


# The newest first. A change of meaning raises the first number, a change of words the second.
CHANGES = (
    Change(
        "1.1",
        date(2026, 11, 30),
        _(
            "Added: one number traced with all its sums, the formulas, how two models are told apart, how "
            "conversations are chosen, what was not checked yet, and how to count again. No number changed."
        ),
    ),
    Change("1.0", date(2026, 7, 1), _("First version.")),
)


@dataclass(frozen=True)
class Check:
    """One question to the method; `result` empty = nobody has checked it yet. `source` names where it stands."""

    question: Words
    result: Words = ""
    amount: Words = ""
    source: Words = ""


CHECKS = (
    Check(
        _("Does the judge say the same when asked again?"),
        _("In 82.5 % of the conversations it said the same three times. Helpful behaviour: 75.0 %. Harmful: 90.0 %."),
        _("240 conversations, three times each"),
        _("ImpactBench paper, section 3.5.3"),
    ),
    Check(
        _("Do experts agree with the judge?"),
        _("They agreed with 70 verdicts (80.5 %), disagreed with 6 (6.9 %) and were unsure about 11 (12.6 %)."),
        _("87 verdicts, ten experts of the project itself"),
        _("ImpactBench paper, section 3.5.4"),
    ),
    Check(
        _("Are the simulated users like real ones?"),
        _("81.4 % of the conversations were found somewhat or very realistic; so 18.6 % were not."),
        _("86 conversations, experts of the project itself"),
        _("ImpactBench paper, section 3.4.4"),
    ),
    Check(
        _("Do the scenarios fit the metrics?"),
        _("75.9 % of the scenarios were found good or very good; so 24.1 % were not."),
        _("87 scenarios, experts of the project itself"),
        _("ImpactBench paper, section 3.3.3"),
    ),
    Check(
        _("Does the range hold the truth as often as it says (95 in 100)?"),
        _(
            "In simulations with the paper’s design: in 94.3 of 100. With few metrics in a benchmark less: 82.6 with "
            "2, 88.3 with 3, 91.4 with 5. One benchmark alone with 2, 3 or 5 metrics: 50, 58, 80."
        ),
        _("1,000 simulated releases, of which the truth is known"),
        _("Our own simulation, in the source code"),
    ),
    Check(_("Would another judge find the same?")),
    Check(_("Would another simulated user lead to the same?")),
    Check(_("Do experts from outside the project agree with the judge?")),
    Check(_("Does it hold in other languages than English?")),
    Check(_("Does what a model does here show in everyday use, or in how people fare?")),
)


def status_rules(rules: StatusRules) -> list[str]:
    """What a metric needs on this site to be called expert-reviewed, and what makes it disputed, in sentences."""
    needed = {
        "raters": rules.least_raters,
        "chats": rules.least_conversations,
        "relevance": f"{rules.least_relevance:g}",
        "adequate": f"{rules.least_adequate:.0%}".rstrip("%"),
    }
    said = [
        gettext(
            "Expert-reviewed: in published reviews by experts at least %(raters)s people rated it in at least "
            "%(chats)s chats, found it relevant (%(relevance)s of 4 or more in the mean), and %(adequate)s of 100 or "
            "more found its examples adequate."
        )
        % needed
    ]
    if rules.disputes_to_be_disputed:
        said.append(
            gettext("Disputed: doubts from readers that are shown and not answered yet: %(n)s or more.")
            % {"n": rules.disputes_to_be_disputed}
        )
    if rules.contested_to_be_disputed:
        said.append(
            gettext("Disputed, too: chats on which experts could not agree in the end: %(n)s or more.")
            % {"n": rules.contested_to_be_disputed}
        )
    return said


STATUS_MEANINGS: dict[str, Words] = {
    "draft": _("Written down. No published test has measured it yet."),
    "machine-judged": _("A release has it: run and judged by an AI judge. No expert has checked the verdicts yet."),
    "expert-reviewed": _("Experts have checked its words and a sample of its verdicts."),
    "disputed": _("Somebody gave reasons against it that have not been settled. The reasons are shown."),
    "retired": _("No longer run. Old results stay where they are."),
}
