"""Failures that a person is told about in one sentence."""


class DomainError(Exception):
    """Something a person asked for cannot be done; the message says why and what to do instead."""


class UnusableInput(DomainError):
    """The arguments or the input itself are wrong: commands end with exit code 2."""
