"""/accounts/people/: operators give and take roles."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from impactbench.accounts.current import signed_in_user
from impactbench.accounts.forms import RoleForm
from impactbench.accounts.models import RoleGrant, User
from impactbench.accounts.naming import display_label
from impactbench.accounts.people import found_people
from impactbench.accounts.second_factor import must_set_up_second_factor
from impactbench.accounts.services import grant_role, revoke_role
from impactbench.common.errors import DomainError

PEOPLE_ON_A_PAGE = 50
ROLES = {
    RoleGrant.Role.EXPERT: "submits metrics",
    RoleGrant.Role.REVIEWER: "reviews what is assigned",
    RoleGrant.Role.EDITOR: "assigns, decides, publishes",
    RoleGrant.Role.OPERATOR: "runs evaluations, gives roles",
}


def for_operators(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Everybody else learns nothing; an operator without the second factor that is asked for sets one up first."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not signed_in_user(request).has_role(RoleGrant.Role.OPERATOR):
            raise Http404
        if must_set_up_second_factor(request.user):
            return redirect("mfa_index")
        return view(request, *args, **kwargs)

    return guarded


@never_cache
@require_safe
@for_operators
def people(request: HttpRequest) -> HttpResponse:
    """Everybody with an account, or those who are looked for."""
    words = request.GET.get("q", "")
    page = Paginator(found_people(words), PEOPLE_ON_A_PAGE).get_page(request.GET.get("page"))
    rows = [_row(person) for person in page]
    return render(request, "accounts/people.html", {"rows": rows, "page": page, "words": words, "roles": ROLES})


@require_POST
@for_operators
@reauthentication_required
def change_role(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a role to somebody, or take it away."""
    person = get_object_or_404(User, pk=pk, erased_at=None)
    form = RoleForm(request.POST)
    if not form.is_valid():
        raise Http404
    role, action = form.cleaned_data["role"], form.cleaned_data["action"]
    by = signed_in_user(request)
    try:
        (grant_role if action == "grant" else revoke_role)(person, role, by)
    except DomainError as problem:
        messages.error(request, str(problem))
    else:
        has = "is now" if action == "grant" else "is no longer"
        article = "an" if role[0] in "aeio" else "a"
        messages.success(request, f"{display_label(person)} ({person.email}) {has} {article} {role}.")
    return redirect(f"{reverse('accounts:people')}?{urlencode({'q': person.email})}")


def _row(person: User) -> dict[str, Any]:
    held = {grant.role for grant in person.role_grants.all()}
    roles = [{"slug": str(role), "held": role in held} for role in RoleGrant.Role.values]
    return {"person": person, "label": display_label(person), "roles": roles}
