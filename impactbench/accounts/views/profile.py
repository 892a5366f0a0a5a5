"""/accounts/profile/: what a person says of themselves."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from impactbench.accounts.current import signed_in_user
from impactbench.accounts.forms import ProfileForm
from impactbench.accounts.models import User
from impactbench.accounts.orcid import orcid_of


@never_cache
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """One's own profile, to read and to change."""
    user = User.objects.get(pk=str(signed_in_user(request).pk))  # its own copy: a refused form changes it
    form = ProfileForm(request.POST if request.method == "POST" else None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Your profile is saved.")
        return redirect("accounts:profile")
    context = {"form": form, "orcid": orcid_of(user)}
    return render(request, "accounts/profile.html", context, status=422 if form.errors else 200)
