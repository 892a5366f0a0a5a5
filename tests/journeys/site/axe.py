"""What axe finds wrong on a page, with the contrast that it leaves open measured here."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

_SOURCE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
_OPTIONS = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
    "resultTypes": ["violations", "incomplete"],
    "iframes": False,
}
# The rows of a list or table come from one line of a template: the first two and the last six, among which are the
# models that were tested in part, speak for all; in a report of many tables three do.
_ROWS = "(all => all > 4000 ? [1, -2] : [2, -6])(document.querySelectorAll('*').length)"
_OPEN_ALL = "() => document.querySelectorAll('details').forEach(one => { one.open = true; })"
_SHORTEN = f"""() => {{ const part = {_ROWS}; document.querySelectorAll('tbody, main ul, main ol').forEach(
  rows => [...rows.children].slice(...part).forEach(row => row.remove())); }}"""
# Axe cannot tell the ground of text over a picture, nor measure text in a box without width: so it is done here from
# what the browser paints under the middle of the text. The answer is one line for each text that is too pale.
_RUN = """async options => {
  const shown = node => node.html.slice(0, 160);
  const colour = text => {
    const parts = text.match(/[\\d.]+/g);
    const isSolid = parts && text.startsWith('rgb') && (parts.length < 4 || +parts[3] === 1);
    return isSolid ? parts.slice(0, 3).map(Number) : null;
  };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (one, x, y) => {
    const stack = document.elementsFromPoint(x, y);
    const below = stack.slice(stack.indexOf(one) + 1)
      .filter(other => !one.contains(other) && !other.matches('text, tspan'));
    for (const other of below) {
      const style = getComputedStyle(other), isShape = other instanceof SVGGeometryElement;
      const paint = isShape ? style.fill : style.backgroundColor;
      if (isShape && paint.startsWith('url')) return null;
      if (colour(paint)) return colour(paint);
    }
    return [255, 255, 255];
  };
  const pale = selector => {
    const one = document.querySelector(selector);
    one.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
    const range = document.createRange();
    range.selectNodeContents(one);
    const box = one.matches('select') ? one.getBoundingClientRect() : range.getBoundingClientRect();
    const style = getComputedStyle(one), ink = colour(one instanceof SVGElement ? style.fill : style.color);
    const paper = ground(one, box.left + box.width / 2, box.top + box.height / 2);
    if (!ink || !paper) return `a ground that cannot be measured: ${selector}`;
    const [a, b] = [light(ink), light(paper)], ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const px = parseFloat(style.fontSize), needed = px >= 24 || px >= 18.66 && style.fontWeight >= 700 ? 3 : 4.5;
    return ratio >= needed ? '' : `contrast ${ratio.toFixed(2)}: ${one.outerHTML.slice(0, 120)}`;
  };
  const {violations, incomplete} = await axe.run(document, options);
  const open = incomplete.filter(rule => rule.id === 'color-contrast').flatMap(rule => rule.nodes);
  return [
    ...violations.flatMap(rule => rule.nodes.map(node => `${rule.id}: ${shown(node)}`)),
    ...open.map(node => pale(node.target[0])).filter(found => found),
  ];
}"""


def open_all(page: Page) -> None:
    """Open every details element of the page."""
    page.evaluate(_OPEN_ALL)


def shorten(page: Page) -> None:
    """Take the rows out of long lists and tables that are like those before and after them."""
    page.evaluate(_SHORTEN)


def problems(page: Page, *, is_touched: bool = True) -> list[str]:
    """What is wrong with the page as it stands, one line each, by all rules; what nobody points at may be small."""
    page.evaluate(_SOURCE)
    found: list[str] = page.evaluate(_RUN, {**_OPTIONS, "rules": {"target-size": {"enabled": is_touched}}})
    return found
