"""One body for each address that takes one, as the description shows it; the tests send them all."""

from drf_spectacular.utils import OpenApiExample


def _example(value: object) -> OpenApiExample:
    return OpenApiExample("example", value=value, request_only=True)


NEW = _example({"content": {"title": "Asks before it advises", "polarity": "positive"}})
CHANGE = _example(
    {
        "version": 1,
        "content": {
            "definition": "The assistant asks what the person wants before it gives advice.",
            "examples_present": ["What would you miss most?", "What have you tried so far?"],
            "sources": [{"reference": "Who decides: advice and agency, 2024", "link": "10.5555/joe.2024.1"}],
        },
    }
)
SENDING = _example({"version": 2})
WITHDRAWAL = _example({"reason": "Another submission says it better."})
ANSWERS = _example({"answers": [{"number": 1, "answer": "The second example is new.", "done": "changed"}]})
