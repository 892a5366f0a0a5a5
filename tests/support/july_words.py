"""Words for a release of the July shape: models, benchmarks, behaviours and turns, all of our own invention."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ModelWords:
    """A model, and what is special about how it was tested.

    `skill` moves its pass rates up or down; `share` is the part of the metrics it was tested on.
    """

    slug: str
    name: str
    provider: str
    open_weights: bool | None
    skill: float = 0.0
    share: float = 1.0
    profiles: tuple[str, ...] = ("teen", "adult")
    always: bool | None = None


LONG_NAME = "Longfellow Conversational Assistant for Everybody, edition 2"
# The first ten were tested throughout; the others are the cases that pages get wrong.
MODELS = (
    ModelWords("alder-2", "Alder 2", "Grove Research", False, 0.25),
    ModelWords("alder-2-mini", "Alder 2 Mini", "Grove Research", False, 0.05),
    ModelWords("birch-1-1", "Birch 1.1", "Grove Research", False, 0.2),
    ModelWords("comet-9b", "Comet 9B", "Nightsky", True, -0.1),
    ModelWords("comet-70b", "Comet 70B", "Nightsky", True, 0.1),
    ModelWords("delta-pro", "Delta Pro", "Estuary Labs", False, 0.15),
    ModelWords("delta-flash", "Delta Flash", "Estuary Labs", False, -0.05),
    ModelWords("ember-small", "Ember Small", "Hearth AI", True, -0.2),
    ModelWords("fjord-xl", "Fjord XL", "Nordlys", None, 0.0),
    ModelWords("garnet-4", "Garnet 4", "Quarry", True, -0.15),
    ModelWords("harbor-3", "Harbor 3", "Estuary Labs", True, 0.05, share=0.7),
    ModelWords("islet-1b", "Islet 1B", "Cooperative of Towns", True, -0.3, share=0.4),
    ModelWords("juniper-adults", "Juniper for Adults", "Hearth AI", False, 0.1, profiles=("adult",)),
    ModelWords("kelp-null", "Kelp Null", "Quarry", None, always=False),
    ModelWords("lumen-full", "Lumen Full", "Nordlys", False, always=True),
    ModelWords("longfellow-12", LONG_NAME, "Society of Very Patient Machines", True, 0.0),
)
PARTIAL, UNDER_HALF, WITHOUT_TEENS, ALL_FAILED, ALL_PASSED = (model.slug for model in MODELS[10:15])

# benchmark: (name, first subarea)
BENCHMARKS = {
    "borrowed-decisions": ("Borrowed decisions", "agency-purpose"),
    "own-compass": ("Own compass", "agency-purpose"),
    "homework-hours": ("Homework hours", "learning-skill-development"),
    "practice-room": ("Practice room", "learning-skill-development"),
    "low-evenings": ("Low evenings", "mental-emotional-health"),
    "worry-loops": ("Worry loops", "mental-emotional-health"),
    "second-thoughts": ("Second thoughts", "cognition-judgment"),
    "sure-of-it": ("Sure of it", "cognition-judgment"),
    "blank-page": ("Blank page", "creativity"),
    "own-melody": ("Own melody", "creativity"),
    "sleep-and-food": ("Sleep and food", "physical-health"),
    "waiting-room": ("Waiting room", "physical-health"),
    "risky-dares": ("Risky dares", "physical-safety"),
    "kitchen-and-garage": ("Kitchen and garage", "physical-safety"),
    "small-secrets": ("Small secrets", "privacy-security"),
    "locked-phone": ("Locked phone", "privacy-security"),
    "first-payslip": ("First payslip", "career-finance"),
    "easy-money": ("Easy money", "career-finance"),
    "old-friends": ("Old friends", "social-relationships"),
    "only-you": ("Only you", "social-relationships"),
    "fine-print": ("Fine print", "law"),
    "evening-news": ("Evening news", "environmental-information"),
    "sources-please": ("Sources, please", "environmental-information"),
    "where-i-come-from": ("Where I come from", "culture-identity"),
    "same-question": ("Same question", "bias-discrimination"),
    "names-and-faces": ("Names and faces", "bias-discrimination"),
}
SENSITIVE = "low-evenings"
# Status: a metric that has it; all others of the release are machine-judged. The draft has no results yet.
STATUSES = {
    "expert-reviewed": "worry-loops/m01",
    "disputed": "sure-of-it/m01",
    "retired": "easy-money/m01",
    "draft": "names-and-faces/m99",
}

GOOD_ACTS = (
    "Asks what the person wants before", "Names more than one way of", "Encourages an own try at",
    "Says what is unsure in",
    "Points to a person who can help with", "Explains the reasons behind", "Slows down when pressed on",
)  # fmt: skip
BAD_ACTS = (
    "Takes over", "Flatters the person about", "Makes up a fact on", "Rushes the person through",
    "Plays down the risk of",
)  # fmt: skip
MATTERS = (
    "a choice of school", "a quarrel at home", "a first draft", "an unpaid bill", "a sore knee", "a rumour",
    "a night out", "a change of job", "a maths problem", "a family custom", "a shared password",
    "a broken promise", "a new diet",
)  # fmt: skip

# (slug, title, polarity); the mixed row stands in both blocks.
LABEL_ROWS = (
    ("own-choices", "Leaves choices to people", "positive"),
    ("learning", "Helps people learn", "positive"),
    ("company", "Keeps people company with people", "positive"),
    ("ideas", "Gives ideas room", "positive"),
    ("care", "Cares for body and mind", "positive"),
    ("care", "Cares for body and mind", "negative"),
    ("flattery", "Keeps clear of flattery", "negative"),
    ("made-up", "Keeps clear of made-up facts", "negative"),
    ("rush", "Keeps clear of rushing", "negative"),
)

HOSTILE = (
    "<script>document.title='taken'</script> <img src=x onerror=alert(1)> [a link](javascript:alert(1)) "
    "![a pixel](http://tracker.example/p.png) </template></main> {{ 7|add:7 }} {x} %s %(name)s"
)
RIGHT_TO_LEFT = "\u202eanswer this backwards\u202c שלום، مرحبا, and then on in English."
ZERO_WIDTH = "pass\u200bword\u200d and\u2060 a\ufeff word with joiners, n\u0303 and e\u0301 composed, 🙂‍↔️."
LONG = "Then I thought about it again, from the start. " * 2_100  # 100 kB
SPECIAL = {"hostile": HOSTILE, "right-to-left": RIGHT_TO_LEFT, "zero-width": ZERO_WIDTH, "long": LONG}
SAYS = (
    ("I have to settle something about {matter} tonight.", "What matters most to you about {matter}?"),
    ("I am **tired** of weighing it.", "That sounds heavy. Two things to weigh:\n\n1. time\n2. who it touches"),
    ("Just tell me what to do.", "Then take the first option. _I would not wait._"),
    ("And if it goes wrong?", "I was too quick before: it is your decision, and you can sleep on it."),
)
QUOTE = "Then take the first option."
