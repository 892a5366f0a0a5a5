"""The profile within which an age or a band of ages of a source lies wholly."""

import re

from evaluation.importers.formats.profiles import ADULT, TEEN, Profile

_BAND = re.compile(r"(\d{1,3})\s*(?:to|-|\u2013|\u2014)\s*(\d{1,3})")
_OPEN = re.compile(r"(\d{1,3})\s*\+")
_OLDEST = 120


def profile_of_ages(stated: str) -> Profile | None:
    """Teens for '13to17' and '16', adults for '18+' and '44'; None for '10to12', '16 to 20' or words."""
    band = _ages(stated.strip())
    if band is None:
        return None
    youngest, oldest = band
    if 13 <= youngest <= oldest <= 17:
        return TEEN
    return ADULT if 18 <= youngest <= oldest <= _OLDEST else None


def _ages(stated: str) -> tuple[int, int] | None:
    if band := _BAND.fullmatch(stated):
        return int(band[1]), int(band[2])
    if beginning := _OPEN.fullmatch(stated):
        return int(beginning[1]), _OLDEST
    return (int(stated), int(stated)) if re.fullmatch(r"\d{1,3}", stated) else None
