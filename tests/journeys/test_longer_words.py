"""In a language whose words are 40 % longer, no page has to be scrolled sideways on a phone and nothing is cut off."""

import pytest

from evaluation.models import Conversation
from tests.journeys.conftest import Visit
from tests.journeys.site import geometry
from tests.support.far_apart import far_apart
from tests.support.pseudo_locale import OPEN, pseudo_locale

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# A page of each kind; what is in the head, the foot and the small parts is on all of them.
PAGES = [
    "/", "/labels/", "/labels/sol/", "/labels/terra/agency-purpose/", "/labels/luna/embed/",
    "/compare/?m=luna,terra,vega,sol", "/compare/?m=luna,terra&view=profiles", "/explore/", "/explore/?view=grid",
    "/explore/psychological/agency-purpose/", "/concerns/", "/metrics/", "/metrics/autonomy/m01/", "/models/luna/",
    "/releases/2026-a/", "/methodology/", "/for/parents/",
]  # fmt: skip


def test_no_page_is_too_wide_for_a_phone_in_longer_words(phone: Visit) -> None:
    far_apart(resamples=50)
    chat = f"/conversations/{Conversation.objects.earliest('pk').public_id}/"
    found, unmarked = {}, []

    with pseudo_locale():
        for address in [*PAGES, chat]:
            phone.open(address)
            problems = [*geometry.overflow(phone.page), *geometry.unreadable(phone.page)]
            if problems:
                found[address] = problems
            if OPEN not in phone.page.locator("main").inner_text():
                unmarked.append(address)

    assert found == {}
    # That nothing was too wide proves something only where the words were the long ones.
    assert unmarked == []
