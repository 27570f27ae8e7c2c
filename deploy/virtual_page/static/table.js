// The virtual table's page: draws what the stream says, sends what hands do.
//
// The server knows and this module shows: displays arrive as the dots that the real bytes light, the table as the hub's
// own drawing, the hint as a sentence with the names of controls. Acts go out one after another; turns of the knob that
// come while one is under way are sent together, as a hand that turns on.

const LOST_AFTER_MS = 6_000;
const DETENT_DEGREES = 20;
const SHOWN_NEXT = 10;
const SUITS = { s: ["♠", "spades"], h: ["♥", "hearts"], d: ["♦", "diamonds"], c: ["♣", "clubs"] };

const { lang } = document.body.dataset;
const at = (id) => document.getElementById(id);
const lost = document.querySelector(".stale-banner");
let heardAt = performance.now();

// --- hands

let acts = Promise.resolve();
let toTurn = null;               // a turn that waits to be sent: { steps, pushed }

let under = 0;                   // acts under way
let shown = 0;                   // number of the look that the page shows, at least
let wanted = 0;                  // the look in which the last act is seen

function busy() {
  document.body.dataset.busy = under || shown < wanted ? "yes" : "no";
}

async function send(act) {
  const answer = await fetch(`/act?lang=${lang}`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(act),
  });
  const isJson = answer.headers.get("content-type")?.includes("json");
  const { said, look = 0 } = isJson ? await answer.json() : { said: await answer.text() };
  at("said").textContent = said;
  wanted = Math.max(wanted, look);
}

function then(work) {
  under += 1;
  busy();
  acts = acts.then(work).catch(() => {}).then(() => {      // the banner says it if the server is gone
    under -= 1;
    busy();
  });
}

function doNow(act) {
  const seed = () => Math.max(0, Math.trunc(Number(at("seed").value)) || 0);
  then(() => send("seed" in act ? { ...act, seed: seed() } : act));
}

function turn(steps, pushed) {
  if (!steps) return;
  if (toTurn && toTurn.pushed === pushed) {
    toTurn.steps += steps;
    return;
  }
  const mine = { steps, pushed };
  toTurn = mine;
  then(() => {
    if (toTurn === mine) toTurn = null;
    return mine.steps ? send({ do: "turn", steps: Math.max(-100, Math.min(100, mine.steps)), pushed }) : null;
  });
  spin(steps);
}

let angle = 0;
function spin(steps) {
  angle += steps * DETENT_DEGREES;
  at("knob").style.setProperty("--angle", `${angle}deg`);
  at("knob").setAttribute("aria-valuenow", String(angle / DETENT_DEGREES));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.turn) turn(Number(button.dataset.turn), "pushed" in button.dataset);
  else if (button?.dataset.act) doNow(JSON.parse(button.dataset.act));
});

const knob = at("knob");
knob.addEventListener("wheel", (event) => {
  event.preventDefault();
  const way = event.deltaY || event.deltaX;      // Shift makes some browsers scroll sideways
  turn(way > 0 ? 1 : -1, event.shiftKey);
}, { passive: false });

let drag = null;                 // { from: degrees at the last detent, turned: has it turned at all }
function degrees(event) {
  const { left, top, width, height } = knob.getBoundingClientRect();
  return Math.atan2(event.clientY - top - height / 2, event.clientX - left - width / 2) * 180 / Math.PI;
}
knob.addEventListener("pointerdown", (event) => {
  knob.setPointerCapture(event.pointerId);
  drag = { from: degrees(event), turned: false };
});
knob.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const gone = (degrees(event) - drag.from + 540) % 360 - 180;
  const steps = Math.trunc(gone / DETENT_DEGREES);
  if (steps) {
    drag = { from: drag.from + steps * DETENT_DEGREES, turned: true };
    turn(steps, event.shiftKey);
  }
});
knob.addEventListener("pointerup", () => {
  if (drag && !drag.turned) doNow({ do: "push" });
  drag = null;
});
knob.addEventListener("pointercancel", () => { drag = null; });
knob.addEventListener("keydown", (event) => {
  const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (way) turn(way, event.shiftKey);
  else if (event.key === "Enter" || event.key === " ") doNow({ do: "push" });
  else return;
  event.preventDefault();
});

// --- eyes

function drawClock({ width, rows, says }) {
  const canvas = at("clock");
  const pitch = 16, dot = 11, rim = 5;
  canvas.width = width * pitch + 2 * rim;
  canvas.height = 8 * pitch + 2 * rim;
  canvas.setAttribute("aria-label", says);
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#0c0c0e";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const lit = rows.map((row) => BigInt(`0x${row}`));
  const each = (want, radius, colour, glow) => {
    pen.fillStyle = colour;
    pen.shadowColor = colour;
    pen.shadowBlur = glow;
    for (let y = 0; y < 8; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (Boolean(lit[y] >> BigInt(width - 1 - x) & 1n) !== want) continue;
        pen.beginPath();
        pen.arc(rim + (x + .5) * pitch, rim + (y + .5) * pitch, radius, 0, 2 * Math.PI);
        pen.fill();
      }
    }
  };
  each(false, dot / 2, "#2a0d0c", 0);
  each(true, dot / 2, "#ff3e1c", 14);
  each(true, dot / 4, "#ffb08c", 0);
}

function drawPrompt({ lit, text, cells }) {
  const canvas = at("prompt");
  const dot = 8, gap = 8, line = 14, rim = 24;
  canvas.width = 20 * (5 * dot + gap) - gap + 2 * rim;
  canvas.height = 4 * (8 * dot + line) - line + 2 * rim;
  canvas.setAttribute("aria-label", text.join("\n"));
  const pen = canvas.getContext("2d");
  pen.fillStyle = lit ? "#173ec4" : "#0a1233";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  cells.forEach((row, y) => row.forEach((shape, x) => {
    for (let dy = 0; dy < 8; dy += 1) {
      const bits = Number.parseInt(shape.slice(2 * dy, 2 * dy + 2), 16);
      for (let dx = 0; dx < 5; dx += 1) {
        const on = lit && bits >> (4 - dx) & 1;
        pen.fillStyle = on ? "#f2f6ff" : lit ? "#1a43cc" : "#0b1438";
        pen.fillRect(rim + x * (5 * dot + gap) + dx * dot, rim + y * (8 * dot + line) + dy * dot, dot - 1, dot - 1);
      }
    }
  }));
}

function toggled(id, other, works = true) {
  const button = at(id);
  if (button.classList.contains("other") !== other) {
    const { act, otherAct, text, otherText } = button.dataset;
    Object.assign(button.dataset, { act: otherAct, otherAct: act, text: otherText, otherText: text });
    button.textContent = otherText;
    button.classList.toggle("other", other);
  }
  button.disabled = !works;
}

function showPanel({ on, lamps, held, bouncing }) {
  document.body.classList.toggle("off", !on);
  for (const key of document.querySelectorAll(".key")) {
    const name = key.id.slice("key-".length);
    key.classList.toggle("lit", lamps.includes(name));
    key.classList.toggle("down", held.includes(name));
    toggled(`stuck-${name}`, held.includes(name), on);
  }
  toggled("bounce", bouncing);
  toggled("power", !on);
}

function card(code) {
  const [sign, suit] = SUITS[code[1]];
  const item = document.createElement("li");
  const rank = document.createElement("b");
  const mark = document.createElement("i");
  item.className = `chip ${suit}`;
  item.dataset.card = code;
  rank.textContent = code[0] === "T" ? "10" : code[0];
  mark.textContent = sign;
  item.append(rank, mark);
  return item;
}

function showFaults(prefix, faults, none) {
  for (const [name, count] of Object.entries(faults)) at(`${prefix}-${name}`).dataset.count = count || "";
  for (const button of document.querySelectorAll(`[id^=${prefix}-]`)) button.disabled = none;
}

function showReader({ kind, plugged, stalled, line, faults }) {
  const none = kind === "";
  toggled("reader-cable", !plugged, !none);
  toggled("reader-stall", stalled, line && !none);
  showFaults("badge-frame", faults, none || !line);
  for (const button of document.querySelectorAll(".badge, #reader-half, #reader-noise")) button.disabled = none;
  fitted("reader-kind", kind);
}

function fitted(id, kind) {      // what somebody is choosing at this moment stays as it is
  const select = at(id);
  if (select.dataset.kind !== kind) select.value = kind;
  select.dataset.kind = kind;
}

const kinds = [at("shoe-kind"), at("reader-kind")];
for (const select of kinds) {
  select.addEventListener("change", () => {
    doNow({ do: "fit", shoe: at("shoe-kind").value, badge: at("reader-kind").value });
    then(() => {
      if (at("said").textContent) for (const each of kinds) each.value = each.dataset.kind;
    });
  });
}

let seedShown = -1;
function showShoe({
  kind, plugged, stalled, deck, stacked, out, wrong, cannot, unseen, waiting, faults, seed, reader,
}) {
  const coming = at("coming");
  coming.replaceChildren(...deck.slice(0, SHOWN_NEXT).map((code, place) => {
    const item = card(code);
    item.classList.toggle("stacked", place < stacked);
    return item;
  }));
  coming.classList.toggle("none", deck.length === 0);
  coming.dataset.left = deck.length;
  const inside = new Set(deck);
  const chosen = deck.slice(0, stacked);
  for (const chip of document.querySelectorAll(".deck .chip")) {
    const code = chip.dataset.card ?? (chip.dataset.card = chip.id.slice("card-".length));
    chip.disabled = !inside.has(code);
    const place = chosen.indexOf(code);
    chip.classList.toggle("stacked", place >= 0);
    if (place >= 0) chip.dataset.place = place + 1;
    else delete chip.dataset.place;
  }
  const none = kind === "";
  const empty = none || deck.length === 0;
  for (const id of ["shuffle", "deal", "shoe-reboot", "shoe-noise"]) at(id).disabled = none;
  for (const id of ["draw", "shoe-torn"]) at(id).disabled = empty;
  at("shoe-twice").disabled = none || out.length === 0;
  const { dataset: says } = document.querySelector(".mishaps");
  for (const button of document.querySelectorAll(".mishaps [id^=card-]")) {
    const what = button.id.slice("card-".length);
    if ("otherAct" in button.dataset) toggled(button.id, wrong.includes(what));
    const cards = { back: out.length, cut: 1, door: 1, reversed: 1, jam: 1, two: deck.length - 1 }[what] ?? deck.length;
    button.disabled = none || cannot.includes(what) || cards < 1;
    button.classList.toggle("unseen", unseen.includes(what));
    button.title = cannot.includes(what) ? says.cannot : unseen.includes(what) ? says.unseen : "";
  }
  showFaults("frame", faults, none);
  toggled("shoe-cable", !plugged, !none);
  toggled("shoe-stall", stalled, !none);
  showReader(reader);
  fitted("shoe-kind", kind);
  document.querySelector(".shoe").dataset.waiting = waiting;
  if (seed !== seedShown) {      // each deck gets a seed of its own, unless somebody types one
    if (seedShown >= 0 || seed > 0) at("seed").value = seed + 1;
    seedShown = seed;
  }
}

function backs() {
  const pair = document.createElement("span");
  pair.className = "backs";
  for (let each = 0; each < 2; each += 1) {
    const back = document.createElement("i");
    pair.append(back);
  }
  return pair;
}

function showTable({ html, next, hidden }) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;        // rendered by our own server with autoescape; the policy allows no inline script
  at("table").replaceChildren(fresh.content);
  if (next) document.querySelector(`.seat[data-seat="${next}"]`)?.classList.add("next");
  for (const seat of hidden) document.querySelector(`.seat[data-seat="${seat}"]`)?.append(backs());
}

function showHint({ say, at: controls, steps }) {
  at("hint").textContent = say;
  at("steps").textContent = steps.join(" · ");
  for (const old of document.querySelectorAll(".hinted, .first")) old.classList.remove("hinted", "first");
  controls.forEach((id, place) => at(id)?.classList.add(...(place ? ["hinted"] : ["hinted", "first"])));
}

const stream = new EventSource(`/events?lang=${lang}`);
function on(name, show) {
  stream.addEventListener(name, (event) => {
    heardAt = performance.now();
    lost.hidden = true;
    show(JSON.parse(event.data));
  });
}
on("clock", drawClock);
on("prompt", drawPrompt);
on("panel", showPanel);
on("shoe", showShoe);
on("table", showTable);
on("hint", showHint);
on("acted", ({ look }) => { shown = look; busy(); });
on("pulse", () => {});
setInterval(() => { lost.hidden = performance.now() - heardAt < LOST_AFTER_MS; }, 500);
window.addEventListener("pagehide", () => stream.close());
window.addEventListener("pageshow", (event) => { if (event.persisted) window.location.reload(); });
