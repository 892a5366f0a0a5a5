"""Addresses of Explore, metrics, conversations and the pages to read."""

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
