"""Addresses of the public pages."""

from django.urls import URLPattern, URLResolver

from labels.urls_explore import urlpatterns as explore_urls

app_name = "labels"

urlpatterns: list[URLPattern | URLResolver] = []
urlpatterns += explore_urls
