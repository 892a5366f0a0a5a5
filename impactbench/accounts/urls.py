"""Addresses under /accounts/ that are our own; the others are those of django-allauth."""

from django.urls import path

from impactbench.accounts.views import people, personal_data, profile, sign_in, tokens

app_name = "accounts"
urlpatterns = [
    path("sign-in/<str:token>/", sign_in.sign_in, name="sign-in"),
    path("profile/", profile.profile, name="profile"),
    path("data/", personal_data.overview, name="data"),
    path("data/export/", personal_data.export, name="data-export"),
    path("data/erase/", personal_data.erase, name="data-erase"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", tokens.revoke, name="token-revoke"),
    path("people/", people.people, name="people"),
    path("people/<int:pk>/roles/", people.change_role, name="change-role"),
]
