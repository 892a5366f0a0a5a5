"""What a page's boxes say: nothing to scroll sideways, nothing cut off or printed over, targets large enough."""

from __future__ import annotations

from playwright.sync_api import Page

# Things that stick out to the right of the window, outside tables that scroll in a named box of their own.
_OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
_UNNAMED_SCROLLERS = """() => [...document.querySelectorAll('body *')].filter(one => {
  if (!/auto|scroll/.test(getComputedStyle(one).overflowX) || one.scrollWidth <= one.clientWidth + 1) return false;
  if (one.matches('textarea, select, input')) return false;
  const label = one.getAttribute('aria-label') || one.getAttribute('aria-labelledby');
  return one.tabIndex !== 0 || one.getAttribute('role') !== 'region' || !label;
}).map(one => one.outerHTML.slice(0, 100))"""
# WCAG 2.5.8: 24 by 24 pixels, or a circle of 24 pixels around its middle that meets no other target. Links inside a
# sentence, which stand where its words stand, are exempt there.
_SMALL_TARGETS = """() => {
  const isShown = one => one.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true});
  const inText = one => {
    if (getComputedStyle(one).display !== 'inline') return false;
    const words = node => node.textContent.replace(/[\\s·,.;:()/]+/g, '');
    let block = one.parentElement;
    while (getComputedStyle(block).display === 'inline') block = block.parentElement;
    const links = [...block.querySelectorAll('a')].filter(isShown);
    return words(block).length > links.reduce((sum, link) => sum + words(link).length, 0);
  };
  const targets = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, label:has(input)')]
    .filter(one => isShown(one) && !(one.matches('input') && one.closest('label')))
    .map(one => ({one, box: one.getBoundingClientRect()}))
    .filter(({one, box}) => box.width > 1 && box.height > 1 && !one.matches('.skip'))
    .map(({one, box}) => ({one, box, x: box.left + box.width / 2, y: box.top + box.height / 2,
      isSmall: box.width < 23.5 || box.height < 23.5}));
  const far = (x, y, box) => Math.hypot(
    Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
  return targets.filter(target => target.isSmall && !inText(target.one)).filter(({one, x, y}) => targets.some(other =>
    other.one !== one && !other.one.contains(one) && !one.contains(other.one) && Math.abs(other.y - y) < 400 &&
    (far(x, y, other.box) < 12 || other.isSmall && Math.hypot(x - other.x, y - other.y) < 24)
  )).map(({one, box}) => `${Math.round(box.width)}x${Math.round(box.height)} ${one.outerHTML.slice(0, 90)}`);
}"""
# Text that its box cuts off, and text that lies on other text.
_UNREADABLE = """() => {
  const found = [], pieces = [];
  const isShown = one => one.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true});
  const isNoText = one => one.closest('svg, script, style, select, textarea, .vh, [aria-hidden=true]');
  const cuts = one => {
    for (let at = one; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.clipPath !== 'none') return null;
      if (/hidden|clip/.test(style.overflowX + style.overflowY)) return at;
      if (/auto|scroll/.test(style.overflowX)) return undefined;
    }
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || isNoText(one) || !isShown(one)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(box => box.width > 1 && box.height > 1);
    const cutter = cuts(one);
    if (cutter === null) continue;
    if (cutter) {
      const edge = cutter.getBoundingClientRect();
      if (boxes.some(box => box.right > edge.right + 2 || box.bottom > edge.bottom + 2 || box.left < edge.left - 2))
        found.push(`cut off: ${node.data.trim().slice(0, 60)}`);
    }
    for (let at = one; at && !/sticky|fixed/.test(getComputedStyle(at).position); at = at.parentElement)
      if (at === document.body) boxes.forEach(box => pieces.push({node, box}));
  }
  pieces.sort((a, b) => a.box.top - b.box.top);
  pieces.forEach(({node, box}, at) => {
    for (let next = at + 1; next < pieces.length && pieces[next].box.top < box.bottom - 4; next += 1) {
      const other = pieces[next];
      const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const high = Math.min(box.bottom, other.box.bottom) - other.box.top;
      if (other.node !== node && wide > 3 && high > 0.4 * Math.min(box.height, other.box.height))
        found.push(`“${node.data.trim().slice(0, 40)}” and “${other.node.data.trim().slice(0, 40)}” on each other`);
    }
  });
  return found;
}"""
# The part of the window that stays covered however far one scrolls.
_COVERED = """() => {
  const scrolls = one => one !== document.body &&
    (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  const stays = one => /sticky|fixed/.test(getComputedStyle(one).position) && one.checkVisibility() &&
    one.clientWidth > innerWidth / 2 && !scrolls(one.parentElement);
  const all = [...document.querySelectorAll('body *')].filter(stays);
  return Math.max(0, ...all.map(one => one.getBoundingClientRect().height / innerHeight));
}"""
# WCAG 1.4.12, as a reader's own style sheet would set it.
_WIDER_TEXT = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
    p { margin-bottom: 2em !important; }`);
  document.adoptedStyleSheets = [sheet];
}"""


def overflow(page: Page) -> list[str]:
    """What has to be scrolled sideways: the page, or a box without a name."""
    wide = page.evaluate(_OVERFLOW)
    return ([f"{wide} px too wide"] if wide > 0 else []) + page.evaluate(_UNNAMED_SCROLLERS)


def small_targets(page: Page) -> list[str]:
    """Targets under 24 by 24 pixels with another too near."""
    found: list[str] = page.evaluate(_SMALL_TARGETS)
    return found


def unreadable(page: Page) -> list[str]:
    """Text that is cut off or lies on other text."""
    found: list[str] = page.evaluate(_UNREADABLE)
    return found


def covered(page: Page) -> float:
    """The share of the window's height that a bar which stays in place covers."""
    return float(page.evaluate(_COVERED))


def space_text(page: Page) -> None:
    """Set the distances of lines, words and letters of WCAG 1.4.12."""
    page.evaluate(_WIDER_TEXT)


def unspace_text(page: Page) -> None:
    """Take them back."""
    page.evaluate("() => { document.adoptedStyleSheets = []; }")
