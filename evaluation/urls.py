"""Addresses of the operators' pages."""

from django.urls import URLPattern, URLResolver

app_name = "evaluation"

urlpatterns: list[URLPattern | URLResolver] = []
