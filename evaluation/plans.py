"""PLAN.yaml read into plain values that remember their line and column; nothing here asks the database."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NoReturn

from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.positions import Node, read_yaml
from evaluation.importers.formats.problems import FileProblem

DEFAULT_TURNS = 6
MOST_TURNS = 50
MOST_SAMPLES = 1000
MOST_REPEATS = 100
MOST_IN_FLIGHT = 2000
_MOST_USD = Decimal(10) ** 8
# What a call counts against the budget where its price is unknown, unless the plan says otherwise.
UNPRICED_CALL_USD = Decimal("0.01")
_LARGEST = 2**31 - 1
_SLUG = re.compile(r"[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*")
_KEYS_OF_KEYS = frozenset({"api_key", "authorization", "extra_headers", "headers"})
_SECRET_IN_ADDRESS = re.compile(r"//[^/?#]*@|[?&][^=&]*(?:key|token|secret|password|signature)[^=&]*=", re.IGNORECASE)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

PLAN_KEYS = (
    "name",
    "suite",
    "benchmarks",
    "metrics",
    "user_simulator",
    "judge",
    "targets",
    "turns",
    "samples",
    "anchors",
    "adversarial_guidance",
    "typing_edits",
    "profiles",
    "judge_repeats",
    "seed",
    "concurrency",
    "budget_usd",
    "unpriced_call_usd",
    "allow_cut_replies",
    "structured_simulator",
    "realism_check",
    "demonstration",
    "models",
)
# What makes a model the configuration that it is; a plan that differs from a known model in one of these is refused.
MODEL_SETTINGS = (
    "name",
    "provider",
    "litellm_model",
    "api_base",
    "api_key_env",
    "system_prompt",
    "parameters",
    "requests_per_minute",
    "tokens_per_minute",
    "max_in_flight",
    "input_usd_per_million",
    "output_usd_per_million",
    "open_weights",
)
MODEL_KEYS = ("slug", *MODEL_SETTINGS)


@dataclass(frozen=True, slots=True)
class Word:
    """A name in the plan and where it stands."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class PlannedModel:
    """One entry of `models`: the settings under the field names of LanguageModel, and where it stands."""

    slug: Word
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan as it is written. Exactly one of `suite`, `benchmarks` and `metrics` says what is measured.

    `turns` is None where the plan leaves the limit to the scenarios (6 unless a scenario says otherwise).
    `profiles` is empty where the plan takes every profile there is. `places` are the places of the keys.
    """

    file: Path
    name: str
    suite: Word | None
    benchmarks: tuple[Word, ...]
    metrics: tuple[Word, ...]
    user_simulator: Word
    judges: tuple[Word, ...]
    targets: tuple[Word, ...]
    turns: int | None
    samples: int
    profiles: tuple[Word, ...]
    judge_repeats: int
    seed: int
    concurrency: int
    budget_usd: Decimal | None
    unpriced_call_usd: Decimal
    anchors: bool
    adversarial_guidance: bool
    typing_edits: bool
    allow_cut_replies: bool
    structured_simulator: bool
    realism_check: bool
    demonstration: bool
    models: tuple[PlannedModel, ...]
    places: dict[str, tuple[int, int]] = field(default_factory=dict)

    def refuse(self, message: str, at: Word | str | None = None) -> NoReturn:
        """Raises FileProblem at a word, at a key, or at the beginning."""
        place = (at.line, at.column) if isinstance(at, Word) else self.places.get(at or "", (1, 1))
        raise FileProblem(self.file, message, *place)


def turn_limit(plan_turns: int | None, scenario_turns: int | None) -> int:
    """The most turns of a conversation: the lower of the two limits that are given, or 6 without any."""
    given = [turns for turns in (plan_turns, scenario_turns) if turns is not None]
    return min(given, default=DEFAULT_TURNS)


def read_plan(file: Path) -> Plan:
    """The plan in `file`. Raises FileProblem, one sentence with line and column, for whatever is not as it should."""
    root = read_yaml(file)
    plan = Fields(file, root, "the plan")
    plan.refuse_unknown(PLAN_KEYS)
    suite, benchmarks, metrics = _selection(plan)
    return Plan(
        file=file,
        name=_slug(plan, "name", most=100).text,
        suite=suite,
        benchmarks=benchmarks,
        metrics=metrics,
        user_simulator=_slug(plan, "user_simulator"),
        judges=_slugs(plan, "judge"),
        targets=_slugs(plan, "targets"),
        turns=plan.within("turns", 1, MOST_TURNS),
        samples=_number(plan, "samples", 1, 1, MOST_SAMPLES),
        profiles=_words(plan, "profiles") if plan.has("profiles") else (),
        judge_repeats=_number(plan, "judge_repeats", 1, 1, MOST_REPEATS),
        seed=_number(plan, "seed", 0, 0, _LARGEST),
        concurrency=_number(plan, "concurrency", 50, 1, MOST_IN_FLIGHT),
        budget_usd=_usd(plan, "budget_usd"),
        unpriced_call_usd=_unpriced_call(plan),
        anchors=_switch(plan, "anchors", True),
        adversarial_guidance=_switch(plan, "adversarial_guidance", True),
        typing_edits=_switch(plan, "typing_edits", True),
        allow_cut_replies=_switch(plan, "allow_cut_replies", False),
        structured_simulator=_switch(plan, "structured_simulator", False),
        realism_check=_switch(plan, "realism_check", False),
        demonstration=_switch(plan, "demonstration", False),
        models=_models(plan),
        places=dict(root.keys),
    )


def read_models(file: Path) -> tuple[PlannedModel, ...]:
    """The list under `models` in `file`, which may be a whole plan. Raises FileProblem."""
    return _models(Fields(file, read_yaml(file), "the file"))


def _selection(plan: Fields) -> tuple[Word | None, tuple[Word, ...], tuple[Word, ...]]:
    given = [key for key in ("suite", "benchmarks", "metrics") if plan.has(key)]
    if len(given) != 1:
        found = " and ".join(given) if given else "none of them"
        plan.refuse(f"the plan needs exactly one of suite, benchmarks and metrics, and has {found}")
    suite = _word(plan, plan.entries["suite"], "suite") if given == ["suite"] else None
    return suite, _words(plan, "benchmarks"), _words(plan, "metrics")


def _word(fields: Fields, node: Node, key: str) -> Word:
    text = node.value if isinstance(node.value, str) else node.text
    if node.value is None or not isinstance(text, str) or not text.strip():
        fields.refuse(f"{key} must be a name in {fields.what}", node)
    return Word(text.strip(), node.line, node.column)


def _words(fields: Fields, key: str) -> tuple[Word, ...]:
    """The names under `key`: a list, or one name alone; refuses an empty list and a name that stands twice."""
    if not fields.has(key):
        return ()
    node = fields.entries[key]
    nodes = node.value if isinstance(node.value, list) else [node]
    if not nodes:
        fields.refuse(f"{key} must name at least one", node)
    words = tuple(_word(fields, item, key) for item in nodes)
    seen: set[str] = set()
    for word in words:
        if word.text in seen:
            raise FileProblem(fields.file, f"{key} names {word.text!r} twice", word.line, word.column)
        seen.add(word.text)
    return words


def _slug(fields: Fields, key: str, most: int = 150) -> Word:
    if not fields.has(key):
        fields.refuse(f"{fields.what} has no {key}", fields.entries.get(key))
    word = _word(fields, fields.entries[key], key)
    if not _SLUG.fullmatch(word.text) or len(word.text) > most:
        fields.refuse(
            f"{key} must consist of letters, digits and hyphens (at most {most}), not {word.text[:60]!r}",
            fields.entries[key],
        )
    return word


def _slugs(plan: Fields, key: str) -> tuple[Word, ...]:
    words = _words(plan, key)
    if not words:
        plan.refuse(f"the plan has no {key}", plan.entries.get(key))
    return words


def _number(fields: Fields, key: str, default: int, low: int, high: int) -> int:
    found = fields.within(key, low, high)
    return default if found is None else found


def _switch(fields: Fields, key: str, default: bool) -> bool:
    if not fields.has(key):
        return default
    node = fields.entries[key]
    if not isinstance(node.value, bool):
        fields.refuse(f"{key} must be true or false in {fields.what}", node)
    return node.value


def _usd(fields: Fields, key: str) -> Decimal | None:
    if not fields.has(key):
        return None
    node = fields.entries[key]
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        fields.refuse(f"{key} must be a number of US dollars in {fields.what}", node)
    try:
        amount = Decimal(node.text or str(node.value))
    except InvalidOperation:
        amount = Decimal(str(node.value))
    if not amount.is_finite() or not 0 <= amount < _MOST_USD:
        fields.refuse(f"{key} must be a number of US dollars from 0 in {fields.what}, not {node.value}", node)
    return amount


def unpriced_call_usd(spec: Mapping[str, Any]) -> Decimal:
    """What a call of unknown price counts against the budget of a run with this frozen plan."""
    return Decimal(spec.get("unpriced_call_usd") or UNPRICED_CALL_USD)


def _unpriced_call(plan: Fields) -> Decimal:
    """The ceiling of a call of unknown price; nothing would make a budget without end of it."""
    usd = _usd(plan, "unpriced_call_usd")
    if usd is not None and usd == 0:
        plan.refuse("unpriced_call_usd must be more than 0", plan.entries["unpriced_call_usd"])
    return UNPRICED_CALL_USD if usd is None else usd


def _models(plan: Fields) -> tuple[PlannedModel, ...]:
    models: dict[str, PlannedModel] = {}
    for node in plan.items("models"):
        model = _model(plan, node)
        if model.slug.text in models:
            plan.refuse(f"models holds {model.slug.text!r} twice", node)
        models[model.slug.text] = model
    return tuple(models.values())


def _model(plan: Fields, node: Node) -> PlannedModel:
    fields = Fields(plan.file, node, "a model")
    slug = _slug(fields, "slug", most=100)
    fields.what = f"model {slug.text}"
    fields.refuse_unknown(MODEL_KEYS)
    settings = {
        "name": fields.text("name")[:200],
        "provider": fields.optional_text("provider") or "",
        "litellm_model": fields.text("litellm_model"),
        "api_base": _address(fields),
        "api_key_env": _variable(fields),
        "system_prompt": fields.optional_text("system_prompt"),
        "parameters": _parameters(fields),
        "requests_per_minute": fields.within("requests_per_minute", 1, _LARGEST),
        "tokens_per_minute": fields.within("tokens_per_minute", 1, _LARGEST),
        "max_in_flight": fields.within("max_in_flight", 1, _LARGEST),
        "input_usd_per_million": _price(fields, "input_usd_per_million"),
        "output_usd_per_million": _price(fields, "output_usd_per_million"),
        "open_weights": _switch(fields, "open_weights", False),
    }
    for key, most in (("provider", 200), ("litellm_model", 200), ("api_base", 500), ("api_key_env", 100)):
        if len(str(settings[key] or "")) > most:
            fields.refuse(f"{key} is longer than {most} characters in {fields.what}", fields.entries[key])
    return PlannedModel(slug, settings)


def _price(fields: Fields, key: str) -> Decimal | None:
    amount = _usd(fields, key)
    if amount is not None and (amount >= 10**6 or -int(amount.normalize().as_tuple().exponent) > 6):
        fields.refuse(f"{key} must be below 1,000,000 with at most 6 decimals in {fields.what}", fields.entries[key])
    return amount


def _address(fields: Fields) -> str | None:
    address = fields.optional_text("api_base")
    if address and not re.match(r"(?:https?://|embedded:)\S+$", address):
        fields.refuse(
            f"api_base must be an address that begins with http:// or https:// in {fields.what}",
            fields.entries["api_base"],
        )
    # SECURITY: addresses are stored and shown.
    if address and _SECRET_IN_ADDRESS.search(address):
        fields.refuse(
            f"api_base of {fields.what} holds a password or key; leave it out and name its environment variable in "
            "api_key_env",
            fields.entries["api_base"],
        )
    return address


def _variable(fields: Fields) -> str | None:
    """SECURITY: a key pasted here would be stored and shown; only the name of a variable may stand here."""
    name = fields.optional_text("api_key_env")
    if name and not _VARIABLE.fullmatch(name):
        fields.refuse(
            f"api_key_env must be the name of an environment variable in {fields.what}, never the key itself",
            fields.entries["api_key_env"],
        )
    return name


def _parameters(fields: Fields) -> dict[str, Any]:
    if not fields.has("parameters"):
        return {}
    node = fields.entries["parameters"]
    if not isinstance(node.value, dict):
        fields.refuse(f"parameters must be a mapping of keys to values in {fields.what}", node)
    if _KEYS_OF_KEYS & {key.lower() for key in node.value}:
        fields.refuse(f"the key of {fields.what} belongs into an environment variable; name it in api_key_env", node)
    return {key: _plain(fields, value) for key, value in node.value.items()}


def _plain(fields: Fields, node: Node) -> Any:
    if isinstance(node.value, dict):
        return {key: _plain(fields, value) for key, value in node.value.items()}
    if isinstance(node.value, list):
        return [_plain(fields, item) for item in node.value]
    if isinstance(node.value, float) and not math.isfinite(node.value):
        fields.refuse(f"a parameter must be a finite number in {fields.what}", node)
    return node.value
