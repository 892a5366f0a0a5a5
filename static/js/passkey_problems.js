// Say in words when a passkey did not work; the library would only write it to the console.
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const name = event.detail.exception && event.detail.exception.name;
  let say = document.getElementById("passkey-problem");
  if (!say) {
    say = document.createElement("p");
    say.id = "passkey-problem";
    say.className = "notice notice-quiet";
    say.setAttribute("role", "alert");
    document.querySelector(".p-account").append(say);
  }
  say.textContent =
    name === "NotAllowedError"
      ? "That did not work: the question was closed, took too long, or this key is not known here. Try again, or use another way."
      : "This browser or device cannot use a passkey here. Use another way.";
});
