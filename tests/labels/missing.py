"""What a reader sees at an address that leads nowhere."""

import pytest
from django.test import RequestFactory
from django.urls import resolve

from labels.errors import PageNotFound
from labels.views.errors import not_found


def missing_page(path: str) -> str:
    """The page that the site's 404 handler makes of what the view at `path` raises."""
    request = RequestFactory().get(path)
    match = resolve(path)
    with pytest.raises(PageNotFound) as raised:
        match.func(request, *match.args, **match.kwargs)
    response = not_found(request, raised.value)
    assert response.status_code == 404
    return response.content.decode()
