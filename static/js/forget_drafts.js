/* Whoever signs out leaves no text behind on this device. */
"use strict";
document.addEventListener("submit", (event) => {
  if (!new URL(event.target.action, location.href).pathname.startsWith("/accounts/logout/")) return;
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith("impactbench-draft:")) localStorage.removeItem(key);
    }
  } catch { /* nothing is kept where storing is forbidden */ }
});
