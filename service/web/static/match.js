// The match page: stepping through versions, choosing on the board, live updates. Everything works without it too.
const page = document.getElementById("match");
const scrub = document.getElementById("scrub");
const where = document.getElementById("where");
const log = document.getElementById("chronicle");
const live = document.getElementById("live");
const query = `as=${encodeURIComponent(page.dataset.as)}`;
const kept = new Map();
let tag = page.dataset.tag; // what the page shows now
let version = Number(page.dataset.version);
let head = Number(page.dataset.head);
let wanted = version;
let drawn = head; // the newest version on the strip
let shown = [Number(page.dataset.first), Number(page.dataset.last)]; // the versions in the chronicle
let playing = 0;

// -- stepping ----------------------------------------------------------------------------------------------

// Only what changed since the version shown now; a board that waits for a choice is always drawn anew.
async function frame(at, also = "") {
  if (!document.querySelector("#picture [data-wired]")) also += `&from=${version}&tag=${tag}`;
  const key = at + also;
  if (!kept.has(key)) {
    const answer = await fetch(`${page.dataset.frame}?${query}&at=${at}${also}`);
    if (!answer.ok) throw new Error(answer.statusText);
    kept.set(key, await answer.json());
    if (kept.size > 120) kept.delete(kept.keys().next().value);
  }
  return kept.get(key);
}

async function go(at, quietly = false) {
  wanted = Math.min(Math.max(1, at), head);
  const target = wanted;
  const also = (target > shown[0] && target <= shown[1] ? "" : "&chronicle=1") + (drawn === head ? "" : "&strip=1");
  const waiting = setTimeout(() => page.setAttribute("aria-busy", "true"), 200);
  let part;
  try {
    part = await frame(target, also);
  } catch {
    say(false);
    return;
  } finally {
    clearTimeout(waiting);
    page.removeAttribute("aria-busy");
  }
  if (target !== wanted) return;
  version = part.version;
  head = Math.max(head, part.head);
  for (const name of ["picture", "board", "scores", "prompt"]) {
    const place = document.getElementById(name);
    if (Array.isArray(part[name])) change(place, part[name]);
    else if (name in part) place.innerHTML = part[name];
  }
  tag = part.tag;
  if (part.chronicle) {
    log.innerHTML = part.chronicle;
    shown = part.window;
  }
  if (part.strip) {
    document.getElementById("strip").innerHTML = part.strip;
    drawn = part.head;
  }
  for (const field of document.querySelectorAll("[data-at-version]")) field.value = version;
  measure();
  settle();
  wire();
  if (!quietly) history.replaceState(null, "", `#${version}`);
  for (const next of [version + 1, version - 1]) if (next >= 1 && next <= head) frame(next).catch(() => {});
}

// Each change goes down to an element, then sets its attributes or puts others in the place of some of its children.
function change(place, changes) {
  for (const [way, attributes, put] of changes) {
    const element = way.reduce((parent, n) => parent.children[n], place);
    for (const [name, value] of Object.entries(attributes || {})) value === null ? element.removeAttribute(name) : element.setAttribute(name, value);
    if (!put) continue;
    const [first, count, html] = put;
    for (let n = 0; n < count; n++) element.children[first].remove();
    const next = element.children[first];
    next ? next.insertAdjacentHTML("beforebegin", html) : element.insertAdjacentHTML("beforeend", html);
  }
}

function measure() {
  scrub.max = head;
  scrub.value = version;
  scrub.setAttribute("aria-valuetext", `${version} / ${head}`);
  where.textContent = `${version} / ${head}`;
}

// Mark the current line of the chronicle and bring it into its own window, never the whole page.
function settle() {
  let now = null;
  for (const row of log.querySelectorAll("[data-version]")) {
    row.removeAttribute("aria-current");
    if (Number(row.dataset.version) <= version) now = row;
  }
  if (!now) return;
  now.setAttribute("aria-current", "true");
  const top = now.offsetTop, bottom = top + now.offsetHeight;
  if (top < log.scrollTop || bottom > log.scrollTop + log.clientHeight) log.scrollTop = bottom - log.clientHeight * 0.7;
}

const steps = { first: () => 1, back: () => wanted - 1, on: () => wanted + 1, last: () => head };
document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (step) { event.preventDefault(); stop(); go(steps[step.dataset.step]()); return; }
  const jump = event.target.closest("#chronicle .at, #chronicle .more a, #strip a, #since");
  if (jump && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    stop();
    const address = jump.href.baseVal ?? jump.href;
    go(Number(new URL(address, location.href).searchParams.get("at")));
  }
});
scrub.addEventListener("input", () => { stop(); go(Number(scrub.value)); });

function play() {
  const button = document.getElementById("play");
  if (playing) { stop(); return; }
  button.textContent = button.dataset.stop;
  if (wanted >= head) go(Number(page.dataset.since) || 1);
  playing = setInterval(() => { if (wanted >= head) stop(); else go(wanted + 1); }, 1200);
}
function stop() {
  clearInterval(playing);
  playing = 0;
  const button = document.getElementById("play");
  button.textContent = button.dataset.play;
}
document.getElementById("play").addEventListener("click", play);
document.getElementById("keys").addEventListener("click", () => document.getElementById("help").showModal());

// -- choosing ----------------------------------------------------------------------------------------------

// A click on a glowing space narrows the answers to those that name it; the last one left is chosen. A second click takes it back.
let picked = [];

function names(answer) { return answer.dataset.spaces.split(" "); }
function forms() { return [...document.querySelectorAll("[data-question]")]; }
function answers(form) { return [...form.querySelectorAll("[data-order][data-spaces]")]; }
function left() { return forms().flatMap(answers).filter((one) => picked.every((space) => names(one).includes(space))); }

function pick(space) {
  const counted = forms().flatMap((form) => [...form.querySelectorAll("[data-count]")]).filter((one) => one.dataset.count.split(" ").includes(space));
  const given = forms().flatMap((form) => [...form.querySelectorAll("[data-slot] option[data-spaces]")]).filter((one) => names(one).includes(space));
  if (counted.length) {
    const one = counted.find((field) => Number(field.value) < Number(field.max)) || counted[0];
    one.value = (Number(one.value) + 1) % (Number(one.max) + 1);
    said(one.form);
  } else if (given.length) {
    const at = given.findIndex((option) => option.selected && option.closest("select") === given[0].closest("select"));
    given[(at + 1) % given.length].selected = true;
    said(given[0].closest("form"));
  } else {
    picked = picked.includes(space) ? picked.filter((other) => other !== space) : [...picked, space];
    if (!left().length) picked = [space];
    const found = left();
    if (picked.length && found.length === 1) {
      if (found[0].tagName === "OPTION") found[0].selected = true; else found[0].checked = true;
      said(found[0].closest("form"));
      found[0].closest("form").querySelector("button.primary").focus({ preventScroll: true });
    } else {
      for (const form of forms()) for (const one of answers(form)) { if (one.tagName === "OPTION") one.selected = false; else one.checked = false; }
      forms().forEach(said);
    }
  }
  light();
}

// What glows: the spaces that tell the answers left apart.
function light() {
  const found = left(), all = forms().flatMap(answers);
  const counted = forms().flatMap((form) => [...form.querySelectorAll("[data-count], [data-slot] option[data-spaces]")])
    .flatMap((one) => (one.dataset.count || one.dataset.spaces).split(" "));
  for (const one of all) one.closest(".chip")?.classList.toggle("off", !found.includes(one));
  for (const space of document.querySelectorAll("#picture [data-space]")) {
    const name = space.dataset.space;
    const told = found.filter((one) => names(one).includes(name)).length;
    if (!space.hasAttribute("data-wired")) continue;
    space.classList.toggle("chosen", picked.includes(name));
    space.classList.toggle("dim", !picked.includes(name) && !told && !counted.includes(name));
  }
}

function wire() {
  picked = [];
  const known = new Set(forms().flatMap((form) => [...form.querySelectorAll("[data-spaces], [data-count]")])
    .flatMap((one) => (one.dataset.spaces || one.dataset.count || "").split(" ")));
  const about = new Set(forms().flatMap((form) => form.dataset.about.split(" ")).filter(Boolean));
  for (const space of document.querySelectorAll("#picture [data-space]")) {
    space.classList.toggle("subject", about.has(space.dataset.space));
    if (!space.classList.contains("hot")) continue;
    if (!known.has(space.dataset.space)) { space.classList.remove("hot"); continue; }
    space.tabIndex = 0;
    space.setAttribute("role", "button");
    space.setAttribute("data-wired", "");
    space.addEventListener("click", () => pick(space.dataset.space));
    space.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(space.dataset.space); }
    });
  }
  for (const form of forms()) {
    form.addEventListener("change", () => said(form));
    form.addEventListener("reset", () => setTimeout(() => { picked = []; said(form); light(); }));
    form.addEventListener("submit", () => setTimeout(() => { form.querySelector("button.primary").disabled = true; }));
  }
}

// The same answer as an order in a mail: listed ones carry it, others are asked for.
let asked = 0;
async function said(form) {
  const out = form.querySelector("[data-said]");
  const listed = [...form.querySelectorAll("[data-order]")].find((one) => one.checked || one.selected);
  const mine = ++asked;
  let order = listed ? listed.dataset.order : "";
  if (!listed && !form.querySelector("[data-order]")) {
    const fields = new URLSearchParams(new FormData(form));
    fields.delete("csrf");
    try { order = (await (await fetch(`${form.dataset.orderFrom}?${fields}`)).json()).order; } catch { order = ""; }
  }
  if (mine !== asked && !listed) return;
  out.textContent = order;
  out.hidden = !order;
}

// -- keys --------------------------------------------------------------------------------------------------

const keys = { ArrowLeft: "back", k: "back", ArrowRight: "on", j: "on", Home: "first", 0: "first", End: "last", $: "last" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=range]), textarea, select, dialog")) return;
  if (event.key === "?") { document.getElementById("help").showModal(); return; }
  if (event.key === "p") { play(); return; }
  if (event.key === "s" && Number(page.dataset.since)) { go(Number(page.dataset.since) + 1); return; }
  if (event.key === "f") {
    const eyes = document.querySelector("form.view select");
    if (eyes) { eyes.selectedIndex = (eyes.selectedIndex + 1) % eyes.options.length; eyes.form.submit(); }
    return;
  }
  if (event.key === "Escape" && forms().length) { forms().forEach((form) => form.reset()); return; }
  const step = keys[event.key];
  if (step) { event.preventDefault(); stop(); go(steps[step]()); }
});

// -- live --------------------------------------------------------------------------------------------------

function say(on) {
  live.classList.toggle("on", on);
  live.textContent = on ? live.dataset.on : live.dataset.off;
}

// Somebody decided: if we stand at the newest version we follow, unless something is chosen; else only the range grows.
function happened(message) {
  const newest = Number(message.lastEventId.split(":")[1]) || head + 1;
  const following = wanted === head && !playing; // where we are going, if we are still on the way
  if (newest <= head) return;
  head = newest;
  kept.clear();
  shown[1] = Math.min(shown[1], version);
  measure();
  if (following && !document.querySelector("[data-question] :checked")) go(head, true);
}

const source = new EventSource(page.dataset.events);
source.addEventListener("open", () => say(true));
source.addEventListener("error", () => say(false));
for (const kind of ["created", "decided", "sealed", "advanced", "undone", "ruled"]) source.addEventListener(kind, happened);
source.addEventListener("line", (message) => { location.href = location.pathname.replace(/[^/]+$/, JSON.parse(message.data).line); });
addEventListener("pagehide", () => source.close());

wire();
light();
const anchor = Number(location.hash.slice(1));
if (anchor && anchor !== version) go(anchor); else settle();
const first = document.querySelector("#picture .hot");
const around = document.getElementById("picture");
if (first && around.scrollWidth > around.clientWidth) {
  around.scrollLeft += first.getBoundingClientRect().left - around.getBoundingClientRect().left - around.clientWidth / 3;
}
