"""How keys of language models are named in the environment; they have no business in a process that answers the web."""

from collections.abc import Iterable, MutableMapping

ENDINGS = ("_KEY", "_TOKEN", "_CREDENTIALS")
# The site's own: without it no page is served.
KEPT = frozenset({"SECRET_KEY"})


def forget_model_keys(environment: MutableMapping[str, str]) -> None:
    """Take every variable out that is named like a key; workers, which need them, never come here.

    The settings must have been read before.
    """
    for name in named_like_keys(environment):
        del environment[name]


def named_like_keys(names: Iterable[str]) -> list[str]:
    """Those of the names of variables that a key of a model would have."""
    return [name for name in names if name.upper().endswith(ENDINGS) and name not in KEPT]
