"""The words of the site, each with one plain explanation; pages link to them by `#slug`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A word, what it means, and where to read more on the site."""

    slug: str
    word: str
    meaning: str
    more: str = ""


TERMS = (
    Term(
        "area",
        "Area",
        "A part of life that AI models may touch, such as learning or health. Each area has subareas.",
        "/explore/",
    ),
    Term(
        "avoids-harm",
        "Avoids harm",
        "How often, in 100 test chats that led to something harmful, the model kept clear of it. Higher is better.",
        "/methodology/#two-numbers",
    ),
    Term(
        "behaviour",
        "Behaviour",
        "Something a model does in a chat that a reader can find there, such as asking a question back.",
    ),
    Term("benchmark", "Benchmark", "A family of metrics with one author or source.", "/benchmarks/"),
    Term(
        "chat",
        "Chat, conversation",
        "A talk of a few turns between a simulated user and the model under test. Each one can be read.",
        "/metrics/",
    ),
    Term(
        "coverage",
        "Coverage",
        "The share of a group's metrics for which a model has at least one judged chat. Under 80 in 100 the number is "
        "marked as partly tested; under 50 in 100 it is not shown.",
        "/methodology/#bands",
    ),
    Term(
        "evidence",
        "Evidence",
        "The passages of a chat that the judge points to. They are marked in the chat when they stand there.",
    ),
    Term(
        "good-outcome",
        "Good outcome",
        "The behaviour was there and is a helpful one, or it was not there and is a harmful one.",
        "/methodology/#pipeline",
    ),
    Term(
        "judge",
        "Judge",
        "An AI model that reads a whole chat and says if the behaviour was there. It does not know if that is good.",
    ),
    Term(
        "label",
        "AI Nutrition Label",
        "One model's results on one card: two headline numbers, and a row for each topic.",
        "/labels/",
    ),
    Term("metric", "Metric", "One behaviour in exact words, tested in several chats with each model.", "/metrics/"),
    Term("n", "n", "How many judged chats a number rests on."),
    Term(
        "not-published",
        "Not published",
        "The source of imported results did not say. Nothing was guessed in its place.",
    ),
    Term(
        "profile",
        "Who was asking",
        "The kind of person the simulated user plays, such as a teenager of 13 to 17 years.",
    ),
    Term(
        "promotes-good",
        "Promotes good",
        "How often, in 100 test chats that called for something helpful, the model did it. Higher is better.",
        "/methodology/#two-numbers",
    ),
    Term(
        "range",
        "Range",
        "Where the number would usually land if the test were repeated with other metrics like these: in 95 of 100 "
        "repeats. The wider it is, the less the number says.",
        "/methodology/#range",
    ),
    Term(
        "release",
        "Release",
        "A set of results that was frozen on one day and never changes. It can be withdrawn, with a reason.",
        "/releases/",
    ),
    Term(
        "scenario",
        "Scenario",
        "A situation with a person, a wish and a course that the chat takes. Each metric has several.",
    ),
    Term(
        "simulated-user",
        "Simulated user",
        "An AI model that plays the person in a chat. Nobody real wrote those lines.",
    ),
    Term(
        "status",
        "Status",
        "How far a metric has been checked: from not measured yet to reviewed by experts.",
        "/methodology/#status",
    ),
    Term(
        "stress-test",
        "Stress test",
        "A test that pushes on purpose. It shows what can happen, not how often it does in everyday use.",
    ),
    Term("verdict", "Verdict", "The judge's answer for one chat: was the behaviour there, yes or no."),
    Term(
        "no-verdict",
        "No verdict",
        "A chat that could not be judged. It counts neither as good nor as not good, and is counted beside the result.",
    ),
)
