// Keeps a page live: puts new fragments in place, counts clocks and ages, and says when the news is stale.
//
// The server renders; this module only replaces. A clock is drawn from its deadline and the offset to the tournament's
// time at every tick, never by counting ticks, so a throttled or sleeping tab is right the moment it wakes.

const STALE_AFTER_MS = 15_000;
const LATE_AFTER_MS = 12_000;
const LOST_AFTER_MS = 20_000;
const TICK_MS = 200;
const TIME_SAMPLES = 5;

const page = document.body.dataset.page;
const lang = document.body.dataset.lang;
const banner = document.querySelector(".stale-banner");

let stream = null;
let heardAt = performance.now();
let heardWall = new Date();
let offsetMs = null;             // tournament time minus performance.now()
let agesAt = performance.now();

function heard() {
  heardAt = performance.now();
  heardWall = new Date();
  document.body.classList.remove("stale");
  banner.hidden = true;
}

// Is somebody filling in a form there? Then what came waits until the form was sent, which draws the page anew.
function beingFilledIn(place) {
  return place.contains(document.activeElement) && document.activeElement.matches("input, select, textarea")
    || [...place.querySelectorAll("input, textarea")].some((field) => field.type === "checkbox"
      ? field.checked !== field.defaultChecked : field.value !== field.defaultValue);
}

function put({ id, html }) {
  for (const place of document.querySelectorAll(`[data-fragment="${CSS.escape(id)}"]`)) {
    if (beingFilledIn(place)) continue;
    const fresh = document.createElement("template");
    fresh.innerHTML = html;      // rendered by our own server with autoescape; the policy allows no inline script
    place.replaceChildren(fresh.content);
  }
  tick();
}

function pulse({ rev, ages, remaining_ms: remaining }) {
  agesAt = performance.now();
  for (const link of document.querySelectorAll("[data-link]")) {
    const age = ages[link.dataset.table];
    if (age !== undefined && age !== null) link.dataset.ageMs = age;
  }
  for (const clock of document.querySelectorAll("[data-clock]")) clock.dataset.remainingMs = remaining;
  document.body.dataset.rev = rev;
  tick();
}

function listen() {
  stream?.close();
  stream = new EventSource(`/events?page=${page}&lang=${lang}`);
  stream.addEventListener("fragment", (event) => { heard(); put(JSON.parse(event.data)); });
  stream.addEventListener("pulse", (event) => { heard(); pulse(JSON.parse(event.data)); });
}

// The offset of the sample with the shortest round trip: half of what is left of it is the error.
async function findOffset() {
  let best = Infinity;
  for (let sample = 0; sample < TIME_SAMPLES; sample += 1) {
    const sent = performance.now();
    const answer = await fetch("/api/time", { cache: "no-store" });
    const { now_ms: now } = await answer.json();
    const back = performance.now();
    if (back - sent < best) {
      best = back - sent;
      offsetMs = now + (back - sent) / 2 - back;
    }
  }
}

function clockText(ms) {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  const two = (value) => String(value).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

function ageText(ms) {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 5) return "";
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

function say(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

function remainingOf(clock) {
  const { state, realTime, remainingMs, deadlineMs } = clock.dataset;
  const runs = state === "running" || state === "break";
  if (!runs || realTime !== "yes" || offsetMs === null) return Number(remainingMs);
  return Number(deadlineMs) - (performance.now() + offsetMs);
}

function tick() {
  const now = performance.now();
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const remaining = remainingOf(clock);
    say(clock.querySelector("[data-clock-text]"), clockText(remaining));
    const pause = clock.querySelector("[data-break-after-ms]");
    if (pause) say(pause, clockText(remaining + Number(pause.dataset.breakAfterMs)));
    clock.classList.toggle("hours", remaining > 3_599_000);
    clock.classList.toggle("last-minute", clock.dataset.state === "running" && remaining <= 60_000);
  }
  for (const link of document.querySelectorAll("[data-link]")) {
    if (link.dataset.ageMs === "") continue;
    const age = Number(link.dataset.ageMs) + (now - agesAt);
    const gone = link.dataset.link === "lost" && age < LOST_AFTER_MS;       // the server knows it from a good-bye
    const state = gone || age >= LOST_AFTER_MS ? "lost" : age >= LATE_AFTER_MS ? "late" : "online";
    link.dataset.link = state;
    say(link.querySelector("span"), link.dataset[state]);
    say(link.querySelector("time"), ageText(age));
  }
  if (now - heardAt >= STALE_AFTER_MS) {
    document.body.classList.add("stale");
    banner.querySelector("time").textContent = heardWall.toLocaleTimeString(lang);
    banner.hidden = false;
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") {
    listen();
    findOffset().catch(() => {});        // the stale banner says it if the hub is gone
  }
});
window.addEventListener("pagehide", () => stream?.close());
window.addEventListener("pageshow", (event) => { if (event.persisted) listen(); });

listen();
findOffset().catch(() => {});
setInterval(tick, TICK_MS);
setInterval(() => findOffset().catch(() => {}), 60_000);
