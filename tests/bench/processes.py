"""What processes use, read from /proc: CPU and memory of whole trees of them (Linux only)."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PROC = Path("/proc")


def tree(*roots: int) -> list[int]:
    """These processes and all their descendants that live now."""
    children = defaultdict(list)
    for pid in _all_pids():
        if fields := _stat(pid):
            children[int(fields[1])].append(pid)
    found, left = [], list(roots)
    while left:
        pid = left.pop()
        if (_PROC / str(pid)).exists():
            found.append(pid)
            left += children[pid]
    return found


def with_words(*words: str) -> list[int]:
    """The processes whose command line holds all these words."""
    return [pid for pid in _all_pids() if all(word in _command(pid) for word in words)]


def cpu_seconds(pids: Iterable[int]) -> float:
    """CPU time of these processes and of those of their children that ended and were waited for, in seconds."""
    # The fields after the name: 11 to 14 are utime, stime, cutime and cstime.
    return sum(sum(map(int, fields[11:15])) for pid in pids if (fields := _stat(pid))) / _TICKS


def memory_mb(pid: int) -> float:
    """Memory of one process in MB, a page that several share counted in parts (PSS); 0 when it is gone."""
    try:
        lines = (_PROC / str(pid) / "smaps_rollup").read_text()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) for line in lines.splitlines() if line.startswith("Pss:")) / 1024


def _all_pids() -> Iterator[int]:
    return (int(entry.name) for entry in _PROC.iterdir() if entry.name.isdigit())


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on; none when the process is gone."""
    try:
        return (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _command(pid: int) -> str:
    try:
        return (_PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
