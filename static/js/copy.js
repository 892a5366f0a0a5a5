/* Shows the buttons that copy an address, and says when it is done. Without a script the link beside each does. */
"use strict";
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
