"""Addresses for readers without an account."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
