"""The form of a case study: title, summary, and words beside each turn; a new one and one that exists alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.models import Conversation, Verdict
from evaluation.selectors.conversation_evidence import judged_verdict, words_of
from impactbench.accounts.naming import display_label
from impactbench.common.errors import DomainError
from submissions import turn_notes
from submissions.models import CaseStudy, CaseVersion
from submissions.selectors import cases as selector
from submissions.selectors.handled_metrics import may_handle
from submissions.services import cases as service
from submissions.services.cases import CaseText, ChangedMeanwhile, Unusable
from submissions.turn_notes import Annotation
from submissions.views.editors.access import need_editor


def pickable(user: Any, public_id: str) -> Verdict | None:
    """The verdict of a conversation that this editor may write about and whose words were published, else None."""
    verdict = judged_verdict(public_id)
    if verdict is None or not may_handle(user, verdict.conversation.scenario.base.metric_version.metric):
        return None
    return verdict if words_of(verdict.conversation) else None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, conversation: str) -> HttpResponse:
    """Begin a case study of a conversation."""
    need_editor(request)
    verdict = pickable(request.user, conversation)
    if verdict is None:
        raise Http404
    text, problems = CaseText(), list[str]()
    if request.method == "POST":
        text = _posted(request)
        try:
            case = service.begin(verdict, text, actor=request.user)
        except DomainError as error:
            problems = _sentences(error)
        else:
            messages.success(request, "Saved. Another editor publishes it.")
            return redirect("submissions:case-edit", case.slug)
    context = _context(verdict.conversation, text, problems)
    return render(request, "submissions/editorial/case.html", context, status=422 if problems else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a case study: saving makes the next version."""
    need_editor(request)
    case = selector.handled_cases(request.user).filter(slug=slug).first()
    if case is None:
        raise Http404
    if request.method != "POST":
        return page(request, case)
    text = _posted(request)
    based_on = request.POST.get("based_on", "")
    try:
        number = int(based_on) if based_on.isascii() and based_on.isdigit() and len(based_on) < 6 else 0
        service.save(case, text, based_on=number, actor=request.user)
    except DomainError as error:
        status = 409 if isinstance(error, ChangedMeanwhile) else 422
        return page(request, case, text=text, problems=_sentences(error), status=status)
    messages.success(request, "Saved. Another editor publishes it.")
    return redirect("submissions:case-edit", case.slug)


def page(
    request: HttpRequest,
    case: CaseStudy,
    *,
    text: CaseText | None = None,
    problems: Sequence[str] = (),
    reason: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page of one case study with its form; `text` is what was typed, by default the newest version's."""
    newest = service.newest_version(case)
    shown = text or CaseText(newest.title, newest.summary, selector.notes_of(newest))
    versions = list(case.versions.select_related("written_by", "published_by").order_by("-number"))
    context = {
        **_context(case.conversation, shown, problems),
        "case": case,
        "newest": newest,
        "state_words": state_words(case, newest, request.user),
        "versions": [(one, display_label(one.written_by) if one.written_by else "") for one in versions],
        "is_shown": case.retired_at is None and any(one.published_at for one in versions),
        "may_publish": newest.written_by_id != request.user.pk and (not newest.published_at or case.retired_at),
        "reason": reason,
    }
    return render(request, "submissions/editorial/case.html", context, status=status)


def state_words(case: CaseStudy, newest: CaseVersion, user: Any) -> str:
    """Where a case study is, in one sentence for this editor."""
    if case.retired_at is not None:
        return "Retired."
    if newest.published_at is not None:
        return "Published."
    begin = "Published, with changes that are not." if service.published_version(case) else "Not published."
    whose = "Another editor publishes it." if newest.written_by_id == user.pk else "It waits for you to publish it."
    return f"{begin} {whose}"


def _context(conversation: Conversation, text: CaseText, problems: Sequence[str]) -> dict[str, Any]:
    notes = list(text.annotations)
    turns = [(turn, _rows(turn.number, notes)) for turn in words_of(conversation)]
    return {
        "section": "review",
        "tab": "public",
        "part": "cases",
        "conversation": conversation,
        "version": conversation.scenario.base.metric_version,
        "text": text,
        "turns": turns,
        "kinds": turn_notes.KINDS.items(),
        "problems": list(problems),
        "longest_title": service.LONGEST_TITLE,
        "longest_summary": service.LONGEST_SUMMARY,
        "longest_note": turn_notes.LONGEST,
    }


def _rows(number: int, notes: Sequence[Annotation]) -> list[Annotation]:
    """What stands beside a turn, and one empty row for more."""
    return [*(note for note in notes if note.turn == number), Annotation(number, "", "")]


def _posted(request: HttpRequest) -> CaseText:
    rows = (request.POST.getlist(name) for name in ("turn", "kind", "note"))
    return CaseText(request.POST.get("title", ""), request.POST.get("summary", ""), turn_notes.typed(*rows))


def _sentences(error: DomainError) -> list[str]:
    return error.problems if isinstance(error, Unusable) else [str(error)]
