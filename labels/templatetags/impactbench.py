"""Tags and filters of the public pages: marks, pictures, numbers in words, and addresses that keep their state."""

from django import template
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from labels import addresses, bands, wording
from labels.charts import dots

register = template.Library()
# As a heading it fits the narrowest phone.
LONGEST_UNBROKEN = 12


@register.simple_tag
def mark(polarity: str, hollow: bool = False) -> SafeString:
    """The triangle or diamond of a kind; decoration only, so its word must stand beside it."""
    kind = wording.KINDS[polarity]
    return format_html(
        '<svg class="mark {}" aria-hidden="true"><use href="#{}"/></svg>',
        kind.slug,
        f"{kind.symbol}-o" if hollow else kind.symbol,
    )


@register.simple_tag
def dot_interval(result: bands.Rate | None, ruler: bool = False) -> SafeString:
    """One number drawn as dot and interval; its words must stand beside it."""
    return dots.dot_interval(result, ruler=ruler)


@register.simple_tag
def data_of(result: bands.Rate | None) -> SafeString:
    """The numbers of a mark or a cell as `data-` attributes, as the API has them."""
    return dots.data_attributes(result)


@register.simple_tag
def stacked_intervals(results: list[bands.Rate | None]) -> SafeString:
    """Several numbers on one scale, one line each."""
    return dots.stacked_intervals(results)


@register.simple_tag
def overlaid_intervals(*results: bands.Rate | None) -> SafeString:
    """The two kinds on one line."""
    return dots.overlaid_intervals(results)


@register.simple_tag
def scale() -> SafeString:
    """The numbers of the scale, for the head of a list of pictures or below a ruler."""
    return dots.scale()


@register.simple_tag
def square(passed: bool | None) -> SafeString:
    """A verdict square: filled with a tick, hollow with a cross, or a dash; read out as words."""
    symbol = {True: "sq-yes", False: "sq-no", None: "sq-na"}[passed]
    return format_html(
        '<svg class="sq" role="img" aria-label="{}"><use href="#{}"/></svg>', wording.OUTCOMES[passed], symbol
    )


@register.filter
def hundred(rate: float | None) -> str:
    """A rate between 0 and 1 as a whole number of 100; a dash where there is none."""
    return wording.hundred(rate)


@register.filter
def unbroken(name: str) -> str:
    """A name whose short words, such as GPT-5.1 or 6–17, no line breaks at their dash; longer ones need the break."""
    words = name.split(" ")
    if not any(_is_kept_whole(word) for word in words):
        return name
    parts = (format_html('<span class="nb">{}</span>', word) if _is_kept_whole(word) else word for word in words)
    return format_html_join(" ", "{}", ((part,) for part in parts))


def _is_kept_whole(word: str) -> bool:
    return len(word) <= LONGEST_UNBROKEN and ("-" in word or "–" in word)


@register.simple_tag(name="range")
def range_(result: bands.Rate | None) -> str:
    """The range, or words where there is no range."""
    if result is None or result.pass_rate is None:
        return gettext("no data")
    return bands.range_in_100(result.ci_low, result.ci_high) or gettext("no range")


@register.filter
def is_hollow(result: bands.Rate) -> bool:
    """Whether the result rests on so few conversations that its mark is hollow."""
    return bands.is_hollow(result.n_judged)


@register.simple_tag
def floors() -> dict[str, int]:
    """How much data each statement needs, by name (`bands.floors`)."""
    return bands.floors()


@register.filter
def kind(polarity: str) -> wording.Kind:
    """How pages speak of a polarity: `.slug`, `.name`, `.did`, `.act`."""
    return wording.KINDS[polarity]


@register.simple_tag
def limits() -> tuple[str, ...]:
    """The two sentences that stand beside every result."""
    return wording.limits()


@register.simple_tag
def short_limits() -> tuple[str, ...]:
    """The same two sentences for a small card, on a page that also has them in full."""
    return wording.short_limits()


@register.simple_tag
def further_limits() -> tuple[str, ...]:
    """What else readers must not conclude."""
    return wording.further_limits()


@register.simple_tag
def demonstration() -> str:
    """What is said of every number that the bundled tiny model made."""
    return wording.demonstration()


@register.simple_tag
def url_with(request: HttpRequest, **changes: object) -> str:
    """The query string of this page with some parameters changed, canonical; '?' when nothing is left."""
    return addresses.same_page(request, **changes)


@register.simple_tag
def link_to(request: HttpRequest, path: str, **changes: object) -> str:
    """The address of another page, showing the same release and profile."""
    return addresses.other_page(request, path, **changes)
