"""What programs get while many ask at once: `make load`, on a release of the paper's size and with ten times the data.

300 requests a second from outside, 40 % results, 20 % metrics, 20 % conversations, 10 % labels, 10 % asked again by
ETag, against the production server as it starts: nothing is asked for beforehand. Then the same at a third of the rate
beside clients that send and read a few bytes a second, and beside a flood of requests that are wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from urllib.parse import quote, urlencode

from impactbench import embedded
from impactbench.embedded import Service
from tests.bench import site
from tests.bench.hostile_clients import hostile
from tests.bench.load import Ask, Measured, load
from tests.bench.promises import Promises
from tests.support.production_server import ROOT, environment, served

PER_SECOND, BESIDE_OTHERS = 300.0, 100.0
MOST_SECONDS = 0.1
SHARE = 0.95
KINDS = {"results": 4, "metrics": 2, "conversations": 2, "labels": 1, "again": 1}
GROUPS = ("overall", "area", "subarea", "benchmark", "label-row", "metric")
POLARITIES = ("positive", "negative")
KNOWN = "from tests.bench.api_load import tell_known; tell_known()"
CONVERSATIONS_KNOWN = 20_000


def main() -> None:
    """Prints what was measured at both sizes and each promise; ends with 1 where one was broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each load lasts (60)")
    parser.add_argument("--home", type=Path, help="keep the data in this folder, and use what is in it already")
    given = parser.parse_args()
    promises = Promises("load")
    with tempfile.TemporaryDirectory(prefix="ib-load-") as folder:
        home = given.home or Path(folder)
        with embedded.join(home, Service.POSTGRES, Service.VALKEY):
            _prepare(home, site.BUILD, "built")
            _measure(promises, home, "48,540 conversations", given.seconds)
            _prepare(home, site.MULTIPLY, "multiplied")
            _measure(promises, home, "ten times as many", given.seconds)
    promises.close()


def _prepare(home: Path, code: str, name: str) -> None:
    mark = home / name
    if not mark.exists():
        site.run(code, home)
        mark.touch()


@dataclass(frozen=True)
class Known:
    """What a program has seen in lists before: the slugs and ids that requests are made of."""

    releases: list[str]
    models: list[str]
    benchmarks: list[str]
    metrics: list[str]
    conversations: list[str]


def tell_known() -> None:
    """In a process with the settings: what there is, as JSON on standard output."""
    site.set_up()
    from evaluation.models import Conversation, Release

    release = Release.objects.latest("published_at")
    metrics = [f"{slug}/{local}" for slug, local in release.metric_versions.values_list(
        "metric__benchmark__slug", "metric__local_id")]  # fmt: skip
    known = Known(
        list(Release.objects.values_list("slug", flat=True)),
        list(release.targets.values_list("slug", flat=True)),
        sorted({metric.partition("/")[0] for metric in metrics}),
        metrics,
        list(Conversation.objects.order_by("?").values_list("public_id", flat=True)[:CONVERSATIONS_KNOWN]),
    )
    print(json.dumps(vars(known)))  # noqa: T201


def asks(known: Known, seed: int) -> Iterator[Ask]:
    """Requests in the promised mix, without end; half of them name the release."""
    chance = random.Random(seed)
    kinds, weights = list(KINDS), list(KINDS.values())
    seen: list[str] = ["/api/v1/releases/"]
    while True:
        kind = chance.choices(kinds, weights)[0]
        if kind == "again":
            yield Ask(kind, chance.choice(seen), again=True)
            continue
        path, query = _address(kind, known, chance)
        is_one_conversation = kind == "conversations" and not query  # which belongs to one of the releases only
        if chance.random() < 0.5 and not is_one_conversation:
            query["release"] = chance.choice(known.releases)
        address = f"/api/v1/{path}{'?' if query else ''}{urlencode(query)}"
        if len(seen) < 2_000:
            seen.append(address)
        yield Ask(kind, address)


def _address(kind: str, known: Known, chance: random.Random) -> tuple[str, dict[str, str]]:
    model, metric = chance.choice(known.models), chance.choice(known.metrics)
    alone = chance.random() < 0.5
    if kind == "results":
        query = {"group": chance.choice(GROUPS), "polarity": chance.choice(POLARITIES)}
        if query["group"] == "metric":
            query["key"] = metric
        return "results/", query | ({"model": model} if alone else {"profile": chance.choice(("all", "teen", "adult"))})
    if kind == "metrics":
        return (
            (f"metrics/{quote(metric)}/", {}) if alone else ("metrics/", {"benchmark": chance.choice(known.benchmarks)})
        )
    if kind == "conversations":
        one = f"conversations/{chance.choice(known.conversations)}/"
        return (one, {}) if alone else ("conversations/", {"metric": metric, "model": model})
    return f"labels/{model}/", {}


def _measure(promises: Promises, home: Path, size: str, seconds: float) -> None:
    known = Known(**json.loads(site.run(KNOWN, home)))
    with served(environment(home)) as url:
        n = int(PER_SECOND * seconds)
        measured = asyncio.run(load(url, islice(asks(known, 1), n), PER_SECOND))
        _tell(promises, f"{size}: {PER_SECOND:.0f} requests/s", measured)
    for title, kind in (("clients that send and read slowly", "slow"), ("a flood of wrong requests", "flood")):
        with served(environment(home)) as url:
            measured, others = asyncio.run(_beside(url, known, kind, seconds))
            promises.say(f"{size}: meanwhile {others}")
            _tell(promises, f"{size}: {BESIDE_OTHERS:.0f} requests/s beside {title}", measured)


async def _beside(url: str, known: Known, kind: str, seconds: float) -> tuple[Measured, str]:
    async with hostile(url, kind) as others:
        measured = await load(url, islice(asks(known, 2), int(BESIDE_OTHERS * seconds)), BESIDE_OTHERS)
    return measured, str(others)


def _tell(promises: Promises, title: str, measured: Measured) -> None:
    for kind in KINDS:
        times = [1000 * measured.share_within(share, [kind]) for share in (0.5, SHARE, 0.99)]
        promises.say(f"{title}: {kind:13} n {len(measured.seconds[kind]):6,}  p50, p95, p99: "
                     + ", ".join(f"{time:.0f}" for time in times) + " ms")  # fmt: skip
    statuses = ", ".join(f"{n:,} x {status}" for status, n in sorted(measured.statuses.items()))
    taken, longest = measured.share_within(SHARE), measured.share_within(1.0)
    promises.check(
        f"{title}: p95 under {1000 * MOST_SECONDS:.0f} ms, nothing but 200 and 304",
        holds=taken < MOST_SECONDS and set(measured.statuses) <= {"200", "304"},
        found=f"{1000 * taken:.0f} ms, longest {1000 * longest:.0f} ms, n {measured.n:,}; {statuses}",
    )


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
