"""Every stop of Tab through a page: which element it is, whether its focus shows, and whether anything lies over it."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page

# What Tab stops at, in the order of the document; a group of radio buttons is one stop.
CONTROLS = r"""() => {
  const kinds = 'a[href], button, input, select, textarea, summary, iframe, [tabindex]';
  const isStop = one => {
    if (one.tabIndex < 0 || one.disabled || one.type === 'hidden') return false;
    if (!one.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true})) return false;
    if (one.matches('summary')) return one.parentElement.querySelector(':scope > summary') === one;
    if (one.type !== 'radio') return true;
    const group = [...document.querySelectorAll(`input[type=radio][name="${CSS.escape(one.name)}"]`)]
      .filter(other => other.form === one.form);
    return one === (group.find(other => other.checked) || group[0]);
  };
  return [...document.querySelectorAll(kinds)].filter(isStop);
}"""
_START = r"""() => {
  const asked = new Map((CONTROLS)().map((one, at) => [one, at]));
  window.walk = {asked, stops: []};
  window.walk.look = () => window.walk.stops.push(look(document.activeElement));
  addEventListener('keydown', event => event.key === 'Tab' && window.walk.look(), true);

  const says = one => {
    const name = one.getAttribute('aria-label') || one.textContent || one.name || '';
    return `${one.tagName.toLowerCase()} ${name.trim().replace(/\s+/g, ' ').slice(0, 50)}`;
  };
  const look = one => {
    if (one === document.body) return null;
    return {at: asked.has(one) ? asked.get(one) : -1, says: says(one), unmarked: !outlined(one), under: over(one)};
  };
  const light = colour => {
    const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = one => {
    for (let at = one; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/, 0\)$|transparent/.test(colour)) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const apart = (one, other) => {
    const [a, b] = [light(one), light(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) >= 3;
  };
  // An outline of at least 2 px that stands out at 3 to 1 from what is around it, or from the white gap inside it;
  // a slice of a picture has a line around its parts instead.
  const outlined = one => {
    const style = getComputedStyle(one), ground = behind(one.parentElement);
    if (one instanceof SVGElement) {
      return [...one.children].map(part => getComputedStyle(part)).some(
        part => part.stroke !== 'none' && parseFloat(part.strokeWidth) >= 2 && apart(part.stroke, ground));
    }
    if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2) return false;
    return [ground, style.boxShadow].some(around => around !== 'none' && apart(style.outlineColor, around));
  };
  // What stands over a corner of the focused element or where it is out of sight; '' when it can be seen.
  const over = one => {
    const boxes = [...one.getClientRects()].filter(box => box.width && box.height);
    if (!boxes.length) return 'it has no size';
    const seen = boxes.filter(box => box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth);
    if (!seen.length) return 'it is out of sight';
    for (const box of seen) {
      const inset = Math.min(2, box.width / 4, box.height / 4);
      for (const x of [box.left + inset, box.right - inset]) for (const y of [box.top + inset, box.bottom - inset]) {
        const hit = document.elementFromPoint(x, y);
        for (let at = hit; at && !one.contains(hit) && !at.contains(one); at = at.parentElement) {
          if (/sticky|fixed/.test(getComputedStyle(at).position)) return says(at);
        }
      }
    }
    return '';
  };
  return [...asked.keys()].map(says);
}""".replace("CONTROLS", CONTROLS)


@dataclass(frozen=True)
class Stop:
    """One press of Tab: the place among the page's controls (-1 if it is none of them), and what is wrong with it."""

    at: int
    says: str
    is_unmarked: bool
    under: str


@dataclass(frozen=True)
class Walk:
    """All stops from the top of a page until the focus leaves it, and the controls that it has."""

    controls: list[str]
    stops: list[Stop]

    @property
    def missed(self) -> list[str]:
        """The controls that Tab never reaches."""
        reached = {stop.at for stop in self.stops}
        return [says for at, says in enumerate(self.controls) if at not in reached]

    @property
    def order(self) -> list[int]:
        return [stop.at for stop in self.stops]


def walk(page: Page) -> Walk:
    """Press Tab once for each control and once more, with which the focus must have left the page."""
    if page.locator("[hx-trigger=load]").count():
        page.wait_for_load_state("networkidle")
    controls = page.evaluate(_START)
    for _ in range(len(controls) + 1):
        page.keyboard.press("Tab")
    page.evaluate("() => window.walk.look()")
    _before, *stops = page.evaluate("() => window.walk.stops")
    last = stops.pop()
    # A browser without a frame around it goes on at the first control.
    assert last is None or last["at"] == 0, f"after {len(controls)} controls the focus is still on {last}"
    return Walk(controls, [Stop(one["at"], one["says"], one["unmarked"], one["under"]) for one in stops if one])
