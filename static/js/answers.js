/* Says when an answer could not be saved, and warns before unsaved answers are left behind. */
"use strict";
(() => {
  const form = document.getElementById("answers");
  if (!form) return;
  let dirty = false;
  const say = (words) => {
    const line = document.getElementById("answers-saved");
    if (line) line.textContent = words;
  };
  form.addEventListener("input", () => { dirty = true; });
  form.addEventListener("submit", () => { dirty = false; });
  document.body.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful) {
      dirty = false;
      return;
    }
    const status = event.detail.xhr ? event.detail.xhr.status : 0;
    if (status === 401 || status === 403) say("Not saved: you have been signed out. Your answers stay on this page. Sign in in a new tab, then press Save.");
    else say("Not saved. Your answers stay on this page. Press Save to try again.");
  });
  window.addEventListener("beforeunload", (event) => { if (dirty) event.preventDefault(); });
})();
