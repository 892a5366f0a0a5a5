"""Countries and time zones to choose from, as the IANA time zone database lists them."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable


@cache
def countries() -> list[tuple[str, str]]:
    """(code, English name) of every country of ISO 3166, by name."""
    rows = [line.split("\t") for line in _lines("iso3166.tab")]
    return sorted(((code, name) for code, name in rows), key=lambda pair: pair[1])


@cache
def time_zones() -> list[str]:
    """The zone of every country and region, by name, after UTC."""
    return ["UTC", *sorted({line.split("\t")[2] for line in _lines("zone.tab")})]


def _lines(name: str) -> list[str]:
    table: Traversable = files("tzdata") / "zoneinfo" / name
    return [line for line in table.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
