// The match page: stepping through versions, choosing on the board, live updates. Everything works without it too.
const page = document.getElementById("match");
const parts = { picture: "picture", board: "board", scores: "scores", prompt: "prompt", chronicle: "chronicle" };
const scrub = document.getElementById("scrub");
const where = document.getElementById("where");
const kept = new Map();
let version = Number(page.dataset.version);
let head = Number(page.dataset.head);
let wanted = version;

async function frame(at) {
  if (!kept.has(at)) {
    const answer = await fetch(`${page.dataset.frame}?at=${at}&as=${encodeURIComponent(page.dataset.as)}`);
    if (!answer.ok) throw new Error(answer.statusText);
    kept.set(at, await answer.json());
    if (kept.size > 200) kept.delete(kept.keys().next().value);
  }
  return kept.get(at);
}

async function go(at, quietly = false) {
  wanted = Math.min(Math.max(1, at), head);
  const target = wanted;
  let shown;
  try { shown = await frame(target); } catch { return; }
  if (target !== wanted) return;
  version = shown.version;
  head = Math.max(head, shown.head);
  for (const [name, id] of Object.entries(parts)) document.getElementById(id).innerHTML = shown[name];
  scrub.max = head;
  scrub.value = version;
  where.textContent = `${version} / ${head}`;
  document.getElementById("fork-at").value = version;
  settle();
  if (!quietly) history.replaceState(null, "", `#${version}`);
  wire();
  for (const next of [version + 1, version - 1]) if (next >= 1 && next <= head) frame(next).catch(() => {});
}

// Bring the current line of the chronicle into its own window, never the whole page.
function settle() {
  const log = document.getElementById("chronicle");
  const now = log.querySelector(".now");
  if (now) log.scrollTop = now.offsetTop - log.offsetTop - log.clientHeight + now.offsetHeight + 8;
}

// The board: a glowing space chooses the answers that name it; several such answers are stepped through by clicking again.
function wire() {
  const answers = [...document.querySelectorAll("[data-question] [data-spaces]")];
  for (const space of document.querySelectorAll("#picture [data-space].hot")) {
    const named = answers.filter((one) => one.dataset.spaces.split(" ").includes(space.dataset.space));
    const counted = document.querySelector(`[data-space-count="${CSS.escape(space.dataset.space)}"]`);
    if (!named.length && !counted) { space.classList.remove("hot"); continue; }
    space.tabIndex = 0;
    space.setAttribute("role", "button");
    const choose = () => {
      for (const other of document.querySelectorAll("#picture .chosen")) other.classList.remove("chosen");
      space.classList.add("chosen");
      if (counted) { counted.value = (Number(counted.value) + 1) % (Number(counted.max) + 1); return; }
      const at = named.findIndex((one) => one.checked || one.selected);
      const next = named[(at + 1) % named.length];
      if (next.tagName === "OPTION") next.selected = true; else next.checked = true;
      next.closest("form").querySelector("button.primary").focus({ preventScroll: true });
    };
    space.addEventListener("click", choose);
    space.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } });
  }
}

const steps = { first: () => 1, back: () => wanted - 1, on: () => wanted + 1, last: () => head };
for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", (event) => { event.preventDefault(); go(steps[button.dataset.step]()); });
}
scrub.addEventListener("input", () => go(Number(scrub.value)));

const keys = { ArrowLeft: "back", k: "back", ArrowRight: "on", j: "on", Home: "first", 0: "first", End: "last", $: "last" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=range]), textarea, select")) return;
  if (event.key === "?") { document.getElementById("help").showModal(); return; }
  const step = keys[event.key];
  if (step) { event.preventDefault(); go(steps[step]()); }
});

document.getElementById("chronicle").addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='?at=']");
  if (link) { event.preventDefault(); go(Number(new URLSearchParams(link.search).get("at"))); }
});

// Live: somebody decided. If we stand at the newest version we follow; else only the range grows.
if (page.dataset.events && "EventSource" in window) {
  const source = new EventSource(page.dataset.events);
  const happened = (message) => {
    const newest = Number(message.lastEventId.split(":")[1]) || head + 1;
    const following = version === head;
    head = Math.max(head, newest);
    scrub.max = head;
    where.textContent = `${version} / ${head}`;
    if (following && !document.querySelector("[data-question] :checked")) go(head, true);
  };
  for (const kind of ["decided", "sealed", "advanced", "undone", "ruled"]) source.addEventListener(kind, happened);
  source.addEventListener("line", (message) => { location.href = location.pathname.replace(/[^/]+$/, JSON.parse(message.data).line); });
}

wire();
const anchor = Number(location.hash.slice(1));
if (anchor && anchor !== version) go(anchor);
settle();
