"""What a page's tree says to who cannot see it: headings, names of pictures, kinds in words, the current place."""

from __future__ import annotations

from playwright.sync_api import Page

_UNTOLD = """() => {
  const found = [], words = one => one.textContent.trim().replace(/\\s+/g, ' ');
  const all = selector => [...document.querySelectorAll(selector)];
  const say = (what, one) => found.push(`${what}: ${one.outerHTML.slice(0, 120)}`);

  const headings = all('h1, h2, h3, h4, h5, h6').map(one => [+one.tagName[1], one]);
  if (headings.filter(([level]) => level === 1).length !== 1) found.push('not one h1');
  headings.forEach(([level, one], at) => {
    if (!words(one)) say('empty heading', one);
    if (level > (at ? headings[at - 1][0] : 0) + 1) say('a heading too deep', one);
  });

  all('body [title]:not(iframe)').forEach(one => say('said in a title only', one));

  // A picture says what it is or stands beside words that do; one that can be entered has links with names instead.
  all('main svg').filter(one => !one.parentElement.closest('svg')).forEach(one => {
    if (one.closest('[aria-hidden=true]')) return;
    if (one.querySelector('a') && [...one.querySelectorAll('a')].every(link => link.getAttribute('aria-label'))) return;
    const named = (one.getAttribute('aria-labelledby') || '').split(' ').map(id => document.getElementById(id));
    const name = one.getAttribute('aria-label') || named.map(other => other ? words(other) : '').join(' ').trim();
    if (one.getAttribute('role') !== 'img' || !name) say('a picture without a name', one);
  });
  all('figure').forEach(one => {
    const caption = one.querySelector('figcaption');
    const picture = one.querySelector(':scope > svg[role=img][aria-labelledby]');
    if (!(caption ? words(caption) : picture)) say('a figure without a name', one);
  });
  // The numbers of a figure stand in its rows, or in a table or list in it or after it.
  all('figure:has(.di, .wheel, svg [data-rate])').forEach(one => {
    const rows = [...one.querySelectorAll('.dots > li:has(.di)')];
    if (rows.length && rows.every(row => row.querySelector('.dots-val'))) return;
    const twins = all('main table, .wheel-list').filter(twin => one.contains(twin) ||
      one.compareDocumentPosition(twin) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (!twins.length) say('a figure without its table', one);
  });

  // Which kind a mark stands for is said with it: in its row, in its table's heads, or in the heading above its list.
  const kinds = /promotes? good|avoids? harm|good things|harms? (it|they) kept|kept clear|helpful|harmful/i;
  all('main .mark').forEach(one => {
    if (one.closest('svg[role=img]')) return;
    const row = one.closest('li, tr, label, p, h1, h2, h3, h4, dt, dd, summary, a') || one.parentElement;
    const box = one.closest('tbody, table, section, figure, article, .label, .label-s');
    const heads = box ? [box.querySelector('caption, h2, h3, figcaption, th'), box.closest('table')?.caption] : [];
    const isSaid = [row, ...heads].some(other => other && kinds.test(words(other)));
    if (!isSaid) say('a kind that only a mark tells', one.parentElement);
  });

  all('a[aria-current=page]').forEach(one => {
    if (new URL(one.href).pathname !== location.pathname) say('not the current page', one);
  });
  all('.nav a[aria-current=true]').forEach(one => {
    const other = {'/labels/': '/(labels|models)/', '/metrics/': '/(metrics|benchmarks|conversations|cases)/'};
    const path = new URL(one.href).pathname;
    if (!new RegExp(`^${other[path] || path}`).test(location.pathname)) say('not the current section', one);
  });
  return found;
}"""


def untold(page: Page) -> list[str]:
    """What eyes see and a screen reader does not say, or says wrong."""
    found: list[str] = page.evaluate(_UNTOLD)
    return found
