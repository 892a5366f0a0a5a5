"""What the trial part of the form shows, and what operators see of today's trials."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.urls import reverse
from django.utils.dateformat import format as date_text

from evaluation.engine.judge import quote_stands_in
from evaluation.services.trial_costs import TrialCost
from impactbench.common.moments import zone
from submissions import trial_text, trial_words
from submissions.content import Content, UserMessage
from submissions.models import DraftVersion, Submission, Trial, TrialModel
from submissions.services import trial_budget
from submissions.services.trial_models import PARTS, allowed_for
from submissions.services.trial_queue import UNDER_WAY, is_stale
from submissions.services.trials import cost_of, latest_trial, summary_of, switched_off, text_of
from submissions.standing import may_edit

_KINDS = (Trial.Kind.EXAMPLES, Trial.Kind.CONVERSATION)
_ACTIONS = {Trial.Kind.EXAMPLES: "try-judge", Trial.Kind.CONVERSATION: "try-conversation"}
# Stands for text that is not written yet, so that a cost can be named before.
_TYPICAL = "A sentence of the usual length that somebody would write here. " * 4


def trial_panel(submission: Submission, viewer: Any) -> dict[str, Any]:
    """Part 4 of the form, for `submissions/trials/_panel.html` under the name `panel`.

    Keys: `submission`, `may_try`, `budget` (a sentence), `no_more` (why nothing more can be tried today, or ''),
    `examples` and `conversation`, each as `kind_panel` gives it. Reads only; a stale trial is shown as failed.
    """
    left = trial_budget.left_today(viewer)
    return {
        "submission": submission,
        "may_try": may_edit(viewer, submission),
        "budget": budget_in_words(left),
        "no_more": no_more_in_words(left, "You can send without a trial."),
        **{str(kind): kind_panel(submission, kind, viewer) for kind in _KINDS},
    }


def kind_panel(submission: Submission, kind: str, viewer: Any) -> dict[str, Any]:
    """One kind of trial: `kind`, `action`, `off` (why it is not to be had, or ''), `models`, `cost`, `unreached`
    (turns of messages that a trial does not come to), and `trial` (`trial_shown` of the newest one, or None)."""
    models = allowed_for(kind)
    trial = latest_trial(submission, kind)
    draft = submission.draft
    return {
        "kind": str(kind),
        "action": _ACTIONS[Trial.Kind(kind)],
        "off": "" if models else switched_off(kind),
        "models": [models[part].language_model for part in PARTS[kind]] if models else [],
        "cost": cost_in_words(kind, draft, models) if models else "",
        "unreached": trial_text.unreached_turns(draft) if kind == Trial.Kind.CONVERSATION else [],
        "trial": trial_shown(trial, viewer) if trial else None,
    }


def trial_shown(trial: Trial, viewer: Any) -> dict[str, Any]:
    """An author's trial as its fragment shows it, whatever state it is in."""
    assert trial.submission is not None
    address = reverse("submissions:trial", args=[trial.submission.public_id, trial.pk])
    shown = shown_anyhow(trial, viewer, address=address, older=older_in_words(trial, viewer))
    if trial.kind == Trial.Kind.EXAMPLES:
        return {**shown, **(summary_of(trial) if trial.result else {})}
    return shown


def shown_anyhow(trial: Trial, viewer: Any, *, address: str, older: str) -> dict[str, Any]:
    """What the fragment needs of any trial: `address` is where it is looked at again, `older` what changed since."""
    stale = is_stale(trial)
    return {
        "row": trial,
        "address": address,
        "is_under_way": trial.state in UNDER_WAY and not stale,
        "trouble": trial_words.WORKER_GONE if stale else trial.trouble,
        "at": _clock(trial.asked_at, viewer),
        "older": "" if stale else older,
        "counts": trial_words.NO_EVIDENCE if trial.submission_id is None else trial_words.NOT_COUNTED,
        "models": list({named["name"]: named for named in trial.asked_models.values()}.values()),
        "turns": _turns(trial),
        "verdicts": trial.result.get("verdicts", []),
    }


def older_in_words(trial: Trial, viewer: Any) -> str:
    """'This result belongs to an earlier text. You changed the behaviour at 22:01.'; '' while it is of this text."""
    submission = trial.submission
    assert submission is not None
    changed = trial_text.changed_fields(trial.kind, text_of(trial), submission.draft)
    if not changed:
        return ""
    names = trial_text.in_a_sentence(changed)
    version = _version_that_changed(trial, submission, changed)
    if version is None:
        return f"This result belongs to an earlier text. Changed since: {names}."
    at = _clock(version.saved_at, viewer)
    if version.saved_by_id != viewer.pk:
        return f"This result belongs to an earlier text. Changed since: {names}, last at {at}."
    return f"This result belongs to an earlier text. You changed {names} at {at}."


def cost_in_words(kind: str, draft: Content, models: dict[str, TrialModel]) -> str:
    """What one more trial of this draft costs, as `likely_in_words` says it."""
    return likely_in_words(cost_of(kind, _filled_up(draft), models))


def likely_in_words(cost: TrialCost) -> str:
    """'About 1 cent.', or what an unknown price is counted as."""
    if cost.likely_usd is not None:
        return "It costs nothing." if not cost.most_usd else f"About {trial_words.cents(cost.likely_usd)}."
    counted = trial_words.cents(cost.most_usd)
    return f"The price is not known, so up to {counted} of today’s budget are set aside for it."


@dataclass(frozen=True, slots=True)
class Spending:
    """Today's trials of the whole site, for operators: numbers, US dollars, and for how many the cost is unknown."""

    usd: Decimal
    budget_usd: Decimal
    trials: int
    people: int
    unknown: int
    by_state: dict[str, int]


def spending_today() -> Spending:
    """What trials have spent since midnight UTC."""
    today = trial_budget.trials_today().order_by()
    ended = today.filter(state__in=[Trial.State.DONE, Trial.State.FAILED])
    return Spending(
        usd=trial_budget.spent(today),
        budget_usd=settings.TRIAL_USD_PER_DAY,
        trials=today.count(),
        people=today.values("asked_by").distinct().count(),
        unknown=ended.filter(cost_usd__isnull=True).count(),
        by_state=dict(today.values_list("state").annotate(n=Count("pk"))),
    )


def budget_in_words(left: trial_budget.Left) -> str:
    """'You have 43 of 50 cents left today.'"""
    all_usd = settings.TRIAL_USD_PER_PERSON
    return f"You have {_whole_cents(left.person_usd)} of {trial_words.cents(all_usd)} left today."


def no_more_in_words(left: trial_budget.Left, otherwise: str) -> str:
    """Why nothing more can be tried today, and `otherwise` how to go on; '' while there is something left."""
    back = f"are back tomorrow at 00:00 UTC. {otherwise}"
    if not left.trials:
        return f"You have made {trial_budget.MOST_TRIALS_A_DAY} trials. New ones {back}"
    if not left.person_usd:
        return f"You have used your {trial_words.cents(settings.TRIAL_USD_PER_PERSON)}. They {back}"
    if not left.site_usd:
        return f"All trials of this site together have used what they may cost in a day. They {back}"
    return ""


def _version_that_changed(trial: Trial, submission: Submission, changed: list[str]) -> DraftVersion | None:
    """The draft that brought the last of the changes since the trial."""
    since = DraftVersion.objects.filter(submission=submission, saved_at__gte=trial.asked_at)
    newest, now = None, submission.draft
    for version in since.order_by("-version").iterator():
        text = Content.from_json(version.content)
        if any(getattr(text, name) != getattr(now, name) for name in changed):
            break
        newest = version
    return newest


def _filled_up(draft: Content) -> Content:
    """The draft with usual text where nothing is written yet."""
    tidy = draft.without_empty_lines()
    usual: dict[str, Any] = {
        "definition": _TYPICAL,
        "questions": (_TYPICAL,),
        "messages": (UserMessage(_TYPICAL, "1"),),
        "examples_present": (_TYPICAL, _TYPICAL),
        "examples_absent": (_TYPICAL, _TYPICAL),
    }
    return Content.from_json({**tidy.to_json(), **_as_json(usual, tidy)})


def _as_json(usual: dict[str, Any], tidy: Content) -> dict[str, Any]:
    filled = Content(**{name: getattr(tidy, name) or value for name, value in usual.items()})
    return {name: filled.to_json()[name] for name in usual}


def _turns(trial: Trial) -> list[dict[str, Any]]:
    quotes: dict[int, list[str]] = {}
    for verdict in trial.result.get("verdicts", []):
        for evidence in verdict["evidence"]:
            quotes.setdefault(evidence["turn"], []).append(evidence["quote"])
    return [
        {**turn, "blocks": _blocks(turn["target"], quotes.get(turn["number"], []))}
        for turn in trial.result.get("turns", [])
    ]


def _blocks(reply: str, quotes: list[str]) -> list[dict[str, Any]]:
    """The paragraphs of a reply; those where a quote of the judge stands are marked, or all when it spans several."""
    texts = [text.strip() for text in reply.split("\n\n") if text.strip()]
    marked = [any(quote_stands_in(quote, text) for quote in quotes) for text in texts]
    if quotes and not any(marked):
        marked = [True] * len(texts)
    last = max((at for at, is_cited in enumerate(marked) if is_cited), default=-1)
    return [
        {"text": text, "is_cited": is_cited, "is_last_cited": at == last}
        for at, (text, is_cited) in enumerate(zip(texts, marked, strict=True))
    ]


def _clock(moment: datetime, viewer: Any) -> str:
    """'21:47' in the reader's zone, with the day when it is not today; 'UTC' for a reader without a zone."""
    name = getattr(viewer, "time_zone", "") or "UTC"
    here, today = moment.astimezone(zone(name)), trial_budget.now().astimezone(zone(name)).date()
    text = date_text(here, "H:i") if here.date() == today else date_text(here, "j F Y, H:i")
    return f"{text} UTC" if name == "UTC" else text


def _whole_cents(usd: Decimal) -> int:
    return int(usd * 100)
