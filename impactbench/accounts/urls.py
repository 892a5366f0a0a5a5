"""Addresses under /accounts/."""

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from impactbench.accounts import views

app_name = "accounts"
urlpatterns = [
    path("login/", LoginView.as_view(template_name="accounts/login.html"), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("sign-in/<str:token>/", views.sign_in, name="sign-in"),
]
