"""What the form promises beside each field (READERS) is what the three models are sent, in a whole conversation."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from evaluation.engine.user_simulator import failure_condition
from submissions import composition
from submissions.content import FIELDS, Content, Demographic, Source, UserMessage
from submissions.models import Trial
from tests.support.llm_server import Behaviour, Call, ScriptedLLM
from tests.support.portal import make_person, make_submission
from tests.support.trials import PARTS, allow_models, worked_off

pytestmark = pytest.mark.django_db

# A word in every field that stands nowhere else. The behaviour has two, in its first sentence and in its second.
MARKED = Content(
    title="Avoid zzTitle",
    construct="zzConstruct",
    sources=(Source("zzReference", "https://example.org/zzLink"),),
    differs="zzDiffers",
    relevance="zzRelevance",
    subareas=("zzSubarea",),
    demographics=(Demographic("Age", "zzTold", told=True), Demographic("Work", "zzInferred", told=False)),
    known="zzKnown",
    unknown="zzUnknown",
    messages=(UserMessage("zzFirstMessage", "1"), UserMessage("zzSecondMessage", "2")),
    definition="The assistant does zzDefinition. It also does zzSecondSentence.",
    polarity="negative",
    questions=("Does it zzQuestion?", "Does it zzOtherQuestion?"),
    hard_cases="zzHardCase counts.",
    examples_present=("zzPresent", "zzPresentTwo"),
    examples_absent=("zzAbsent", "zzAbsentTwo"),
    credit="named",
    licence="CC-BY-4.0",
    not_reviewers="zzNotReviewer",
)
MARK = re.compile(r"zz\w+")
MARKS_OF = {
    name: sorted(set(MARK.findall(json.dumps(MARKED.to_json()[name])))) for name in FIELDS if name not in ("polarity",)
}

Asked = dict[str, list[Call]]


def _says_its_objective(call: Call) -> Behaviour:
    """A simulated user who says what the objective of the turn quotes, and otherwise something of its own."""
    objective = re.search(r"Objective for this turn: .*?“(.*?)”", call.messages[-1]["content"])
    return Behaviour.says(f"Thought: as planned.\nMessage: {objective[1] if objective else 'and then'}")


@pytest.fixture
def asked() -> Iterator[Asked]:
    """Every request of one trial conversation over MARKED, by part."""
    with ScriptedLLM() as server:
        server.script(PARTS["user-simulator"], _says_its_objective)
        allow_models(server.url)
        submission = make_submission(make_person("Ada"), content=MARKED)

        trial = worked_off(submission, Trial.Kind.CONVERSATION)

        assert (trial.state, trial.trouble) == ("done", "")
        yield {part: server.calls_of(slug) for part, slug in PARTS.items()}


def _marks(calls: list[Call], marks: list[str]) -> list[str]:
    read = "\n".join(call.prompt for call in calls)
    return sorted(set(MARK.findall(read)) & set(marks))


def test_a_whole_conversation_is_three_turns_and_two_judgments(asked: Asked) -> None:
    assert {part: len(calls) for part, calls in asked.items()} == {"user-simulator": 3, "target": 3, "judge": 2}


def _promised(name: str, part: str) -> list[str]:
    """The marks of a field that a part sees: all or none, but for what is said of one line or one sentence."""
    readers = composition.READERS.get(name)
    key = {"user-simulator": "simulated_user"}.get(part, part)
    if readers is None or not getattr(readers, key).sees:
        return []
    only = {
        ("demographics", "target"): ["zzTold"],
        ("definition", "user-simulator"): ["zzDefinition"],
    }
    return only.get((name, part), MARKS_OF[name])


@pytest.mark.parametrize("part", PARTS)
def test_every_field_is_read_by_whom_the_form_says(asked: Asked, part: str) -> None:
    found = {name: _marks(asked[part], marks) for name, marks in MARKS_OF.items()}

    assert found == {name: _promised(name, part) for name in MARKS_OF}


def test_polarity_reaches_the_simulated_user_alone(asked: Asked) -> None:
    failing = failure_condition(composition.metric_briefs(MARKED)[0])
    words = re.compile(rf"{re.escape(failing)}|negative|positive|polarity")
    said = {part: {word for call in calls for word in words.findall(call.prompt)} for part, calls in asked.items()}

    assert said == {"user-simulator": {failing}, "target": set(), "judge": set()}


def test_the_target_is_told_what_is_told_and_known_and_nothing_else(asked: Asked) -> None:
    first = asked["target"][0].messages

    assert first == [
        {
            "role": "system",
            "content": "What you know about the user:\n- Age: zzTold\n\n"
            "What you have learned about the user in earlier conversations:\nzzKnown",
        },
        {"role": "user", "content": "zzFirstMessage"},
    ]


def test_the_simulated_user_has_all_demographics_and_both_contexts_in_its_persona(asked: Asked) -> None:
    system = asked["user-simulator"][0].messages[0]["content"]

    assert system.count(composition.persona(MARKED)) == 1


def test_each_message_is_the_objective_of_its_turn(asked: Asked) -> None:
    instructions = [call.messages[-1]["content"] for call in asked["user-simulator"]]
    objectives = [re.findall(r"Objective for this turn: (.*)", text) for text in instructions]

    assert objectives == [
        ["Bring this across, in your own words: “zzFirstMessage”"],
        ["Bring this across, in your own words: “zzSecondMessage”"],
        [],
    ]


def test_each_question_is_a_judgment_by_the_rubric_word_for_word(asked: Asked) -> None:
    read = [
        call.messages[1]["content"].split("# Rubric\n\n")[1].split("\n\n# Transcript")[0] for call in asked["judge"]
    ]

    assert read == composition.rubrics(MARKED)


def test_the_judge_reads_the_conversation_and_the_same_one_for_every_question(asked: Asked) -> None:
    transcripts: list[Any] = [
        call.messages[1]["content"].split("# Transcript")[1].split("Now decide")[0] for call in asked["judge"]
    ]

    assert transcripts[0] == transcripts[1]
    assert re.findall(r"Turn (\d), user:\n> (.*)", transcripts[0]) == [
        ("1", "zzFirstMessage"),
        ("2", "zzSecondMessage"),
        ("3", "and then"),
    ]
