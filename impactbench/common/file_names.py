"""Names of files that people chose, made harmless without making them unrecognisable."""

import re
import unicodedata

LONGEST = 120
_UNWANTED = re.compile(r'[<>:"|?*;%&$`\'#{}~^=\s]+')
# Windows takes these for devices, whatever follows the dot.
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)$", re.IGNORECASE)


def extension(name: str) -> str:
    """What follows the last dot, in small letters; empty without a dot."""
    return name.rpartition(".")[2].lower() if "." in name else ""


def safe_name(name: str) -> str:
    """A name of one path part and at most 120 characters that keeps its extension; 'file' where nothing is left."""
    last = unicodedata.normalize("NFC", re.split(r"[/\\]", name)[-1])
    # Controls, marks that turn the writing direction, lone surrogates, and characters that nobody defined.
    visible = "".join(char for char in last if char.isspace() or unicodedata.category(char)[0] != "C")
    stem, dot, ending = _UNWANTED.sub("-", visible).rpartition(".")
    if not dot:
        stem, ending = ending, ""
    stem, ending = stem.strip(".-_ "), ending.strip("-_ ")[:10]
    if not stem or _DEVICES.match(stem.split(".")[0]):
        stem = f"file-{stem}".rstrip("-")
    stem = stem[: LONGEST - len(ending) - 1]
    return f"{stem}.{ending}" if ending else stem
