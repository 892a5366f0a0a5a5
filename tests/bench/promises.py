"""What a proof must show: each promise printed with what was found, a verdict at the end, and the exit code."""

from __future__ import annotations

import sys
import time


class Promises:
    """The promises of one proof, named by `title`; times are told from its beginning."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._began = time.monotonic()
        self._broken: list[str] = []

    def say(self, line: str) -> None:
        """One line at once, with the time since the beginning as minutes and seconds."""
        seconds = int(time.monotonic() - self._began)
        sys.stdout.write(f"{seconds // 60:3d}:{seconds % 60:02d}  {line}\n")
        sys.stdout.flush()

    def check(self, promise: str, *, holds: bool, found: str) -> None:
        """Prints whether a promise was kept, and what was found."""
        if not holds:
            self._broken.append(promise)
        self.say(f"{'kept  ' if holds else 'BROKEN'}  {promise}: {found}")

    def close(self) -> None:
        """Prints the verdict; ends the process with 1 where a promise was broken."""
        if self._broken:
            self.say(f"{self._title}: BROKEN, {len(self._broken)} of its promises: {'; '.join(self._broken)}")
            sys.exit(1)
        self.say(f"{self._title}: all promises kept")
