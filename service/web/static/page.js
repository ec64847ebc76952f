// Every page: what needs scripts is shown, and a choice of eyes is looked through at once.
document.documentElement.classList.add("js");
for (const form of document.querySelectorAll("[data-auto]")) form.addEventListener("change", () => form.submit());
