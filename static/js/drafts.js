/* Saves the submission form while one writes, and keeps a copy on this device until the server has it. */
"use strict";
(() => {
  const form = document.getElementById("submission");
  if (!form) return;
  const AFTER_LAST_KEY = 1500;
  const AGAIN = 20000;
  const ANNOUNCE_EVERY = 60000;
  const KEY = "impactbench-draft:" + form.dataset.copy;
  const OLD = KEY + ":aside";
  const NOT_TEXT = ["csrfmiddlewaretoken", "version", "action"];
  const notice = document.getElementById("save-notice");
  const announce = document.getElementById("save-announce");
  const version = form.elements.namedItem("version");
  let timer = 0;
  let running = null;
  let fails = 0;
  let renewals = 0;
  let stopped = false;
  let leaving = false;
  let lastAnnounced = 0;
  let savedText = form.hasAttribute("data-unsaved") ? "" : text();

  function entries() {
    return Array.from(new FormData(form)).filter(([, value]) => typeof value === "string");
  }

  /** The text of the form as one string: two forms are the same when these are. */
  function text() {
    return JSON.stringify(entries().filter(([name]) => !NOT_TEXT.includes(name)).map(([name, value]) => [name, value.replace(/\r\n?/g, "\n")]));
  }

  function isDirty() {
    return text() !== savedText;
  }

  function clock(moment) {
    const parts = { hour: "2-digit", minute: "2-digit" };
    try {
      return moment.toLocaleTimeString("en-GB", { ...parts, timeZone: form.dataset.zone });
    } catch {
      return moment.toLocaleTimeString("en-GB", parts);
    }
  }

  function piece(attribute, name) {
    const template = document.querySelector("template[data-" + attribute + '="' + name + '"]');
    return template.content.cloneNode(true);
  }

  function show(state, moment) {
    const found = piece("state", state);
    for (const slot of found.querySelectorAll("[data-time]")) slot.textContent = clock(moment || new Date(form.dataset.saved));
    const words = found.textContent.trim().replace(/\s+/g, " ");
    document.getElementById("save-state").replaceWith(found);
    return words;
  }

  function say(words, isUrgent) {
    const now = Date.now();
    if (!isUrgent && now - lastAnnounced < ANNOUNCE_EVERY) return;
    lastAnnounced = now;
    if (isUrgent && announce.textContent === words) return;
    announce.textContent = words;
  }

  function tell(name, moment) {
    if (notice.dataset.shown === name) return;
    const found = piece("notice", name);
    for (const slot of found.querySelectorAll("[data-time]")) slot.textContent = clock(moment);
    notice.replaceChildren(found);
    notice.dataset.shown = name;
  }

  function untell() {
    notice.replaceChildren();
    delete notice.dataset.shown;
  }

  /* ---- the copy on this device ---- */

  function keepCopy() {
    try {
      localStorage.setItem(KEY, JSON.stringify({ at: Date.now(), fields: JSON.parse(text()) }));
    } catch { /* a full or forbidden store: the server still gets the text */ }
  }

  function readCopy(key) {
    try {
      return JSON.parse(localStorage.getItem(key) || "null");
    } catch {
      return null;
    }
  }

  function dropCopy(key) {
    try {
      localStorage.removeItem(key);
    } catch { /* nothing was kept */ }
  }

  function compareCopy() {
    const copy = readCopy(OLD);
    if (!copy) return;
    const sent = document.createElement("form");
    sent.method = "post";
    sent.action = form.dataset.compare;
    sent.hidden = true;
    const token = form.elements.namedItem("csrfmiddlewaretoken").value;
    for (const [name, value] of [["csrfmiddlewaretoken", token], ...copy.fields]) {
      const input = document.createElement("textarea");
      input.name = name;
      input.value = value;
      sent.append(input);
    }
    document.body.append(sent);
    leaving = true;
    sent.submit();
  }

  /* ---- saving ---- */

  function later(delay) {
    clearTimeout(timer);
    timer = setTimeout(save, delay);
  }

  function changed() {
    if (stopped) return;
    if (!isDirty()) return;
    keepCopy();
    if (!fails) show("changed");
    later(fails ? AGAIN : AFTER_LAST_KEY);
  }

  async function save() {
    clearTimeout(timer);
    if (running || stopped || leaving || !isDirty()) return;
    const sent = text();
    if (!fails) show("saving");
    running = attempt(sent);
    await running;
    running = null;
  }

  async function attempt(sent) {
    const answer = await post();
    if (answer) await settle(answer, sent);
    else failed();
  }

  async function post() {
    try {
      return await fetch(form.dataset.save, {
        method: "POST",
        headers: { "HX-Request": "true" },
        body: new URLSearchParams(entries()),
        redirect: "error",
      });
    } catch {
      return null;
    }
  }

  async function settle(answer, sent) {
    if (answer.status === 200) return saved(await answer.text(), sent);
    if (answer.status === 401) return signedOut();
    if (answer.status === 403) {
      const found = await renewToken();
      if (found === "renewed") return later(0);
      if (found === "signed out") return signedOut();
    }
    if (answer.status === 409) return refused(await answer.text());
    if (answer.status === 429) return slowed(await answer.text());
    return failed();
  }

  function saved(html, sent) {
    fails = 0;
    renewals = 0;
    savedText = sent;
    form.dataset.saved = new Date().toISOString();
    const page = new DOMParser().parseFromString(html, "text/html");
    const root = page.querySelector("[data-version]");
    if (!root) return failed();
    version.value = root.dataset.version;
    if (notice.dataset.shown !== "newer") untell();
    swap(root);
    if (isDirty()) {
      keepCopy();
      later(AFTER_LAST_KEY);
    } else {
      dropCopy(KEY);
    }
    say(document.getElementById("save-state").textContent.trim().replace(/\s+/g, " "), false);
    return undefined;
  }

  /** Put each piece in its place, but never under the hands of somebody who is using it. */
  function swap(root) {
    for (const fresh of Array.from(root.children)) {
      const old = document.getElementById(fresh.id);
      if (!old || old.contains(document.activeElement)) continue;
      old.replaceWith(fresh);
      if (window.htmx) window.htmx.process(fresh);
    }
  }

  function failed() {
    fails += 1;
    keepCopy();
    const offline = navigator.onLine === false;
    if (offline) say(show("offline"), true);
    else if (fails >= 3) say(show("failed"), true);
    if (!offline && fails >= 3) tell("failed");
    later(!offline && fails < 3 ? AFTER_LAST_KEY : AGAIN);
  }

  function signedOut() {
    fails += 1;
    keepCopy();
    show("stopped");
    tell("signed-out");
    say("You have been signed out. Your last words are kept on this device.", true);
    later(AGAIN);
  }

  function refused(html) {
    stopped = true;
    keepCopy();
    show("stopped");
    fill(html);
  }

  function slowed(html) {
    fails += 1;
    keepCopy();
    fill(html);
    later(AGAIN);
  }

  function fill(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    notice.replaceChildren(...page.body.children);
    notice.dataset.shown = "server";
    say(notice.textContent.trim().replace(/\s+/g, " "), true);
  }

  /** After signing in again the page's token is an old one. */
  async function renewToken() {
    try {
      const answer = await fetch(form.dataset.save, { headers: { "HX-Request": "true" }, redirect: "error" });
      if (answer.status === 401) return "signed out";
      if (answer.status !== 200) return "";
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector("[name=csrfmiddlewaretoken]");
      const own = form.elements.namedItem("csrfmiddlewaretoken");
      if (!fresh || renewals > 9) return "";
      renewals += 1;
      for (const input of document.querySelectorAll("[name=csrfmiddlewaretoken]")) input.value = fresh.value;
      own.value = fresh.value;
      return "renewed";
    } catch {
      return "";
    }
  }

  /* ---- what a person does ---- */

  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  for (const element of form.elements) {
    if (!form.contains(element)) {
      element.addEventListener("input", changed);
      element.addEventListener("change", changed);
    }
  }

  form.addEventListener("submit", (event) => {
    if (running) {
      event.preventDefault();
      const button = event.submitter;
      running.then(() => setTimeout(() => form.requestSubmit(button), 0));
      return;
    }
    if (leaving) {
      event.preventDefault();
      return;
    }
    clearTimeout(timer);
    if (isDirty()) keepCopy();
    leaving = true;
    // Should the answer never come, the form is there again.
    setTimeout(() => { leaving = false; }, 8000);
  });

  notice.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (!button) return;
    const what = button.dataset.do;
    if (what === "try-now") save();
    if (what === "compare") compareCopy();
    if (what === "throw-away") {
      dropCopy(OLD);
      untell();
      document.getElementById("title").focus();
    }
    if (what === "copy") {
      const words = JSON.parse(text()).map(([name, value]) => name + ": " + value).join("\n\n");
      navigator.clipboard.writeText(words).then(() => { button.textContent = "Copied"; }, () => { button.textContent = "Copying is not allowed here"; });
    }
  });

  window.addEventListener("online", () => later(0));
  document.addEventListener("visibilitychange", () => { if (!document.hidden && fails) later(0); });
  window.addEventListener("beforeunload", (event) => {
    if (!leaving && isDirty()) event.preventDefault();
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) leaving = false; });

  /** What was never saved is put aside, so that what is typed now does not overwrite it. */
  function putAside() {
    const copy = readCopy(KEY);
    if (!copy || JSON.stringify(copy.fields) === text()) return;
    try {
      localStorage.setItem(OLD, JSON.stringify(copy));
    } catch { /* the copy stays where it is */ }
  }

  if (form.hasAttribute("data-settled")) dropCopy(OLD);
  else putAside();
  dropCopy(KEY);
  const aside = readCopy(OLD);
  if (aside && JSON.stringify(aside.fields) !== text()) tell("newer", new Date(aside.at));
  else dropCopy(OLD);
  const problems = document.getElementById("problems");
  if (problems) problems.focus();
})();
