// Saves a review while it is written, keeps a copy on this device until the server confirms, and takes digits as answers.
(() => {
  const form = document.querySelector("form[data-review]");
  if (!form) return;
  const NO_ANSWER = ["csrfmiddlewaretoken", "version", "opened", "seconds"];
  const PAUSE = 1500, AGAIN = 20000, ANNOUNCE = 60000;
  // With this beginning the copy is thrown away on signing out (forget_drafts.js).
  const key = `impactbench-draft:review:${form.dataset.review}`;
  const version = form.elements.version;
  const [saved, announce, notice, answered] = ["saved", "announce", "notice", "answered"].map((name) =>
    form.querySelector(`[data-${name}]`));
  let timer = 0, running = false, dirty = false, stopped = false, announcedAt = 0;

  const values = () => {
    const found = {};
    for (const [name, value] of new FormData(form)) {
      if (!NO_ANSWER.includes(name)) found[name] = name in found ? `${found[name]}\n${value}` : value;
    }
    return found;
  };
  const local = {
    get() { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } },
    set() {
      try { localStorage.setItem(key, JSON.stringify({ at: Date.now(), values: values() })); } catch { /* full */ }
    },
    clear() { try { localStorage.removeItem(key); } catch { /* forbidden */ } },
  };
  const say = (text, urgent) => {
    saved.textContent = text;
    const now = Date.now();
    if (urgent || now - announcedAt > ANNOUNCE) { announce.textContent = text; announcedAt = now; }
  };
  const element = (name, text, className) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const show = (title, text, ...buttons) => {
    const box = element("div", "", "notice p-top2");
    const actions = element("p", "", "p-actions");
    actions.append(...buttons);
    box.append(element("h3", title), element("p", text), actions);
    notice.replaceChildren(box);
    announce.textContent = `${title}. ${text}`;
  };
  const button = (text, act) => {
    const made = element("button", text, "btn btn-s");
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  };
  const later = (pause) => { clearTimeout(timer); timer = setTimeout(save, pause); };

  async function save() {
    if (running || stopped || !dirty) return;
    running = true;
    dirty = false;
    let pause = PAUSE;
    saved.textContent = "Saving …";
    try {
      let answer = await post();
      let isSignedOut = answer.status === 401;
      if (answer.status === 403) {
        isSignedOut = !(await renewToken());
        if (!isSignedOut) answer = await post();
      }
      if (!answer.ok) pause = AGAIN;
      if (isSignedOut) signedOut();
      else await took(answer);
    } catch {
      dirty = true;
      pause = AGAIN;
      say("No connection. Go on writing; it is kept on this device.", true);
    }
    running = false;
    if (dirty && !stopped) later(pause);
  }

  function post() {
    form.dispatchEvent(new Event("reviews:sending"));
    const body = new FormData(form);
    body.set("a", "save");
    return fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
  }

  // Signing in again in another window gives a new token; the page here still holds the old one. False when signed out.
  async function renewToken() {
    const fresh = await fetch(location.pathname).then((answer) => answer.text());
    const found = new DOMParser().parseFromString(fresh, "text/html").querySelector("#rubric [name=csrfmiddlewaretoken]");
    if (!found) return false;
    for (const token of document.querySelectorAll("[name=csrfmiddlewaretoken]")) token.value = found.value;
    return true;
  }

  async function took(answer) {
    const told = await answer.json().catch(() => ({}));
    if (answer.ok) {
      version.value = told.version;
      form.dispatchEvent(new Event("reviews:saved"));
      if (answered) answered.textContent = told.n_answered;
      if (!dirty) local.clear();
      notice.replaceChildren();
      say(`Saved at ${told.saved_at}`);
      return;
    }
    dirty = true;
    if (answer.status === 409) {
      stopped = true;
      say("Not saved", false);
      show("Not saved", told.message, button(told.error === "closed" ? "Show what to do" : "Compare both", () =>
        form.requestSubmit(form.querySelector("button[value=save]"))));
    } else {
      say("Not saved. Your text is kept on this device. We try again every 20 seconds.", true);
    }
  }

  function signedOut() {
    const link = element("a", "Sign in, then come back to this page", "btn btn-main btn-s");
    link.href = `/accounts/login/?next=${encodeURIComponent(location.pathname)}`;
    link.target = "_blank";
    dirty = stopped = true;
    say("Not saved", false);
    show("You have been signed out", "Your last words are kept on this device. Sign in again and they are saved.", link,
      button("I have signed in", () => { stopped = false; later(0); }));
  }

  const changed = () => {
    dirty = true;
    local.set();
    later(PAUSE);
  };
  form.addEventListener("input", changed);
  form.addEventListener("submit", () => { stopped = true; dirty = false; clearTimeout(timer); });
  addEventListener("online", () => { if (dirty) later(0); });
  addEventListener("beforeunload", (event) => { if (dirty || running) event.preventDefault(); });

  // A digit chooses only while its question has the focus, and never while somebody writes.
  form.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.type !== "radio") return;
    const question = event.target.closest("[data-question]");
    if (!question || !/^[0-9]$/.test(event.key)) return;
    const wanted = event.key === "0" ? "abstain" : event.key;
    // Where answers are words, digits count them.
    const radio = question.querySelector(`input[value="${wanted}"]`)
      || (question.querySelector('input[value="1"]') ? null : question.querySelectorAll("input[type=radio]")[event.key - 1]);
    if (!radio) return;
    event.preventDefault();
    radio.checked = true;
    radio.focus();
    radio.dispatchEvent(new Event("change", { bubbles: true }));
    changed();
  });

  const put = (kept) => {
    for (const field of form.querySelectorAll("textarea")) {
      if (field.name in kept) field.value = kept[field.name];
      if (field.value) field.closest("details")?.setAttribute("open", "");
    }
    for (const box of form.querySelectorAll("input[type=radio], input[type=checkbox]")) {
      box.checked = (kept[box.name] || "").split("\n").includes(box.value);
    }
    form.dispatchEvent(new Event("reviews:put"));
    changed();
  };
  // As the server keeps it: blanks at the ends and the kind of line end make no difference.
  const tidy = (found) => JSON.stringify(Object.entries(found)
    .map(([name, text]) => [name, text.replace(/\r\n?/g, "\n").trim()]).filter(([, text]) => text).sort());
  const kept = local.get();
  if (kept && tidy(kept.values) !== tidy(values())) {
    const clock = new Date(kept.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    show("There is newer text on this device", `It was typed at ${clock} and never saved.`,
      button("Put it back", () => { notice.replaceChildren(); put(kept.values); }),
      button("Throw it away", () => { local.clear(); notice.replaceChildren(); }));
  } else {
    local.clear();
  }
})();
