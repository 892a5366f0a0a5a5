"""Where the parts of a label stand: their order, their rules, their marks, and what sticks out or lies on something."""

from __future__ import annotations

from typing import TypedDict

from playwright.sync_api import Page

# In the order of reading, which no width may change. On paper the third group stands beside the other two.
PARTS = [
    ".label-title",
    ".label-model",
    ".label-serve",
    ".label-who",
    ".label-key",
    ".head-line",
    ".head-note",
    ".label-b table:first-of-type caption",
    ".label-b table:last-of-type caption",
    ".label-small",
    ".label-facts",
    ".label-limits",
    ".label-url",
]
_SHAPE = r"""parts => {
  const label = document.querySelector('.label'), wrong = [], round = Math.round;
  const edge = label.getBoundingClientRect(), style = getComputedStyle(label);
  const inner = {
    left: edge.left + parseFloat(style.borderLeftWidth), right: edge.right - parseFloat(style.borderRightWidth),
    top: edge.top + parseFloat(style.borderTopWidth), bottom: edge.bottom - parseFloat(style.borderBottomWidth)};
  const shown = one => one && one.checkVisibility() && one.getClientRects().length > 0;
  const all = selector => [...label.querySelectorAll(selector)].filter(shown);
  const box = one => one.getBoundingClientRect();

  // Order: each part begins below the end of the one before it, or to its right where columns stand side by side.
  const found = parts.map(selector => [selector, all(selector)[0]]).filter(([, one]) => one);
  found.slice(1).forEach(([name, one], at) => {
    const [before, other] = found[at], a = box(other), b = box(one);
    const beside = b.left >= a.right - 1 || b.right <= a.left + 1;
    if (b.top < a.bottom - 1 && !beside) wrong.push(`${name} is not below ${before}`);
  });

  // Every line of text lies inside the box; lines of different parts do not meet.
  const lines = [], walker = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.trim() || !shown(node.parentElement) || node.parentElement.closest('.vh, svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = node.data.trim().slice(0, 40);
    for (const rect of range.getClientRects()) if (rect.width > 1) lines.push({rect, text});
  }
  lines.forEach(({rect, text}) => {
    const beyond = Math.max(inner.left - rect.left, rect.right - inner.right, inner.top - rect.top - 1.5,
      rect.bottom - inner.bottom - 1.5);
    if (beyond > 0.5) wrong.push(`“${text}” sticks out`);
  });
  lines.forEach((a, at) => lines.slice(at + 1).forEach(b => {
    const wide = Math.min(a.rect.right, b.rect.right) - Math.max(a.rect.left, b.rect.left);
    const high = Math.min(a.rect.bottom, b.rect.bottom) - Math.max(a.rect.top, b.rect.top);
    if (wide > 2 && high > 0.35 * Math.min(a.rect.height, b.rect.height)) wrong.push(`“${a.text}” lies on “${b.text}”`);
  }));
  all('*').forEach(one => {
    if (one.closest('svg, .vh') || getComputedStyle(one).overflow === 'visible') return;
    if (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
      wrong.push(`${one.className} cuts its text off`);
  });

  // The title is the largest text; thick, middle and thin rules lead the eye.
  const size = one => parseFloat(getComputedStyle(one).fontSize);
  const title = size(all('.label-title')[0]);
  all('p, b, span, h3, th, td, caption, small, li, a').filter(one => !one.closest('.vh, .scale')).forEach(one => {
      const words = one.innerText.trim().slice(0, 30);
      if (!words) return;
      if (size(one) >= title && !one.closest('.head-num')) wrong.push(`“${words}” is as large as the title`);
      if (size(one) < 10.5) wrong.push(`“${words}” is set in ${size(one)} px`);
    });
  const rules = [...new Set(all('.bar-8, .bar-4').map(one => `${one.className} ${round(box(one).height)}`))].sort();

  // Numbers end at the right edge, those of one column under each other.
  const right = Math.max(...all('.head-num').map(one => box(one).right));
  if (new Set(all('.head-num').map(one => round(box(one).right))).size > 1) wrong.push('headline numbers end apart');
  if (label.clientWidth < 500 && Math.abs(inner.right - parseFloat(style.paddingRight) - right) > 1.5)
    wrong.push('headline numbers end before the edge');
  all('.label-rows').forEach(table => {
    const ends = [...table.querySelectorAll('tbody tr')].map(
      row => [...row.cells].map(cell => round(box(cell).right)).join());
    if (new Set(ends).size > 1) wrong.push('columns of a table end apart');
  });

  // A mark stands where its number says, and its line reaches from one end of the range to the other.
  const near = (a, b) => Math.abs(a - b) <= 1.5;
  const marks = all('.di').filter(one => one.dataset.rate).map(one => {
    const at = box(one), x = share => at.left + at.width * share, dot = box(one.querySelector('.dot'));
    const wide = box(one.querySelector('.wide')), {rate, low, high} = one.dataset;
    if (!near((dot.left + dot.right) / 2, x(+rate))) wrong.push(`the mark of ${rate} stands elsewhere`);
    if (!near(wide.left, x(+low)) || !near(wide.right, x(+high))) wrong.push(`the range of ${rate} ends elsewhere`);
    if (wide.width <= 0) wrong.push(`the range of ${rate} has no width`);
    return rate;
  });
  return {wrong, rules, n_marks: marks.length, n_parts: found.length, width: round(edge.width)};
}"""


class Shape(TypedDict):
    """What is wrong with a label's shape, its rules with their heights, and how many parts and marks it has."""

    wrong: list[str]
    rules: list[str]
    n_marks: int
    n_parts: int
    width: int


def shape(page: Page) -> Shape:
    """The shape of the page's label as it is shown now; `width` in pixels."""
    found: Shape = page.evaluate(_SHAPE, PARTS)
    return found
