// Draws what is opened. All that comes from the suite, from code or from a service becomes text, never markup.

// What shows nothing or moves what stands around it is shown by its number; heaps of marks are cut.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;
const MARKS = /(\p{M}{3})\p{M}+/gu;

function named(character) {
  return "\\u" + character.codePointAt(0).toString(16).padStart(4, "0");
}

function visible(text) {
  return String(text).replace(MARKS, "$1…").replace(HIDDEN, named);
}

function texts(text) {
  const nodes = [];
  const plain = String(text).replace(MARKS, "$1…");
  let at = 0;
  for (const met of plain.matchAll(HIDDEN)) {
    const hidden = document.createElement("span");
    hidden.className = "hidden";
    hidden.textContent = named(met[0]);
    nodes.push(plain.slice(at, met.index), hidden);
    at = met.index + met[0].length;
  }
  nodes.push(plain.slice(at));
  return nodes;
}

function el(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(...(child instanceof Node ? [child] : texts(child)));
  }
  return node;
}

const code = (text, kind) => el("code", { class: kind }, text);
const badge = (text, kind) => el("span", { class: "badge " + (kind ?? "") }, text);
const part = (title, ...content) => el("section", { class: "part" }, el("h4", {}, title), ...content);

function count(n, one) {
  return n === 1 ? `1 ${one}` : `${n} ${one}s`;
}

function table(heads, rows) {
  const cells = (tag, row) => el("tr", {}, row.map((cell) => el(tag, {}, cell)));
  return el("div", { class: "wide" }, el("table", {}, el("thead", {}, cells("th", heads)), el("tbody", {}, rows.map((row) => cells("td", row)))));
}

function request(asked) {
  const head = asked.headers.map(([name, value]) => `${name}: ${value}`);
  return [
    el("pre", { class: "request" }, el("b", {}, asked.line), asked.as ? ` as ${asked.as}` : "", head.length > 0 ? "\n" + head.join("\n") : ""),
    asked.body && el("p", { class: "quiet" }, "body: ", asked.body.what),
    asked.body && asked.body.text !== "" && el("pre", { class: "sent" }, asked.body.text),
  ];
}

function expectations(list) {
  const one = (it) =>
    el("li", { class: it.observed ? "observed" : "derived" }, badge(it.observed ? "observed" : "derived"), " ", code(it.subject), ` ${it.is} `, it.value !== null && code(it.value, "value"));
  return el("ul", { class: "expects" }, list.map(one));
}

function source(it) {
  const place = it.file ? `${it.file}${it.line ? ":" + it.line : ""}` : "";
  const caption = el("figcaption", {}, code(it.symbol), " ", el("span", { class: "quiet" }, place), " ", it.note && badge(it.note, "warn"));
  if (!it.text) return el("figure", { class: "source" }, caption);
  const body = el("code", {});
  const inks = it.inks ?? [];
  let at = 0;
  let next = 0;
  it.text.split("\n").forEach((text, n) => {
    const line = el("span", { class: "line", "data-n": (it.line ?? 1) + n });
    const end = at + text.length;
    let from = at;
    while (next < inks.length && inks[next] < end) {
      const [start, length, ink] = inks.slice(next, next + 3);
      line.append(...texts(it.text.slice(from, start)), el("span", { class: "ink" + ink }, it.text.slice(start, start + length)));
      from = start + length;
      next += 3;
    }
    line.append(...texts(it.text.slice(from, end)), "\n");
    body.append(line);
    at = end + 1;
  });
  return el("figure", { class: "source" }, caption, el("pre", { tabindex: "0" }, body), it.more && el("p", { class: "quiet" }, `and ${count(it.more, "line")} more`));
}

function evidence(places) {
  if (places.length === 0) return part("Evidence", el("p", { class: "quiet" }, "none: a person wrote it"));
  return part(`Evidence: ${count(places.length, "place")} in the code`, places.map((place) => source(data.sources()[place])));
}

function cited(places) {
  return places.map((place) => {
    const it = data.sources()[place];
    return code(it.symbol.replace(/^(?:[a-z_$][\w$]*\.)+(?=[A-Z])/u, ""), "cited");
  });
}

function outcome(verdict, came) {
  if (verdict === "") return undefined;
  const missed = came?.missed;
  return part(
    "Last check",
    el("p", {}, badge(verdict, verdict), " ", words.verdicts[verdict], came?.reason ? `: ${came.reason}` : ""),
    missed && table(["expected" + (missed.step > 1 ? ` in step ${missed.step}` : ""), "seen"], missed.unmet.map(([a, b]) => [code(a), code(b)])),
    missed?.answer && el("p", { class: "quiet" }, `the answer was ${missed.answer[0]}`),
    missed?.answer && missed.answer[1] !== "" && el("pre", {}, missed.answer[1]),
    missed?.requests.map((request) => el("pre", {}, request)),
  );
}

function known(it, id) {
  const list = el("ul", { class: "facts" });
  for (const [what, places] of it.given) list.append(el("li", {}, "given: ", what, " ", cited(places)));
  for (const [what, places] of it.assumes) list.append(el("li", {}, "assumes: ", what, " ", cited(places)));
  for (const [path, why] of it.varies) list.append(el("li", {}, "varies from run to run, and is not compared: ", code(path), ` (${why})`));
  list.append(el("li", {}, `made by ${it.made}; ${it.confirmed}`));
  list.append(el("li", {}, code(`mastor explain ${id}`), " · ", code(`mastor replay ${id}`)));
  return list;
}

function oracleBody(row, it) {
  return [
    it.about && el("p", { class: "about" }, it.about),
    part("Request", request(it.ask)),
    part("Expected", expectations(it.expects)),
    outcome(row.verdict, it.came),
    it.because && part("Why", el("p", {}, it.because)),
    part("Known of it", known(it, row.id)),
    evidence(it.evidence),
  ];
}

function sequenceBody(row, it) {
  const step = (one) =>
    el("li", {}, request(one.ask), one.puts.length > 0 && el("p", { class: "flows" }, one.puts.map(([name, place]) => el("span", {}, code("$" + name), " as ", code(place), " "))),
      expectations(one.expects),
      one.takes.length > 0 && el("p", { class: "flows" }, one.takes.map(([name, from]) => el("span", {}, code("$" + name), ` is taken from ${from} `))));
  return [
    it.about && el("p", { class: "about" }, it.about),
    diagram(it.steps),
    part("Steps", el("ol", { class: "steps" }, it.steps.map(step))),
    outcome(row.verdict, it.came),
    part("Known of it", el("p", {}, `Rests on: ${row.pattern}.`), known(it, row.id)),
    evidence(it.evidence),
  ];
}

function context(it) {
  const whole = (path) => (path === "" ? "(body)" : path);
  const nullable = (value) => (value === null ? "not known" : value ? "yes" : "no");
  return [
    it.params.length > 0 && part("What is asked", table(["parameter", "in", "type", "required", "constraints", "evidence"],
      it.params.map(([name, place, type, required, constraints, places]) => [code(whole(name)), place, code(type), required ? "yes" : "no", constraints, cited(places)]))),
    it.statuses.length > 0 && el("p", {}, `Success: ${it.statuses.join(", ")}.`),
    it.fields.length > 0 && part("Fields of a successful answer", table(["field", "type", "null or absent", "evidence"],
      it.fields.map(([path, type, none, places]) => [code(whole(path)), code(type), nullable(none), cited(places)]))),
    it.errors.length > 0 && part("Errors", table(["status", "when", "evidence"], it.errors.map(([status, when, places]) => [String(status), when, cited(places)]))),
    it.pending.length > 0 && part("Not verified", el("ul", {}, it.pending.map((text) => el("li", {}, text)))),
  ];
}
