/* What only a script can do on public pages: copy an address, and say when what was asked for did not come. */
"use strict";

// Buttons that copy an address are shown, and say when it is done. Without a script the link beside each does.
(() => {
  if (!navigator.clipboard) return;
  const show = () => document.querySelectorAll("[data-copy][hidden]").forEach((place) => { place.hidden = false; });
  document.addEventListener("click", (event) => {
    const place = event.target.closest("[data-copy]");
    if (!place || !event.target.closest("button")) return;
    const line = place.querySelector("[role=status]");
    navigator.clipboard.writeText(place.dataset.copy).then(
      () => { line.textContent = line.dataset.said; },
      () => { line.textContent = line.dataset.failed; },
    );
  });
  document.addEventListener("htmx:afterSettle", show);
  show();
})();

// A live form keeps what was chosen when no answer comes; its own button asks again.
(() => {
  const say = (event, words) => {
    const form = event.target?.closest?.("form[data-failed]");
    if (form) form.querySelector("[role=alert]").textContent = words(form);
  };
  ["htmx:responseError", "htmx:sendError", "htmx:timeout"].forEach((name) => {
    document.addEventListener(name, (event) => say(event, (form) => form.dataset.failed));
  });
  // The way back in the history swaps too, with no request of a form.
  document.addEventListener("htmx:afterSwap", (event) => say({ target: event.detail.requestConfig?.elt }, () => ""));
})();
