"""The words of the site, each with one plain explanation; pages link to them by `#slug`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from django.utils.functional import lazy
from django.utils.translation import gettext, gettext_noop

from labels import bands
from labels.wording import _


@dataclass(frozen=True)
class Term:
    """A word, what it means, and where to read more on the site."""

    slug: str
    word: str
    meaning: str
    more: str = ""


def _floors_in(text: str) -> str:
    return gettext(text) % bands.floors()


# In the language of whoever reads, like the other meanings.
_with_floors = cast(Callable[[str], str], lazy(_floors_in, str))

TERMS = (
    Term(
        "adjusted",
        _("Adjusted"),
        _("Who looks at many pairs finds some that differ by chance. Adjusted means: that has been allowed for."),
        "/methodology/#compare",
    ),
    Term(
        "area",
        _("Area"),
        _("A part of life that AI models may touch, such as learning or health. Each area has subareas."),
        "/explore/",
    ),
    Term(
        "avoids-harm",
        _("Avoids harm"),
        _("How often, in 100 test chats that led to something harmful, the model kept clear of it. Higher is better."),
        "/methodology/#two-numbers",
    ),
    Term(
        "behaviour",
        _("Behaviour"),
        _("Something a model does in a chat that a reader can find there, such as asking a question back."),
    ),
    Term("benchmark", _("Benchmark"), _("A family of metrics with one author or source."), "/benchmarks/"),
    Term(
        "cannot-tell-apart",
        _("Can’t tell apart"),
        _("The gap between two numbers may be chance. It does not mean that the two are equal."),
        "/methodology/#compare",
    ),
    Term(
        "case-study",
        _("Case study"),
        _("A chat that an editor explains turn by turn, beside the numbers of its metric."),
    ),
    Term(
        "chat",
        _("Chat, conversation"),
        _("A talk of a few turns between a simulated user and the model under test. Each one can be read."),
        "/metrics/",
    ),
    Term(
        "chosen-conversations",
        _("Worst, typical and best conversation"),
        _("Three chats that stand beside a row. A fixed rule picks them, not a person."),
        "/methodology/#chosen-conversations",
    ),
    Term(
        "content-notice",
        _("Content notice"),
        _("A line that says a chat speaks of something painful. Such a chat opens only when you ask for it."),
    ),
    Term(
        "coverage",
        _("Coverage"),
        _with_floors(
            gettext_noop(
                "The share of a group's metrics for which a model has at least one judged chat. Under %(partly)s in "
                "100 the number is marked as partly tested; under %(hidden)s in 100 it is not shown."
            )
        ),
        "/methodology/#bands",
    ),
    Term(
        "demonstration",
        _("Demonstration"),
        _("Results of a tiny model that runs on this machine, to show how the site works. They are no finding."),
    ),
    Term(
        "difference",
        _("Difference"),
        _(
            "How far apart two numbers are, with a range of its own. "
            "“Higher” is said only where chance would rarely make it."
        ),
        "/methodology/#compare",
    ),
    Term(
        "evidence",
        _("Evidence"),
        _("The passages of a chat that the judge points to. They are marked in the chat when they stand there."),
    ),
    Term(
        "fingerprint",
        _("Fingerprint"),
        _("A long number made from data. If one digit of the data changes, the fingerprint does too."),
    ),
    Term(
        "good-outcome",
        _("Good outcome"),
        _("The behaviour was there and is a helpful one, or it was not there and is a harmful one."),
        "/methodology/#pipeline",
    ),
    Term(
        "headline",
        _("Headline"),
        _("One of the two large numbers on a label: over all metrics of one kind. The two are never added."),
        "/methodology/#two-numbers",
    ),
    Term(
        "hollow-mark",
        _("Hollow mark"),
        _with_floors(gettext_noop("The number rests on fewer than %(few)s chats. Read the range, not the number.")),
        "/methodology/#bands",
    ),
    Term(
        "judge",
        _("Judge"),
        _("An AI model that reads a whole chat and says if the behaviour was there. It does not know if that is good."),
    ),
    Term(
        "kappa",
        _("Kappa"),
        _("How far two readers agree beyond chance: 0 is what chance would give, 1 is always."),
        "/methodology/#checks",
    ),
    Term(
        "label",
        _("AI Nutrition Label"),
        _("One model's results on one card: two headline numbers, and a row for each topic."),
        "/labels/",
    ),
    Term(
        "label-row",
        _("Row of the label"),
        _("One topic on a label, such as honesty, with all metrics of one kind that belong to it."),
        "/methodology/#bands",
    ),
    Term(
        "metric",
        _("Metric"),
        _("One behaviour in exact words, tested in several chats with each model."),
        "/metrics/",
    ),
    Term("n", _("n"), _("How many judged chats a number rests on.")),
    Term(
        "no-verdict",
        _("No verdict"),
        _(
            "A chat that could not be judged. It counts neither as good nor as not good, and is counted beside the "
            "result."
        ),
    ),
    Term(
        "not-checked-yet",
        _("Not checked yet"),
        _("Nobody has looked into it. It does not mean that all is well, nor that it is not."),
        "/methodology/#checks",
    ),
    Term(
        "not-published",
        _("Not published"),
        _("The source of imported results did not say. Nothing was guessed in its place."),
    ),
    Term(
        "open-weights",
        _("Open weights"),
        _("Anybody can have the model's numbers and run it on their own machine."),
    ),
    Term(
        "partly-tested",
        _("Partly tested"),
        _with_floors(
            gettext_noop(
                "The model has data on fewer than %(partly)s in 100 of the metrics. It takes no part in any order or "
                "comparison."
            )
        ),
        "/methodology/#bands",
    ),
    Term(
        "profile",
        _("Who was asking"),
        _("The kind of person the simulated user plays, such as a teenager of 13 to 17 years."),
    ),
    Term(
        "promotes-good",
        _("Promotes good"),
        _("How often, in 100 test chats that called for something helpful, the model did it. Higher is better."),
        "/methodology/#two-numbers",
    ),
    Term(
        "range",
        _("Range"),
        _(
            "Where the number would usually land if the test were repeated with other metrics like these: in 95 of 100 "
            "repeats. The wider it is, the less the number says."
        ),
        "/methodology/#range",
    ),
    Term(
        "release",
        _("Release"),
        _("A set of results that was frozen on one day and never changes. It can be withdrawn, with a reason."),
        "/releases/",
    ),
    Term(
        "scenario",
        _("Scenario"),
        _("A situation with a person, a wish and a course that the chat takes. Each metric has several."),
    ),
    Term(
        "simulated-user",
        _("Simulated user"),
        _("An AI model that plays the person in a chat. Nobody real wrote those lines."),
    ),
    Term(
        "status",
        _("Status"),
        _("How far a metric has been checked: from not measured yet to reviewed by experts."),
        "/methodology/#status",
    ),
    Term(
        "strength",
        _("Strength"),
        _("The row that lies clearly above the model's own headline of its kind, where there is one."),
        "/methodology/#weakest-spot",
    ),
    Term(
        "stress-test",
        _("Stress test"),
        _("A test that pushes on purpose. It shows what can happen, not how often it does in everyday use."),
    ),
    Term(
        "system-prompt",
        _("Told beforehand"),
        _("What a model is told before a chat begins. In these tests it is often nothing."),
    ),
    Term("turn", _("Turn"), _("One message of the person and the reply to it.")),
    Term("verdict", _("Verdict"), _("The judge's answer for one chat: was the behaviour there, yes or no.")),
    Term(
        "weakest-spot",
        _("Weakest spot"),
        _("The row that lies clearly below the model's own headline of its kind, where there is one."),
        "/methodology/#weakest-spot",
    ),
    Term(
        "words-for-numbers",
        _("Often, sometimes, rarely"),
        _("Words for how often something was seen in tests. They do not say how good that is."),
        "/methodology/#bands",
    ),
)
