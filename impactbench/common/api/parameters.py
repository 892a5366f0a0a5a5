"""Parameters of queries: which ones an address knows, and reading them strictly."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from impactbench.common.api.problems import BadQuery, printable, quoted


@dataclass(frozen=True)
class Parameter:
    """One parameter: `choices` closes the list of its values, `schema` (OpenAPI) says more for machines."""

    name: str
    description: str
    choices: tuple[str, ...] = ()
    schema: dict[str, Any] = field(default_factory=lambda: {"type": "string"})


CURSOR = Parameter("cursor", "Where the page begins; taken from `next` or `previous`, never made up.")
PAGE_SIZE = Parameter(
    "page_size",
    "How many items a page holds.",
    schema={"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
)


def read_query(query: QueryDict, known: Sequence[Parameter]) -> dict[str, str]:
    """The value of every parameter that is given, each known, given once, not blank and among its choices.

    Raises BadQuery naming everything that is wrong.
    """
    parameters = {parameter.name: parameter for parameter in known}
    errors = {}
    for name, values in query.lists():
        error = _error(parameters.get(name), name, values, parameters)
        if error:
            errors[printable(name)] = error
    if errors:
        raise BadQuery(errors)
    return {name: str(query[name]) for name in query}


def _error(parameter: Parameter | None, name: str, values: Sequence[Any], known: Iterable[str]) -> str | None:
    if parameter is None:
        allowed = ", ".join(sorted(known)) or "none"
        return f"The parameter {quoted(name)} is not known here; known ones: {allowed}."
    if len(values) > 1:
        return f"The parameter {name} is given more than once."
    value = str(values[0])
    if not value:
        return f"The parameter {name} has no value; leave it out to ask for everything."
    if "\x00" in value:
        return f"The parameter {name} holds a character that no name has."
    if parameter.choices and value not in parameter.choices:
        return f"The parameter {name} must be one of {', '.join(parameter.choices)}, not {quoted(value)}."
    return None
