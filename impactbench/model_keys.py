"""Keys of language models have no business in a process that answers the web."""

from collections.abc import MutableMapping

ENDINGS = ("_KEY", "_TOKEN", "_CREDENTIALS")
# The site's own: without it no page is served.
KEPT = frozenset({"SECRET_KEY"})


def forget_model_keys(environment: MutableMapping[str, str]) -> None:
    """Take every variable out that is named like a key; workers, which need them, never come here.

    The settings must have been read before.
    """
    for name in [name for name in environment if name.upper().endswith(ENDINGS) and name not in KEPT]:
        del environment[name]
