// The page: reads its data, lists it, searches, filters, opens what is asked for.

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const once = (make) => {
  let made;
  return () => (made ??= make());
};
const index = read("index");
const words = index.words;
const data = {
  sources: once(() => read("sources")),
  sequences: once(() => read("sequences")),
  operations: index.operations.map((_, n) => once(() => read(`detail-${n}`))),
};

// Every oracle and sequence as one kind of item, and operations with theirs.
const operations = index.operations.map((it, n) => {
  const op = { ...it, kind: "operation", name: `${it.method} ${it.path}`, items: [] };
  op.items = it.oracles.map(([id, name, about, strategy, state, verdict, origin, status, derived, observed], place) => ({
    kind: "oracle", op, id, name, about, strategy, state, verdict, origin, status, derived, observed,
    anchor: `o-${id}`, method: [it.method], tags: it.tags,
    body: (row) => oracleBody(row, data.operations[n]().oracles[place]),
    more: () => data.operations[n]().oracles[place],
  }));
  op.body = () => context(data.operations[n]());
  return op;
});
const sequences = index.sequences.map((it, n) => ({
  ...it, kind: "sequence", strategy: "", status: "", anchor: `s-${it.id}`,
  method: [...new Set(it.asks.map((ask) => ask.split(" ")[0]))],
  tags: [...new Set(it.operations.flatMap((at) => index.operations[at].tags))],
  body: (row) => sequenceBody(row, data.sequences()[n]),
  more: () => data.sequences()[n],
}));
const items = [...operations.flatMap((op) => op.items), ...sequences];
const byAnchor = new Map([...operations, ...items].map((it) => [it.anchor, it]));

// What is searched: all that the page says of an item, gathered while nobody waits for it.
function haystack(it) {
  if (it.hay === undefined) {
    const more = it.more();
    const asks = it.kind === "sequence" ? more.steps : [more];
    const asked = (one) => [one.ask.line, one.ask.as, one.ask.headers.flat().join(" "), one.ask.body?.text, ...one.expects.map((e) => `${e.subject} ${e.is} ${e.value ?? ""}`)];
    const places = more.evidence.map((place) => data.sources()[place].symbol);
    const own = it.kind === "sequence" ? [it.asks.join(" "), it.pattern] : [it.op.name, it.op.entry, it.strategy];
    it.hay = [it.id, it.name, it.about, it.state, it.verdict, it.status, ...it.tags, ...own, ...asks.flatMap(asked), ...places, more.because].join("\n").toLowerCase();
  }
  return it.hay;
}

function gather(at) {
  const later = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));
  later(() => {
    const end = Math.min(items.length, at + 200);
    for (let n = at; n < end; n += 1) haystack(items[n]);
    if (end < items.length) gather(end);
  });
}

const FILTERS = [
  ["method", "Method", (it) => it.method, (value) => value],
  ["tag", "Tag", (it) => it.tags, (value) => value],
  ["strategy", "Strategy", (it) => [it.strategy], (value) => `${value}: ${words.strategies[value]}`],
  ["state", "Confirmation", (it) => [it.state], (value) => words.states[value]],
  ["verdict", "Last check", (it) => [it.verdict || "not in it"], (value) => value],
  ["origin", "Made by", (it) => [it.origin], (value) => words.engines[value]],
  ["source", "Expectations", (it) => [it.observed > 0 ? "observed" : "derived"], (value) => (value === "observed" ? "some observed" : "all derived")],
];
const chosen = {};
let wanted = [];

function fits(it) {
  return FILTERS.every(([key, , values]) => !chosen[key] || values(it).includes(chosen[key])) && wanted.every((word) => haystack(it).includes(word));
}

// One row with what it opens.
function entry(it, level, content, beside) {
  const button = el("button", { type: "button", class: "row", "aria-expanded": "false" }, content);
  const link = el("a", { class: "anchor", href: `#${it.anchor}`, title: "a link to this", "aria-label": "a link to this" }, "#");
  const body = el("div", { class: "body", hidden: true });
  it.node = el("section", { class: `entry ${it.kind}`, id: it.anchor }, el(level, {}, button, beside, link), body);
  it.button = button;
  button.addEventListener("click", () => open(it, button.getAttribute("aria-expanded") !== "true", true));
  return it.node;
}

function open(it, on, named) {
  const body = it.node.lastElementChild;
  it.button.setAttribute("aria-expanded", String(on));
  body.hidden = !on;
  it.node.classList.toggle("open", on);
  if (on && !it.drawn) {
    it.drawn = true;
    if (it.kind === "operation") {
      body.append(...it.body().filter(Boolean));
      const asked = it.sequences.map((at) => sequences[at]);
      if (asked.length > 0) body.append(part("Sequences that ask it", el("ul", {}, asked.map((one) => el("li", {}, el("a", { href: `#${one.anchor}` }, one.about))))));
      body.append(part("Oracles"), ...it.items.map((oracle) => entry(oracle, "h3", oracleRow(oracle))));
      it.items.forEach((oracle) => (oracle.node.hidden = !oracle.shown));
    } else {
      body.append(...it.body(it).flat().filter(Boolean));
    }
  }
  if (named && on) {
    try {
      history.replaceState(null, "", `#${it.anchor}`);
    } catch {
      // Where the page may not name its place, the link beside the row still does.
    }
  }
}

function oracleRow(it) {
  const kinds = [it.observed > 0 && `${it.observed} observed`, `${it.derived} derived`].filter(Boolean).join(", ");
  return [
    el("span", { class: `status s${it.status[0] ?? ""}` }, it.status || "–"),
    el("span", { class: "about" }, it.about || it.name),
    el("span", { class: "marks" }, badge(it.strategy), badge(it.state, it.state), it.verdict && badge(it.verdict, it.verdict), el("span", { class: "quiet" }, kinds)),
  ];
}

function operationRow(it) {
  const verdicts = ["broken", "refuted", "inconclusive"].map((verdict) => [it.items.filter((one) => one.verdict === verdict).length, verdict]);
  it.counter = el("span", { class: "quiet" });
  return [
    el("span", { class: `method m${it.method}` }, it.method),
    el("span", { class: "about path" }, it.path, it.entry && el("span", { class: "quiet entry-of" }, it.entry.replace(/^(?:[\w$]+\.)+(?=[A-Z])/u, ""), it.place && ` · ${it.place}`), it.strength && el("span", { class: "quiet entry-of" }, it.strength)),
    el("span", { class: "marks" }, verdicts.filter(([n]) => n > 0).map(([n, verdict]) => badge(`${n} ${verdict}`, verdict)), it.counter),
  ];
}

function sequenceRow(it) {
  return [
    el("span", { class: "status" }, count(it.steps, "step")),
    el("span", { class: "about" }, it.about || it.name),
    el("span", { class: "marks" }, badge(it.pattern), badge(it.state, it.state), it.verdict && badge(it.verdict, it.verdict)),
  ];
}

// What the search and the filters leave.
function show() {
  const searching = wanted.length > 0 || Object.values(chosen).some(Boolean);
  items.forEach((it) => (it.shown = fits(it)));
  const left = items.filter((it) => it.shown).length;
  let ops = 0;
  for (const op of operations) {
    const shown = op.items.filter((it) => it.shown).length;
    const own = !searching || (wanted.length > 0 && !Object.values(chosen).some(Boolean) && wanted.every((word) => `${op.name} ${op.entry ?? ""}`.toLowerCase().includes(word)));
    op.node.hidden = shown === 0 && !own;
    ops += op.node.hidden ? 0 : 1;
    op.counter.textContent = searching && shown < op.items.length ? `${shown} of ${count(op.items.length, "oracle")}` : count(op.items.length, "oracle");
    if (op.drawn) op.items.forEach((it) => (it.node.hidden = !it.shown));
    // Few enough to be looked at are laid out at once.
    if (searching && shown > 0 && left <= 40) open(op, true, false);
  }
  sequences.forEach((it) => (it.node.hidden = !it.shown));
  const shownSequences = sequences.filter((it) => it.shown).length;
  const oracles = items.length - sequences.length;
  byId("told").textContent = searching
    ? `${left - shownSequences} of ${count(oracles, "oracle")} in ${ops} of ${count(operations.length, "operation")}, ${shownSequences} of ${count(sequences.length, "sequence")}`
    : `${count(operations.length, "operation")}, ${count(oracles, "oracle")}, ${count(sequences.length, "sequence")}`;
  byId("nothing").hidden = left > 0 || ops > 0;
  byId("clear").hidden = !searching;
  document.querySelectorAll("main > h2").forEach((head) => (head.hidden = ![...document.querySelectorAll(`.${head.dataset.of}`)].some((node) => !node.hidden)));
}

const byId = (id) => document.getElementById(id);

function clear() {
  byId("search").value = "";
  wanted = [];
  for (const [key] of FILTERS) {
    chosen[key] = "";
    const select = byId(`filter-${key}`);
    if (select) select.value = "";
  }
  show();
}

function tools() {
  const search = el("input", { id: "search", type: "search", placeholder: "Search", "aria-label": "Search", autocomplete: "off", spellcheck: "false" });
  let waiting;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      wanted = search.value.toLowerCase().split(/\s+/u).filter(Boolean);
      show();
    }, 80);
  });
  const selects = [];
  for (const [key, title, values, say] of FILTERS) {
    const counts = new Map();
    for (const it of items) for (const value of values(it)) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
    // What is the same for all tells nothing apart.
    if (counts.size < 2) continue;
    const options = [...counts].sort((a, b) => (a[0] < b[0] ? -1 : 1)).map(([value, n]) => el("option", { value }, `${visible(say(value))} (${n})`));
    const select = el("select", { id: `filter-${key}` }, el("option", { value: "" }, "all"), options);
    select.addEventListener("change", () => {
      chosen[key] = select.value;
      show();
    });
    selects.push(el("label", {}, title, " ", select));
  }
  const button = (id, text, act) => {
    const node = el("button", { id, type: "button" }, text);
    node.addEventListener("click", act);
    return node;
  };
  byId("tools").append(
    el("div", { class: "bar" }, search, el("span", { id: "told", role: "status" }), button("clear", "Clear", clear), button("theme", "", turn), button("help", "Keys ?", help)),
    el("details", { class: "filters", open: matchMedia("(min-width: 48em)").matches }, el("summary", {}, "Filters"), el("div", {}, selects)),
  );
  document.querySelector(".top").append(
    el("p", { class: "keys quiet" }, [["/", "search"], ["j k", "next, previous"], ["Enter", "open, close"], ["Esc", "back"], ["t", "theme"], ["?", "all keys"]].map(([key, what]) => el("span", {}, el("kbd", {}, key), ` ${what} `))),
  );
}

const THEMES = ["auto", "dark", "light"];

function theme(name) {
  document.documentElement.dataset.theme = name;
  byId("theme").textContent = `Theme: ${name}`;
  try {
    localStorage.setItem("mastor-theme", name);
  } catch {
    // A page of a file may have no memory.
  }
}

function turn() {
  theme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]);
}

function help() {
  let dialog = byId("keys");
  if (!dialog) {
    const keys = [["/", "search"], ["j, k", "next and previous row"], ["Enter", "open or close the row"], ["Esc", "leave the search; close the row, then its operation"], ["t", "dark, light, or as the system has it"], ["c", "clear search and filters"], ["?", "this"]];
    dialog = el("dialog", { id: "keys" }, el("h2", {}, "Keys"), el("dl", {}, keys.map(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)])), el("form", { method: "dialog" }, el("button", {}, "Close")));
    document.body.append(dialog);
  }
  dialog.showModal();
}

const rows = () => [...document.querySelectorAll("main .row")].filter((row) => !row.closest("[hidden]"));

function move(by) {
  const all = rows();
  const at = all.indexOf(document.activeElement);
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))];
  next?.focus();
}

function back() {
  const inside = document.activeElement.closest?.(".entry");
  const it = inside && byAnchor.get(inside.id);
  if (!it) return;
  const on = it.button.getAttribute("aria-expanded") === "true";
  if (on) open(it, false, false);
  (on ? it : it.op ?? it).button.focus();
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys")?.open) return;
  const typing = event.target.closest?.("input, select, textarea");
  if (typing) {
    if (event.key !== "Escape" || typing.id !== "search") return;
    if (typing.value === "") typing.blur();
    else clear();
    event.preventDefault();
    return;
  }
  const act = { "/": () => byId("search").focus(), j: () => move(1), k: () => move(-1), t: turn, c: clear, "?": help, Escape: back }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

// Opens what the address names.
function follow() {
  const it = byAnchor.get(decodeURIComponent(location.hash.slice(1)));
  if (!it) return;
  if ((it.kind === "operation" ? it.node.hidden : !it.shown)) clear();
  if (it.op) open(it.op, true, false);
  open(it, true, false);
  document.querySelector(".named")?.classList.remove("named");
  it.node.classList.add("named");
  // What stands above is laid out while it comes into sight, and moves what stands below.
  const lead = (times) => {
    it.node.scrollIntoView({ block: "start" });
    it.button.focus({ preventScroll: true });
    if (times > 0) requestAnimationFrame(() => lead(times - 1));
  };
  lead(3);
}

// On paper all that is left is opened, where that is not a book.
function paper() {
  const left = items.filter((it) => it.shown);
  if (left.length > 500) return;
  operations.filter((op) => !op.node.hidden).forEach((op) => open(op, true, false));
  left.forEach((it) => open(it, true, false));
}

function start() {
  tools();
  const main = byId("list");
  main.append(el("p", { id: "nothing", hidden: true }, "Nothing fits the search and the filters."));
  main.append(el("h2", { "data-of": "operation" }, "Operations"), ...operations.map((op) => entry(op, "h3", operationRow(op))));
  if (sequences.length > 0) main.append(el("h2", { "data-of": "sequence" }, "Sequences"), ...sequences.map((it) => entry(it, "h3", sequenceRow(it))));
  if (index.strength) main.append(el("p", { class: "quiet", id: "strength" }, `Strength: ${index.strength}.`));
  if (index.checked) main.append(el("p", { class: "quiet" }, "The last check asked ", code(index.checked), "."));
  byId("tools").hidden = main.hidden = false;
  let last;
  try {
    last = localStorage.getItem("mastor-theme");
  } catch {
    // As above.
  }
  theme(THEMES.includes(last) ? last : "auto");
  show();
  document.addEventListener("keydown", key);
  history.scrollRestoration = location.hash ? "manual" : "auto";
  addEventListener("hashchange", follow);
  addEventListener("beforeprint", paper);
  follow();
  // Once it has loaded, the browser goes to what the address names by itself, and takes the focus away.
  addEventListener("load", follow);
  gather(0);
}

start();
