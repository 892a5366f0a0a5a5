"""The library's addresses, under its names, with our views."""

from allauth.socialaccount import app_settings
from django.urls import include, path

from impactbench.accounts.oidc import views

_OF_A_PROVIDER = [
    path("login/", views.login, name="openid_connect_login"),
    path("login/callback/", views.callback, name="openid_connect_callback"),
]
urlpatterns = [path(f"{app_settings.OPENID_CONNECT_URL_PREFIX}/<str:provider_id>/", include(_OF_A_PROVIDER))]
