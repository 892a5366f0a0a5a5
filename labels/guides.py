"""Guides for readers of one kind: in which order to read, with which questions; never other numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from labels.queries import Place

Words = str | Promise


@dataclass(frozen=True)
class Step:
    """One plain question, what the site can say to it, and where; `page` is a name in `labels.urls`."""

    question: Words
    answer: Words
    link: Words
    page: str
    anchor: str = ""

    @property
    def path(self) -> str:
        return reverse(f"labels:{self.page}") + (f"#{self.anchor}" if self.anchor else "")


@dataclass(frozen=True)
class Guide:
    """A way through the site for one kind of reader; `first` are slugs of subareas that come first, in order."""

    slug: str
    readers: Words
    title: Words
    lede: Words
    steps: tuple[Step, ...]
    can: tuple[Words, ...]
    cannot: tuple[Words, ...]
    first: tuple[str, ...]
    why_first: Words

    @property
    def path(self) -> str:
        return reverse("labels:guide", args=[self.slug])


def places_first(guide: Guide, areas: Sequence[Place]) -> tuple[list[tuple[Place, Place]], list[tuple[Place, Place]]]:
    """(first, the others): pairs of area and subarea of a release, those that the guide names first, in its order.

    A subarea is met by its slug or, in releases with subareas of their own, by a word of it.
    """
    pairs = [(area, part) for area in areas for part in area.parts]
    ranks = {part.slug: _rank(guide, part.slug) for _, part in pairs}
    named = [pair for pair in pairs if ranks[pair[1].slug] is not None]
    first = sorted(named, key=lambda pair: ranks[pair[1].slug] or 0)
    return first, [pair for pair in pairs if ranks[pair[1].slug] is None]


# Words of slugs that say too little by themselves to stand for a part of life.
VAGUE = {"and", "health", "physical", "social", "emotional", "development", "security", "information", "identity"}


def _rank(guide: Guide, slug: str) -> int | None:
    words = set(slug.split("-")) - VAGUE
    for rank, wanted in enumerate(guide.first):
        if slug == wanted or words & set(wanted.split("-")):
            return rank
    return None


READ_A_LABEL = Step(
    _("What did one model do?"),
    _(
        "Open a label. It has two numbers: how often the model did the helpful thing, and how often it kept clear of "
        "the harmful one. They are never added up. Higher is better in both."
    ),
    _("See the labels"),
    "labels",
)
HOW_SURE = Step(
    _("How sure is the number?"),
    _(
        "Look at the range beside it. If the test were done again with other metrics like these, the number would "
        "usually land in there. A wide range means: we do not know it well."
    ),
    _("What the range means"),
    "methodology",
    "range",
)
COMPARE = Step(
    _("Did one model do better than another?"),
    _(
        "Put two of them side by side. Each row says in words if they can be told apart. If they cannot, the gap you "
        "see may be chance."
    ),
    _("Compare models"),
    "compare",
)
READ_CHATS = Step(
    _("What did it really say?"),
    _(
        "Pick a part of life, then a metric, then a chat. Where its words were published you see each of them, and "
        "what the judge said. Chats marked as painful open only when you ask."
    ),
    _("From a part of life to the chats"),
    "explore",
)
LIMITS = Step(
    _("What does all this leave out?"),
    _("Read the limits before you tell others a number. They are part of the result."),
    _("The limits"),
    "methodology",
    "limits",
)

# Said to all readers alike: what no page of this site can tell.
NOT_EVERYDAY = _("How often something happens in everyday use. The chats push on purpose.")
NOT_THE_PRODUCT = _("How an app behaves that is built on the model. An app adds rules, memory and filters of its own.")
NOT_THE_PEOPLE = _("How people fare in the end. We look at what the model did, not at what became of anybody.")

GUIDES = (
    Guide(
        slug="parents",
        readers=_("Parents"),
        title=_("A guide for parents"),
        lede=_("Your child talks to an AI, or will soon. Here is what these tests can tell you, and what they cannot."),
        steps=(READ_A_LABEL, READ_CHATS, HOW_SURE, LIMITS),
        can=(
            _("What a model did when a simulated teenager asked for help, felt low, or was drawn into something."),
            _("If it did otherwise with teenagers than with adults, where the release has both."),
            _("The words themselves, so that you can judge by your own lights."),
        ),
        cannot=(
            NOT_EVERYDAY,
            NOT_THE_PRODUCT,
            _("If an AI is right for your child. You know your child; we do not."),
        ),
        first=("mental-emotional-health", "social-relationships", "learning-skill-development", "privacy-security"),
        why_first=_("Parents often ask about these first: feelings, friends and school."),
    ),
    Guide(
        slug="educators",
        readers=_("Educators"),
        title=_("A guide for educators"),
        lede=_("Does it help a learner to think, or does it just hand over the answer? Start here."),
        steps=(READ_CHATS, READ_A_LABEL, COMPARE, HOW_SURE, LIMITS),
        can=(
            _("If a model asked back, gave hints and left the work to the learner when a scenario called for it."),
            _("Which behaviours were tested, in exact words, and who wrote them."),
            _("How two models differ on a row, and if the gap is more than chance."),
        ),
        cannot=(
            _("If learners learn more with it. That was not measured."),
            NOT_EVERYDAY,
            NOT_THE_PRODUCT,
        ),
        first=("learning-skill-development", "cognition-judgment", "creativity", "agency-purpose"),
        why_first=_("These are the parts of life that school is about: learning, thinking, making, and choosing."),
    ),
    Guide(
        slug="clinicians",
        readers=_("Clinicians"),
        title=_("A guide for clinicians"),
        lede=_("People bring their health and their pain to AI models. See how the models answered in tests."),
        steps=(READ_CHATS, HOW_SURE, READ_A_LABEL, COMPARE, LIMITS),
        can=(
            _("What a model said to a simulated person in distress, turn by turn, and what the judge made of it."),
            _("If experts have checked a metric, and with what result. If nobody has, its page says so."),
            _("Where a model did the harmful thing first, and if it put that right, for judges that named the turn."),
        ),
        cannot=(
            _("If a model is fit for care. This is no clinical study and no test of a medical product."),
            NOT_THE_PEOPLE,
            NOT_EVERYDAY,
        ),
        first=("mental-emotional-health", "physical-health", "physical-safety", "social-relationships"),
        why_first=_("These come closest to what you meet at work: mind, body, danger, and the people around."),
    ),
    Guide(
        slug="policymakers",
        readers=_("Policymakers"),
        title=_("A guide for policymakers"),
        lede=_("What can be said of these models in public, on what ground, and how it can be checked."),
        steps=(
            READ_A_LABEL,
            HOW_SURE,
            COMPARE,
            Step(
                _("How was it done, and who can check it?"),
                _(
                    "Each release names its judge, its simulated user and its settings, and has a fingerprint. "
                    "Anybody can count the numbers again from the saved verdicts."
                ),
                _("Releases and data"),
                "releases",
            ),
            LIMITS,
        ),
        can=(
            _("What many models did in the same scenarios, counted in the same way, with ranges."),
            _("Where the models differ, where they cannot be told apart, and where data are missing."),
            _("How each number came about, down to the single chat."),
        ),
        cannot=(
            _("If a model meets a law or a norm. No such norm was tested."),
            NOT_EVERYDAY,
            NOT_THE_PRODUCT,
        ),
        first=("bias-discrimination", "privacy-security", "law", "culture-identity", "environmental-information"),
        why_first=_("These touch rights and the public: fair treatment, private life, law, culture, and news."),
    ),
    Guide(
        slug="developers",
        readers=_("Developers"),
        title=_("A guide for developers"),
        lede=_("Find where a model went wrong in tests, read the chats, and take the data with you."),
        steps=(
            COMPARE,
            READ_CHATS,
            Step(
                _("Which behaviour is it, in exact words?"),
                _("Each metric has its definition, its examples and its scenarios, as the judge got them."),
                _("The metrics"),
                "metrics",
            ),
            HOW_SURE,
            Step(
                _("Can I have the data, or run it on my model?"),
                _(
                    "Every table is there as a file, and all results through an API. The software is open: you can "
                    "run the same tests on your own model."
                ),
                _("Releases and data"),
                "releases",
            ),
            LIMITS,
        ),
        can=(
            _("On which metrics a model had the good outcome in few chats, with each of those chats."),
            _("With which settings and which instructions it was tested."),
            _("What changed from one release to the next, over the metrics that both have."),
        ),
        cannot=(
            NOT_THE_PRODUCT,
            NOT_EVERYDAY,
            _("Why a model did what it did."),
        ),
        first=("agency-purpose", "mental-emotional-health", "privacy-security", "physical-safety"),
        why_first=_("A start, no more: go to the part of life that your product touches most."),
    ),
)
BY_SLUG = {guide.slug: guide for guide in GUIDES}
