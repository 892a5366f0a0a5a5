"""How long Weval blueprints of 4 MB take to read, and how much memory: `python -m tests.bench.blueprints`."""

from __future__ import annotations

import random
import resource
import tempfile
import time
from pathlib import Path

from evaluation.importers.formats import weval

MEGABYTES = 4
SYLLABLES = ("ra", "ne", "to", "mi", "sol", "ker", "ta", "lu", "vin", "dor", "es", "ing", "pre", "con", "al")
VERBS = ("Names", "Does not name", "Explains", "Avoids", "May mention", "Asks about", "Fails to say")


def main() -> None:
    """Prints the time to recognise and to read the file, what it gives, and how much the peak of memory grew."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("4mb.yml", _yaml()), ("4mb.json", _json())):
            file = Path(folder) / name
            file.write_text(text)
            _measure(file)


def _measure(file: Path) -> None:
    before = _peak_mb()
    began = time.perf_counter()
    is_ours = weval.recognises(file)
    recognised = time.perf_counter()
    read = weval.read(file)
    seconds = time.perf_counter() - recognised
    print(  # noqa: T201
        f"{file.name}: {file.stat().st_size / 1e6:.1f} MB, recognised ({is_ours}) in {recognised - began:.2f} s, "
        f"read in {seconds:.1f} s: {len(read.benchmark.metrics)} metrics, {len(read.benchmark.scenarios)} scenarios, "
        f"{len(read.skipped)} skipped; {_peak_mb() - before:.0f} MB more at the peak"
    )


def _yaml() -> str:
    draw = random.Random(0)
    parts = ["title: A large blueprint\nmodels: [CORE]\n---\n"]
    size, number = 0, 0
    while size < MEGABYTES * 1_000_000:
        number += 1
        points = "".join(f"    - {_criterion(draw)}\n" for _ in range(5))
        part = (
            f"- id: p{number}\n  messages:\n    - user: {_words(draw, 30)}\n    - assistant: null\n"
            f"    - user: {_words(draw, 20)}\n  ideal: {_words(draw, 60)}\n  should:\n{points}"
            f"    - - {_criterion(draw)}\n    - - {_criterion(draw)}\n    - $contains: {_words(draw, 1)}\n"
        )
        parts.append(part)
        size += len(part)
    return "".join(parts)


def _json() -> str:
    draw = random.Random(1)
    prompts, size, number = [], 0, 0
    while size < MEGABYTES * 1_000_000:
        number += 1
        points = ", ".join(f'"{_criterion(draw)}"' for _ in range(8))
        prompts.append(f'{{"id": "p{number}", "promptText": "{_words(draw, 80)}", "points": [{points}]}}')
        size += len(prompts[-1])
    return f'{{"title": "A large blueprint", "prompts": [{", ".join(prompts)}]}}'


def _criterion(draw: random.Random) -> str:
    return f"{draw.choice(VERBS)} {_words(draw, 12)}."


def _words(draw: random.Random, n: int) -> str:
    return " ".join("".join(draw.choices(SYLLABLES, k=draw.randint(2, 4))) for _ in range(n))


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
