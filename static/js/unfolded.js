/* Keeps open what a reader has opened when a part of the page is fetched anew. */
"use strict";

(() => {
  const opened = new Set();
  document.addEventListener("htmx:beforeSwap", (event) => {
    event.detail.target.querySelectorAll("details[id][open]").forEach((place) => opened.add(place.id));
  });
  document.addEventListener("htmx:afterSwap", () => {
    opened.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
    opened.clear();
  });
})();
