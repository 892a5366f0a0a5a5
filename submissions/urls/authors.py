"""Addresses for experts who submit."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
