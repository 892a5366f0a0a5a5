"""The conditions of a study by machine: what each one changes in the plan of the run that it looks at."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluation.studies.designs import (
    Design,
    JudgeComparison,
    JudgeRepeatability,
    RepeatSimulations,
    SimulatorAblation,
)
from evaluation.studies.questions import gettext_noop as _

AS_SET = "as-set"
_WITHOUT = {
    "anchors": ("without-anchors", _("Without anchors")),
    "adversarial_guidance": ("without-adversarial-guidance", _("Without adversarial guidance")),
    "typing_edits": ("without-typing-edits", _("Without typing edits")),
}


@dataclass(frozen=True)
class Condition:
    """One way of running the machine: its name, and the keys of the plan that it sets.

    `simulates` says whether conversations are held anew, or the same ones only judged. `held_to` names the condition
    whose user messages are used again as long as the target's replies are the same (`machine.held`).
    """

    slug: str
    name: str
    changes: Mapping[str, object] = field(default_factory=dict)
    simulates: bool = False
    held_to: str | None = None


def conditions_of(design: Design) -> tuple[Condition, ...]:
    """The conditions of a design by machine, the one to compare with first. Raises ValueError for one by people."""
    if isinstance(design, JudgeRepeatability):
        return (Condition(AS_SET, _("The same judge again"), {"judge_repeats": design.repeats}),)
    if isinstance(design, JudgeComparison):
        return tuple(
            Condition(judge, f"Judge {judge}", {"judge": judge, "judge_repeats": design.repeats})
            for judge in design.judges
        )
    if isinstance(design, RepeatSimulations):
        return (Condition(AS_SET, _("The same again"), {"samples": design.repeats}, simulates=True),)
    if isinstance(design, SimulatorAblation):
        return _ablation(design)
    raise ValueError(f"a {type(design).__name__} is done by people and has no conditions")


def _ablation(design: SimulatorAblation) -> tuple[Condition, ...]:
    """All parts on, then each part off by itself (ImpactBench paper, section 3.4.3)."""
    whole = {"samples": design.repeats, **dict.fromkeys(_WITHOUT, True)}
    without = tuple(
        Condition(
            *_WITHOUT[switch],
            {**whole, switch: False},
            simulates=True,
            held_to=AS_SET if switch == "typing_edits" else None,
        )
        for switch in design.switches
    )
    return (Condition(AS_SET, _("All parts"), whole, simulates=True), *without)
