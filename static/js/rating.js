// In a rating: J and K go through the turns, questions that depend on an answer are folded away, time in view is counted.
(() => {
  const form = document.getElementById("rubric");
  if (!form || !form.elements.seconds) return;

  form.querySelector("[data-keys]")?.removeAttribute("hidden");

  // Only while the conversation has the focus, so that no letter is taken from somebody who writes or reads aloud.
  const text = form.querySelector("[data-turns]");
  text?.addEventListener("keydown", (event) => {
    const step = { j: 1, k: -1 }[event.key.toLowerCase()];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || event.target.type === "text") return;
    const turns = [...text.querySelectorAll("[data-turn]")];
    const at = turns.findIndex((turn) => turn.contains(document.activeElement));
    const next = turns[at < 0 ? (step > 0 ? 0 : turns.length - 1) : at + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  });

  const dependent = [...form.querySelectorAll("[data-asked-by]")];
  const fold = () => {
    for (const part of dependent) {
      const chosen = [...form.querySelectorAll(`[name="${part.dataset.askedBy}"]:checked`)].map((one) => one.value);
      const field = part.querySelector("textarea");
      part.hidden = !field?.value && !chosen.some((value) => part.dataset.askedAt.split(" ").includes(value));
    }
  };
  form.addEventListener("change", fold);
  form.addEventListener("reviews:put", fold);
  fold();

  // What one save has told is not told again; reviews.js says when a save was taken.
  let shownAt = document.hidden ? 0 : Date.now(), counted = 0, told = 0;
  const seconds = () => Math.round((counted + (shownAt ? Date.now() - shownAt : 0)) / 1000);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && shownAt) { counted += Date.now() - shownAt; shownAt = 0; }
    if (!document.hidden) shownAt = Date.now();
  });
  let telling = 0;
  const tell = () => { telling = seconds(); form.elements.seconds.value = String(telling - told); };
  form.addEventListener("reviews:sending", tell);
  form.addEventListener("submit", tell);
  form.addEventListener("reviews:saved", () => { told = telling; });
})();
