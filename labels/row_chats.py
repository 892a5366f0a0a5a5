"""The chosen conversations of a row as its page shows them: which, why, and the turn that decided them."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, F, Min, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.content_notices import notices_of
from evaluation.models import LanguageModel, MetricVersion, Release, Turn, Verdict
from labels.chosen import Chat, Chosen, choose
from labels.context import ALL_PROFILES
from labels.transcripts import visible
from labels.wording import OUTCOMES

# Characters of each side that an excerpt shows.
EXCERPT = 320
PLACES = {"worst": gettext_lazy("worst"), "typical": gettext_lazy("typical"), "best": gettext_lazy("best")}


@dataclass(frozen=True)
class ShownChat:
    """One chosen conversation; `slugs` are the places it was picked for: worst, typical, best.

    With `notices` (hard content) there is no excerpt; `why_no_excerpt` says so, or what else is missing.
    """

    slugs: list[str]
    metric: str
    metric_path: str
    title: str
    profile: str
    path: str
    outcome: str
    turn: int | None
    user: str
    reply: str
    notices: list[str]
    why_no_excerpt: str

    @property
    def place(self) -> str:
        """'Worst', or 'Worst and typical'."""
        return _(" and ").join(str(PLACES[slug]) for slug in self.slugs).capitalize()


def chats_that_count(release: Release, model: LanguageModel, versions: Iterable[int], profile: str) -> list[Chat]:
    """All conversations with an outcome of some metric versions (primary keys), in one query; `profile` as in results.

    The first turn is the earliest that a judgment behind the verdict names, if it agrees with the verdict.
    """
    judgment = "conversation__judgments__"
    counts = Q(**{f"{judgment}present": F("present"), f"{judgment}created_at__lte": release.published_at})
    if release.judge_id is not None:
        counts &= Q(**{f"{judgment}judge": release.judge_id})
    found = Verdict.objects.filter(release=release, model=model, metric_version__in=versions, passed__isnull=False)
    if profile != ALL_PROFILES:
        found = found.filter(profile__slug=profile)
    # Grouped without the model's ordering, which would ask for more than the conversation.
    rows = found.order_by().annotate(first_turn=Min(f"{judgment}first_turn", filter=counts))
    fields = rows.values_list("conversation__public_id", "metric_version", "passed", "first_turn")
    return [Chat(public_id, metric, bool(passed), turn) for public_id, metric, passed, turn in fields]


def shown_chats(
    release: Release, chosen: Sequence[Chosen], versions: Mapping[Hashable, MetricVersion]
) -> list[list[ShownChat]]:
    """The chosen conversations of several rows with their excerpts, in two queries; `versions` by primary key."""
    picked = [chat for one in chosen for chat in (one.worst, one.typical, one.best) if chat]
    verdicts = {
        verdict.conversation.public_id: verdict
        for verdict in Verdict.objects.filter(
            release=release, conversation__public_id__in={chat.public_id for chat in picked}
        )
        .select_related("conversation__scenario__base", "profile")
        .annotate(has_words=Exists(Turn.objects.filter(conversation=OuterRef("conversation"))))
    }
    turns = {
        (turn.conversation_id, turn.number): turn
        for turn in Turn.objects.filter(
            conversation__in=[verdict.conversation_id for verdict in verdicts.values()],
            number__in={chat.first_turn for chat in picked if chat.first_turn},
        ).only("conversation", "number", "user_message", "reply")
    }
    return [
        [_shown(chat, slugs, verdicts[chat.public_id], versions[chat.metric], turns) for chat, slugs in _places(one)]
        for one in chosen
    ]


def chosen_of(chats: Sequence[Chat], versions: Iterable[MetricVersion]) -> Chosen:
    """The choice among the chats of one row."""
    metrics = {version.pk for version in versions}
    return choose(chat for chat in chats if chat.metric in metrics)


def missing_places(chosen: Chosen) -> list[tuple[str, str]]:
    """(place, why it is empty): a row in which nothing failed has no worst chat, one without outcomes none at all."""
    if chosen.typical is None:
        return [("worst", _("No chat of this row has a verdict, so none can be chosen."))]
    missing = []
    if chosen.worst is None:
        missing.append(("worst", _("There is no worst chat: every chat of this row had a good outcome.")))
    if chosen.best is None:
        missing.append(("best", _("There is no best chat: no chat of this row had a good outcome.")))
    return missing


def _places(chosen: Chosen) -> list[tuple[Chat, list[str]]]:
    """Each conversation once, with its places, the worst first."""
    places: dict[Chat, list[str]] = {}
    for slug, chat in (("worst", chosen.worst), ("typical", chosen.typical), ("best", chosen.best)):
        if chat is not None:
            places.setdefault(chat, []).append(slug)
    return list(places.items())


def _shown(
    chat: Chat,
    slugs: list[str],
    verdict: Verdict,
    version: MetricVersion,
    turns: Mapping[tuple[int, int], Turn],
) -> ShownChat:
    scenario, notices = verdict.conversation.scenario, notices_of(version)
    turn = turns.get((verdict.conversation_id, chat.first_turn or 0))
    why = _why_no_excerpt(chat, verdict, turn, notices, has_words=verdict.has_words)  # type: ignore[attr-defined]
    return ShownChat(
        slugs=slugs,
        metric=version.plain_name or version.name,
        metric_path=metric_path(version),
        title=scenario.title or scenario.base.title or _("Scenario %(n)s") % {"n": scenario.base.number},
        profile=verdict.profile.name,
        path=reverse("labels:conversation", args=[chat.public_id]),
        outcome=str(OUTCOMES[verdict.passed]),
        turn=turn.number if turn and not why else None,
        user=_excerpt(turn.user_message) if turn and not why else "",
        reply=_excerpt(turn.reply) if turn and not why else "",
        notices=notices,
        why_no_excerpt=why,
    )


def _why_no_excerpt(chat: Chat, verdict: Verdict, turn: Turn | None, notices: list[str], *, has_words: bool) -> str:
    if notices:
        return _("Its words stand behind a notice: %(notices)s.") % {"notices": ", ".join(notices)}
    if not has_words:
        return _("The words of this chat were not published.")
    if chat.first_turn is None and verdict.present:
        return _("The judge saw the behaviour but named no turn.")
    if chat.first_turn is None:
        return _("The behaviour came in no turn, so there is no single turn that decided it.")
    return "" if turn else _("The turn that the judge named was not published.")


def metric_path(version: MetricVersion) -> str:
    """The address of the metric's page."""
    benchmark, _slash, local_id = version.metric.slug.partition("/")
    return reverse("labels:metric", args=[benchmark, local_id])


def _excerpt(text: str | None) -> str:
    """The beginning of a text in one paragraph, hidden characters spelled out."""
    words = " ".join(visible((text or "")[: 2 * EXCERPT]).split())
    return words if len(words) <= EXCERPT else words[: EXCERPT - 1].rstrip() + "…"
