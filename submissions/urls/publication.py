"""Addresses for publishing and retiring."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
