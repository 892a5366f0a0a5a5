"""How fast public pages answer from the production server, from the page cache and without it: `make bench`.

A release of the paper's size (48,540 conversations), then ten of them in one database; the ratios within one run say
whether pages slow down. The generator below runs beside the server, on the same processors.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from impactbench import embedded
from impactbench.embedded import Service
from tests.bench.load import Connection
from tests.support.production_server import ROOT, environment, served

COPIES = 9
CONNECTIONS = 8
SECONDS_OF_LOAD = 5.0
ANSWERS_FROM_CACHE, ANSWERS_MADE, WARM_UP = 400, 24, 8
BUILD = "from tests.bench.site import build; build()"
MULTIPLY = "from tests.bench.site import multiply; multiply()"


def main() -> None:
    """Prints for each kind of page its median answer, and the label requests per second, at both sizes."""
    with tempfile.TemporaryDirectory(prefix="ib-bench-") as folder:
        home = Path(folder)
        with embedded.join(home, Service.POSTGRES, Service.VALKEY):
            pages = _pages(run(BUILD, home))
            once = _measured(pages, home, "48,540 conversations")
            run(MULTIPLY, home)
            ten_times = _measured(pages, home, "ten times as many")
    for kind, made in ten_times.items():
        print(f"site: {kind} made anew with ten times the data: ratio {made / once[kind]:.2f}")  # noqa: T201


def run(code: str, home: Path) -> str:
    """What the code prints, in a process of its own, as this one belongs to the generator."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=environment(home), check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


# --- The data, in processes that have these settings


def build() -> None:
    """The release, and on standard output the addresses of conversations that have turns."""
    set_up()
    from evaluation.models import Conversation
    from tests.support import copies, july_shape

    july_shape.build(replace(july_shape.PAPER, turns_every=20, resamples=100))
    copies.refresh_statistics()
    shown = Conversation.objects.filter(turns__number=1, is_judged=True).order_by("?")[: 2 * ANSWERS_MADE]
    print(*shown.values_list("public_id", flat=True))  # noqa: T201


def multiply() -> None:
    """Nine older releases of the same size."""
    set_up()
    from evaluation.models import Release
    from tests.support import copies

    release = Release.objects.get()
    for number in range(1, COPIES + 1):
        copies.copy_release(release, number)
    copies.refresh_statistics()


def set_up() -> None:
    """This process has the settings, and the database its tables."""
    import django

    django.setup()
    from impactbench.common.readiness import apply_pending_migrations

    apply_pending_migrations()


def _pages(conversations: str) -> dict[str, list[str]]:
    """Kind of page: addresses of it, many enough that no two answers made anew share a database page by luck."""
    from tests.support.july_words import BENCHMARKS, MODELS

    models = [model.slug for model in MODELS[:10]]
    return {
        "label": [f"/labels/{model}/{query}" for query in ("", "?profile=teen", "?profile=adult") for model in models],
        "Explore": ["/explore/", "/explore/?view=grid", "/explore/?view=table", "/explore/psychological/",
                    "/explore/psychological/agency-purpose/", "/explore/social/law/"],
        "metric": [f"/metrics/{slug}/m{number:02d}/" for slug in BENCHMARKS for number in (1, 2)],
        "conversation": [f"/conversations/{public_id}/" for public_id in conversations.split()],
        "compare": [f"/compare/?m={models[0]},{other}" for other in models[1:]],
        "home": ["/"],
    }  # fmt: skip


# --- What is measured


def _measured(pages: dict[str, list[str]], home: Path, size: str) -> dict[str, float]:
    """Prints the line of each kind of page; the median seconds of one made anew, by kind."""
    made = {}
    with served(environment(home, PAGE_CACHE="no")) as url:
        for kind, addresses in pages.items():
            asyncio.run(_ask(url, islice(cycle(addresses), WARM_UP)))  # each process loads its templates once
            made[kind] = statistics.median(asyncio.run(_ask(url, islice(cycle(addresses), ANSWERS_MADE))))
    with served(environment(home, PAGE_CACHE="yes")) as url:
        for kind, addresses in pages.items():
            asyncio.run(_ask(url, addresses * 2))
            kept = statistics.median(asyncio.run(_ask(url, islice(cycle(addresses), ANSWERS_FROM_CACHE))))
            print(  # noqa: T201
                f"site: {size}: {kind}: {1000 * kept:.1f} ms from the cache, {1000 * made[kind]:.0f} ms made anew "
                f"(ratio {made[kind] / kept:.0f})"
            )
        print(f"site: {size}: {asyncio.run(_load(url, pages['label'])):,.0f} label requests/s", flush=True)  # noqa: T201
    return made


async def _ask(url: str, addresses: Iterable[str]) -> list[float]:
    """The seconds that each answer took, one after another on one connection."""
    connection = Connection(url)
    taken = []
    for address in addresses:
        began = time.perf_counter()
        await _get(connection, address)
        taken.append(time.perf_counter() - began)
    connection.close()
    return taken


async def _load(url: str, addresses: Sequence[str]) -> float:
    """Answers per second to several visitors who never pause."""
    deadline = time.perf_counter() + SECONDS_OF_LOAD

    async def visitor(place: int) -> int:
        connection = Connection(url)
        n = 0
        while time.perf_counter() < deadline:
            await _get(connection, addresses[(place + n) % len(addresses)])
            n += 1
        connection.close()
        return n

    counts = await asyncio.gather(*(visitor(place) for place in range(CONNECTIONS)))
    return sum(counts) / SECONDS_OF_LOAD


async def _get(connection: Connection, address: str) -> None:
    """Read the whole answer, which must be 200."""
    status, _, _ = await connection.get(address)
    assert status == "200", f"{address}: {status}"


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
