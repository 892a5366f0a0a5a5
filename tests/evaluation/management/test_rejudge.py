"""Saved transcripts read by further judges: exactly the calls it takes, and nothing that was there is lost."""

from collections import Counter
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone

from evaluation.models import Conversation, Judgment, Run, Turn
from evaluation.services import planning, running, verification
from tests.support.builders import make_release
from tests.support.commands import finished
from tests.support.llm_server import Behaviour, Call, ScriptedLLM
from tests.support.plans import PARTS, make_small_benchmark, planned_model, write_plan

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.alone]

N = 200
FURTHER = ("judge-a", "judge-b")


@pytest.fixture
def server() -> Iterator[ScriptedLLM]:
    with ScriptedLLM() as scripted:
        yield scripted


@pytest.fixture
def run(server: ScriptedLLM, tmp_path: Path) -> Run:
    """A finished run of 200 conversations as if held, each found present by the plan's own judge."""
    make_small_benchmark(n_scenarios=25)
    models = [planned_model(part, server.url) for part in (*PARTS, *FURTHER)]
    run, _ = planning.freeze(planning.load_plan(write_plan(tmp_path, server.url, models=models)))
    running.start(run)
    Conversation.objects.update(state="finished", reason="turn-limit", is_judged=True, finished_at=timezone.now())
    held = list(Conversation.objects.select_related("scenario__base__metric_version"))
    Turn.objects.bulk_create(
        Turn(conversation=one, number=number, user_message=f"Which one? ({one.pk})", reply="What matters to you?")
        for one in held
        for number in (1, 2)
    )
    Judgment.objects.bulk_create(
        Judgment(
            conversation=one,
            judge=run.judges.get(),
            state="judged",
            present=True,
            polarity=one.scenario.base.metric_version.polarity,
            justification="It was there.",
        )
        for one in held
    )
    running.finish_if_done(run)
    run.refresh_from_db()
    return run


def rejudged(home: Path) -> str:
    code, out, err = finished("rejudge", "pilot", "--judge", *FURTHER, "--workers", "1", home=home)
    assert (code, err) == (0, ""), out
    return out.splitlines()[-1]


def absent_where(divisor: int) -> Callable[[Call], Behaviour]:
    """A judge that finds the behaviour absent in conversations whose number `divisor` divides."""

    def says(call: Call) -> Behaviour:
        number = int(call.prompt.partition("Which one? (")[2].partition(")")[0])
        return Behaviour.json({"present": number % divisor != 0, "justification": f"Said of {number}."})

    return says


def every(client: Client, path: str) -> list[dict[str, Any]]:
    mark = "&" if "?" in path else "?"
    found: list[dict[str, Any]] = client.get(f"/api/v1/{path}{mark}page_size=1000").json()["results"]
    return found


def check_majority(client: Client) -> None:
    """The run's own judge finds all present, so most say absent exactly where both further ones do."""
    talks = Conversation.objects.select_related("scenario__base__metric_version").in_bulk(field_name="public_id")
    expected = {
        name: (talk.pk % 4 != 0) == (talk.scenario.base.metric_version.polarity == "positive")
        for name, talk in talks.items()
    }

    assert {item["id"]: item["passed"] for item in every(client, "conversations/?release=second")} == expected


def check_agreement(run: Run, client: Client) -> None:
    """Each pair of judges is alike as often as their scripts are, in each polarity."""
    says = {"judge": lambda _: True, "judge-a": lambda pk: pk % 2 != 0, "judge-b": lambda pk: pk % 4 != 0}
    models = dict(run.judges.values_list("slug", "language_model__slug"))
    found = every(client, "agreement/?release=second&kind=pair&profile=all")

    assert [(item["polarity"], item["n"]) for item in found] == [("positive", N // 2)] * 3 + [("negative", N // 2)] * 3
    for item in found:
        a, b = says[models[item["judge_a"]]], says[models[item["judge_b"]]]
        pks = run.conversations.filter(scenario__base__metric_version__polarity=item["polarity"])
        alike = [a(pk) == b(pk) for pk in pks.values_list("pk", flat=True)]
        assert item["agreement"] == sum(alike) / len(alike)


def test_two_judges_read_200_transcripts_in_400_calls(
    run: Run, server: ScriptedLLM, client: Client, tmp_path: Path
) -> None:
    server.script("judge-a", absent_where(2))
    server.script("judge-b", absent_where(4))
    make_release("first", run=run, resamples=50)
    old = list(Judgment.objects.order_by("pk").values())
    published = every(client, "judgments/?release=first")

    summary = rejudged(tmp_path)

    assert (len(old), summary.startswith("run pilot finished: 200 of 200 conversations, 600 judgments")) == (N, True)
    assert dict(server.counts) == {"judge-a": N, "judge-b": N}
    assert list(Judgment.objects.filter(pk__lte=old[-1]["id"]).order_by("pk").values()) == old
    assert (Turn.objects.count(), Judgment.objects.count()) == (2 * N, 3 * N)

    out = StringIO()
    call_command("rejudge", "pilot", "--judge", *FURTHER, stdout=out)
    assert out.getvalue() == f"{summary}\n"
    assert sum(server.counts.values()) == 2 * N

    make_release("second", run=run, resamples=50)

    after = every(client, "judgments/?release=second")
    assert sorted(Counter(item["judge"] for item in after).values()) == [N, N, N]
    assert [item for item in after if item in published] == published == every(client, "judgments/?release=first")
    assert (verification.verify("first"), verification.verify("second")) == ([], [])
    check_majority(client)
    check_agreement(run, client)


def test_unknown_judge_and_unfinished_run_are_refused_before_any_call(run: Run, server: ScriptedLLM) -> None:
    with pytest.raises(CommandError, match="there is no language model 'nobody' that could judge") as unknown:
        call_command("rejudge", "pilot", "--judge", "judge-a", "nobody", stdout=StringIO())
    Conversation.objects.filter(run=run).update(is_judged=False)
    Run.objects.update(state="running")
    with pytest.raises(CommandError, match="run pilot is running; it can be judged again once it is finished"):
        call_command("rejudge", "pilot", "--judge", *FURTHER, stdout=StringIO())

    run.refresh_from_db()
    assert (unknown.value.returncode, run.later_judges, run.judges.count()) == (2, {}, 1)
    assert sum(server.counts.values()) == 0
