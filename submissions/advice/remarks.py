"""What a piece of advice is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Advice:
    """Something worth a second look; it never stops anybody.

    `field` is the form's field and `number` the line of a list, from 1. `quote` holds the words it speaks of, letter
    for letter, empty where it speaks of the whole; `text` goes on from them and says what to do, in paragraphs parted
    by an empty line. `actions` are buttons that make sense: `split` (make two metrics) and `keep` (leave it).
    """

    code: str
    field: str
    headline: str
    text: str
    quote: str = ""
    actions: tuple[str, ...] = ("keep",)
    number: int | None = None

    @property
    def key(self) -> str:
        """What a page remembers of advice that its author has decided against."""
        return f"{self.code}:{self.quote.lower()}"
