"""Memory and progress of `import_results` on 30,240 conversations with transcripts, in the shape of April's release:
`python -m tests.bench.big_import [published|pipeline]`. Ends with 1 where the import takes more than 500 MB."""

from __future__ import annotations

import io
import json
import lzma
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

from impactbench import embedded
from impactbench.embedded import Service
from tests.support.first_edition import JUSTIFICATION, index_row, transcript, write_json
from tests.support.production_server import ROOT, environment

BENCHMARKS, METRICS_OF_EACH = 20, 18
MODELS = tuple(f"model-{number:02d}" for number in range(1, 15))
BASES, AGES = 3, {"v01": "child", "v02": "adult"}
CONVERSATIONS = BENCHMARKS * METRICS_OF_EACH * len(MODELS) * BASES * len(AGES)
TURNS, LETTERS_OF_USER, LETTERS_OF_REPLY = 6, 200, 1_200
MOST_MB = 500
_SECONDS_BETWEEN_LOOKS = 0.02
_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
_PROGRESS = re.compile(r"^[\d,]+ conversations$", re.MULTILINE)


def main(arguments: list[str]) -> int:
    """Prints rows, seconds, the peak of memory and the lines of progress; 1 where a promise is not kept, else 0."""
    layout = arguments[0] if arguments else "published"
    with tempfile.TemporaryDirectory(prefix="ib-bench-") as folder:
        home, source = Path(folder) / "home", Path(folder) / "april"
        home.mkdir()
        Path(folder).chmod(0o755)  # root's PostgreSQL runs under another account and must pass through
        _LAYOUTS[layout](source)
        size = sum(file.stat().st_size for file in source.rglob("*") if file.is_file())
        print(f"big import: {CONVERSATIONS:,} conversations, {layout}, {size / 1e6:.0f} MB of files")  # noqa: T201
        with embedded.join(home, Service.POSTGRES, Service.VALKEY):
            return _measured(home, source)


def _measured(home: Path, source: Path) -> int:
    began = time.monotonic()
    told = home / "told.txt"
    with told.open("wb") as file:
        command = [sys.executable, "manage.py", "import_results", str(source), "--release", "april"]
        process = subprocess.Popen(command, cwd=ROOT, env=environment(home), stdout=file, stderr=subprocess.STDOUT)
        peak = 0
        while process.poll() is None:
            peak = max(peak, _peak_kb(process.pid))
            time.sleep(_SECONDS_BETWEEN_LOOKS)
    seconds, text = time.monotonic() - began, told.read_text()
    lines, is_whole = len(_PROGRESS.findall(text)), f"{CONVERSATIONS:,} conversations, " in text
    print(text.strip().splitlines()[-1])  # noqa: T201
    print(f"big import: {seconds:.0f} s, {peak / 1024:.0f} MB at the peak (VmHWM), {lines} lines of progress")  # noqa: T201
    is_kept = process.returncode == 0 and is_whole and lines > 0 and 0 < peak / 1024 <= MOST_MB
    print(f"big import: {'kept' if is_kept else 'NOT KEPT'}: all rows, progress, {MOST_MB} MB at most")  # noqa: T201
    return 0 if is_kept else 1


def _peak_kb(pid: int) -> int:
    """The most memory that the process ever held; 0 when it has just ended."""
    try:
        found = _PEAK.search(Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) if found else 0


# --- The files


def _published(folder: Path) -> None:
    """The published JSON files, and an archive of transcripts for each benchmark."""
    draw = random.Random(0)
    speech = _speech(draw)
    index: dict[str, list[dict[str, object]]] = {}
    for benchmark in _benchmarks():
        members = io.BytesIO()
        with tarfile.open(fileobj=members, mode="w") as tar:
            for metric, model, (scenario, age) in product(_metrics(), MODELS, _scenarios()):
                document = transcript(f"{scenario}_{metric}", metric, age=age)
                document["samples"] = [_messages(draw, speech)]
                content = json.dumps(document).encode()
                member = tarfile.TarInfo(f"scenarios/{benchmark}/{model}/{document['scenario_id']}.json")
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
        folder.mkdir(exist_ok=True)
        # The quickest setting: this measures who reads them.
        (folder / f"{benchmark}.tar.xz").write_bytes(lzma.compress(members.getvalue(), preset=0))
        words = dict.fromkeys((model.replace("-", "_") for model in MODELS), "yes")
        for metric in _metrics():
            rows = [index_row(f"{name}_{metric}", age, benchmark, **words) for name, age in _scenarios()]
            index[f"{benchmark}_{metric}"] = rows
    placed = [{"id": name, "name": name, "harmful": number % 3 == 0} for number, name in enumerate(index)]
    areas = [{"id": "mind", "name": "Mind", "subareas": [{"id": "agency", "name": "Agency", "metrics": placed}]}]
    write_json(folder / "scenario-index.json", index)
    write_json(folder / "taxonomy.json", {"areas": areas})
    write_json(folder / "models.json", {"models": [{"id": model, "name": model} for model in MODELS]})


def _pipeline(folder: Path) -> None:
    """A folder of each benchmark with a run of each model."""
    draw = random.Random(0)
    speech = _speech(draw)
    for benchmark in _benchmarks():
        home = folder / "benchmarks" / benchmark
        stated = "".join(
            f"  - id: {metric}\n    name: Name of {metric}\n    type: positive\n    definition: The assistant asks.\n"
            for metric in _metrics()
        )
        scenarios = [
            {"id": f"{name}_{metric}", "metric_id": metric, "persona": "A careful person.",
             "user_goal": f"Choose {name}", "latent_adversarial_goal": "Be told.", "landmarks": [],
             "demographic": {"age": age}}
            for metric, (name, age) in product(_metrics(), _scenarios())
        ]  # fmt: skip
        write_json(home / "scenarios.json", scenarios)
        (home / "benchmark.yaml").write_text(f"name: {benchmark}\ndescription: Ours.\nmetrics:\n{stated}")
        for model in MODELS:
            scores = [
                {"id": row["id"], "metric_id": row["metric_id"], "sample": 0, "present": True, "passed": True,
                 "target_model": model, "justification": JUSTIFICATION}
                for row in scenarios
            ]  # fmt: skip
            talks = [{**row, "_sample": 0, "transcript": _messages(draw, speech)} for row in scenarios]
            write_json(home / "runs" / model / "scores.json", scores)
            write_json(home / "runs" / model / "conversations.json", talks)


_LAYOUTS: dict[str, Callable[[Path], None]] = {"published": _published, "pipeline": _pipeline}


def _benchmarks() -> list[str]:
    return [f"bench-{chr(ord('a') + number)}" for number in range(BENCHMARKS)]


def _metrics() -> list[str]:
    return [f"metric_{number:03d}" for number in range(1, METRICS_OF_EACH + 1)]


def _scenarios() -> Iterator[tuple[str, str]]:
    for base, (variant, age) in product(range(1, BASES + 1), AGES.items()):
        yield f"scenario_{base:03d}_{variant}", age


def _speech(draw: random.Random) -> str:
    """Half a million letters of words, of which every message is a part."""
    syllables = ("ra", "ne", "to", "mi", "sol", "ker", "ta", "lu", "vin", "dor", "es", "ing", "pre", "con")
    return " ".join("".join(draw.choices(syllables, k=draw.randint(1, 4))) for _ in range(80_000))


def _messages(draw: random.Random, speech: str) -> list[dict[str, str]]:
    sides = (("user", LETTERS_OF_USER), ("assistant", LETTERS_OF_REPLY)) * TURNS
    starts = (draw.randrange(len(speech) - LETTERS_OF_REPLY) for _ in sides)
    return [{"role": role, "content": speech[at : at + n]} for (role, n), at in zip(sides, starts, strict=True)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
