"""Closed lists of words that several models share, and the constraint that keeps a column to one."""

from django.db import models


class Polarity(models.TextChoices):
    """Positive metrics pass when the behaviour is present, negative ones when it is absent (paper, section 3)."""

    POSITIVE = "positive"
    NEGATIVE = "negative"


def one_of(field: str, choices: type[models.TextChoices], name: str) -> models.CheckConstraint:
    """A database constraint: the column holds one of the words (or null, where the column allows it)."""
    return models.CheckConstraint(condition=models.Q(**{f"{field}__in": choices.values}), name=name)
