"""The badge: well-formed whatever a model is called, with the limits in it, and the same as PNG."""

import struct
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.utils import timezone

from evaluation.models import LanguageModel, Release
from labels.badges import badge_png, badge_svg, share_png
from labels.label import Label, read_label
from labels.wording import LIMITS, SHORT_LIMITS
from tests.support.builders import make_release

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"
ADDRESS = "https://impactbench.example/labels/luna/?release=2026-a"


def label_of(slug: str = "luna", *, name: str = "", **release_fields: object) -> Label:
    release = Release.objects.first() or make_release()
    for field, value in release_fields.items():
        setattr(release, field, value)
    model = LanguageModel.objects.get(slug=slug)
    model.name = name or model.name
    return read_label(release, model, profiles=list(release.profiles.all()))


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_badge_shows_both_numbers_with_range_and_n_and_the_limits() -> None:
    label = label_of()

    found = texts(badge_svg(label, ADDRESS))

    promotes, avoids = (headline.cell for headline in label.headlines)
    assert found == [
        "AI Nutrition Label",
        "Luna",
        "Promotes good", promotes.text, promotes.note,
        "Avoids harm", avoids.text, avoids.note,
        *SHORT_LIMITS,
        "2026-a · impactbench.example/labels/luna/",
    ]  # fmt: skip


def test_badge_description_holds_the_limits_in_full_and_the_title_both_numbers() -> None:
    root = ElementTree.fromstring(badge_svg(label_of(), ADDRESS))

    title, description = (root.findtext(f"{SVG}{name}") or "" for name in ("title", "desc"))
    assert title == "AI Nutrition Label for Luna: promotes good in 67 of 100 chats and avoids harm in 33 of 100 chats"
    assert [sentence for sentence in LIMITS if sentence in description] == list(LIMITS)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</scri…"),
        ('"/><image href="x"/>&amp;', '"/><image href="x"/>&a…'),
        ("a]]>b\x0bc\x1fd", "a]]>bcd"),
        ("M" * 200, "M" * 22 + "…"),
        ("模型 модель", "模型 модель"),
    ],
)
def test_badge_of_a_hostile_name_is_well_formed_and_inert(name: str, shown: str) -> None:
    root = ElementTree.fromstring(badge_svg(label_of(name=name), ADDRESS))

    names = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert texts(ElementTree.tostring(root, encoding="unicode"))[1] == shown
    assert names == {"svg", "title", "desc", "defs", "pattern", "rect", "text", "path", "g"}


def test_badge_of_a_demonstration_says_so() -> None:
    last = texts(badge_svg(label_of(is_demonstration=True), ADDRESS))[-1]

    assert last == "Demonstration by a tiny model, no finding · 2026-a"


def test_badge_of_a_partly_tested_model_says_so() -> None:
    assert texts(badge_svg(label_of("sol"), ADDRESS))[-1] == (
        "Partial data · 2026-a · impactbench.example/labels/luna/"
    )


def test_badge_of_an_older_release_says_that_a_newer_result_exists_and_how_old_it_is() -> None:
    label = label_of(published_at=timezone.now() - timedelta(days=366))

    assert texts(badge_svg(label, "https://x.org/l/", is_superseded=True))[-1] == (
        "A newer result exists · Over a year old · 2026-a · x.org/l/"
    )


def test_shared_picture_is_the_badge_on_a_white_field() -> None:
    png = share_png(label_of(), ADDRESS)

    assert struct.unpack(">II", png[16:24]) == (1200, 630)
    assert len(png) > 15_000


def test_png_has_three_times_the_size_and_is_not_blank() -> None:
    png = badge_png(label_of(), ADDRESS)

    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (960, 360)
    assert len(png) > 15_000  # letters are drawn: without fonts the same picture has about a third


def test_png_of_a_long_hostile_name_is_drawn() -> None:
    png = badge_png(label_of(name="<svg onload=x>" * 20), ADDRESS)

    assert struct.unpack(">II", png[16:24]) == (960, 360)
