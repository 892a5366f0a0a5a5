// A chart to point at, for who asks: nothing is loaded before. Without a script its button is never shown.
"use strict";
(() => {
  let ready = null;

  // plotly.js finds the link by its id and then adds no style element of its own, which the page's policy would refuse.
  const load = (box) => {
    ready ??= new Promise((done, failed) => {
      const style = Object.assign(document.createElement("link"), {
        id: "plotly.js-style-global", className: "no-inline-styles", rel: "stylesheet", href: box.dataset.style,
      });
      const script = Object.assign(document.createElement("script"), { src: box.dataset.script, onload: done });
      script.onerror = () => { ready = null; style.remove(); script.remove(); failed(new Error("not loaded")); };
      document.head.append(style, script);
    });
    return ready;
  };

  const figure = async (address) => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  };

  const show = async (box, button, said) => {
    const chart = box.querySelector(".ex-live-chart");
    said.textContent = box.dataset.wait;
    try {
      const [{ data, layout }] = await Promise.all([figure(box.dataset.figure), load(box)]);
      await window.Plotly.newPlot(chart, data, layout, { displayModeBar: false, responsive: true });
      // Hidden from screen readers, so nothing in it may take the focus: its numbers stand in the table.
      chart.querySelectorAll("a, [tabindex]").forEach((one) => one.setAttribute("tabindex", "-1"));
      said.textContent = box.dataset.done;
      button.setAttribute("aria-expanded", "true");
      button.dataset.show = button.textContent;
      button.textContent = box.dataset.hide;
    } catch {
      said.textContent = box.dataset.failed;
    }
  };

  const hide = (box, button, said) => {
    window.Plotly.purge(box.querySelector(".ex-live-chart"));
    said.textContent = "";
    button.setAttribute("aria-expanded", "false");
    button.textContent = button.dataset.show;
  };

  const offer = () => document.querySelectorAll(".ex-live[hidden]").forEach((box) => { box.hidden = false; });

  document.addEventListener("click", (event) => {
    const button = event.target.closest(".ex-live button");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const box = button.closest(".ex-live");
    const said = box.querySelector("[role=status]");
    if (button.getAttribute("aria-expanded") === "true") hide(box, button, said);
    else {
      button.setAttribute("aria-disabled", "true");
      show(box, button, said).finally(() => button.removeAttribute("aria-disabled"));
    }
  });
  document.addEventListener("htmx:afterSettle", offer);
  offer();
})();
