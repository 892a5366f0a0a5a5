"""Sentences that pages say of results, made from fixed patterns: what was seen, in words anybody reads.

Every pattern has its state: pooled or one model, one kind or both, chosen models, too few chats, no data at all.
"""

from collections.abc import Sequence

from labels.numbers import Number
from labels.wording import KINDS, in_words


def finding(who: str, pooled: Sequence[Number], *, where: str = "") -> str:
    """What `who` ('these models', 'GPT-5') did, one sentence a kind; `pooled` has at most one number a kind.

    `where` is the place's name as part of the sentence, such as 'Learning'; empty for everything.
    """
    told = [item for item in pooled if item.is_shown]
    start = f"In {where}, " if where else ""
    if told:
        first = f"{start}{who} {told[0].cell.kind.act} in about {told[0].text} of 100 chats."
        rest = [f"They {item.cell.kind.act} in about {item.text} of 100." for item in told[1:]]
        if who != "these models":
            rest = [sentence.replace("They ", "It ", 1) for sentence in rest]
        return " ".join([_capital(first), *rest])
    counted = [item for item in pooled if item.result.n_judged]
    if counted:
        parts = [f"{item.cell.kind.act} in {item.counts} chats" for item in counted]
        return _capital(f"{start}{who} {in_words(parts)}. That is too little for a number of 100.")
    return "No chat of this selection has a verdict yet."


def spread(n_models: int, rows: Sequence[Number], *, where: str = "") -> str:
    """What several chosen models did, from the lowest number to the highest, one sentence a kind."""
    sentences = []
    for polarity in KINDS:
        numbers = [int(row.text) for row in rows if row.result.polarity == polarity and row.can_be_compared]
        if len(numbers) > 1:
            low, high = min(numbers), max(numbers)
            amount = f"about {low}" if low == high else f"between {low} and {high}"
            sentences.append(f"these {n_models} models {KINDS[polarity].act} in {amount} of 100 chats")
    if not sentences:
        return "The numbers of these models are listed below."
    start = f"In {where}, " if where else ""
    return " ".join(_capital((start if not at else "") + sentence) + "." for at, sentence in enumerate(sentences))


def how_sure(pooled: Sequence[Number], who: str) -> str:
    """The small line below a finding: whose chats, the range and how many chats there were."""
    parts = []
    for item in pooled:
        kind = KINDS[item.result.polarity].name
        chats = f"n {item.result.n_judged:,}"
        amount = f"likely {item.range} ({chats})" if item.range else f"{item.counts} chats"
        parts.append(f"{kind}: {amount}{f', {item.why}' if item.is_partial and item.why else ''}")
    return ". ".join([who, *parts]) + "."


def all_models(n: int) -> str:
    """'Both models' or 'All 16 models'."""
    return "Both models" if n == 2 else f"All {n} models"


def _capital(sentence: str) -> str:
    """The sentence with a capital, unless it begins with a model's own name."""
    return sentence[:1].upper() + sentence[1:] if sentence.startswith("these ") else sentence
