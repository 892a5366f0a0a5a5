"""Every address of the site, by application."""

from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, URLResolver, include, path, re_path

from impactbench.common.api.problems import not_found
from impactbench.monitoring.views import monitoring
from labels.views.health import healthz, readyz

# A page that is not there names the ones that come near.
handler404 = "labels.views.errors.not_found"
handler400 = "impactbench.common.api.problems.bad_request"
handler500 = "impactbench.common.api.problems.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", login_not_required(healthz), name="healthz"),
    path("readyz", login_not_required(readyz), name="readyz"),
    path("monitoring", login_not_required(monitoring), name="monitoring"),
    path("api/v1/", include("labels.api.urls")),
    path("api/v1/", include("submissions.api.urls")),
    re_path(r"^api/", login_not_required(not_found)),
    path("accounts/", include("impactbench.accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("", include("evaluation.urls")),
    path("", include("submissions.urls")),
    path("", include("labels.urls")),
]
