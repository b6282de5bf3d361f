// Draws a sequence: who is asked what in which order, and which values flow from an answer into a later request.
"use strict";

const SVG = "http://www.w3.org/2000/svg";

function svg(tag, attributes, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

// A text that fits its place; all of it is shown to who points at it.
function label(parent, attributes, text, most) {
  const all = [...visible(text)];
  const node = svg("text", attributes, all.length > most ? all.slice(0, most - 1).join("") + "…" : all.join(""));
  if (all.length > most) node.append(svg("title", {}, all.join("")));
  parent.append(node);
}

function diagram(steps) {
  const lanes = [...new Set(steps.map((step) => step.resource))];
  const names = [...new Set(steps.flatMap((step) => step.takes.map(([name]) => name)))];
  const colour = (name) => "flow" + (Math.max(0, names.indexOf(name)) % 6);
  const left = names.length > 0 ? 64 + 8 * Math.min(12, Math.max(...names.map((name) => name.length + 1))) : 40;
  const between = lanes.length > 1 ? 250 : 420;
  const step = 74;
  const first = 62;
  const width = left + between * lanes.length + 90;
  const height = first + step * steps.length + 6;
  const root = svg("svg", { class: "diagram", viewBox: `0 0 ${width} ${height}`, width, height, role: "img" });
  root.append(svg("title", {}, `A sequence of ${steps.length} steps; they stand below in words`));
  const lane = (resource) => left + between * (lanes.indexOf(resource) + 1);
  for (const [x, name] of [[left, "caller"], ...lanes.map((name) => [lane(name), name])]) {
    root.append(svg("line", { class: "lane", x1: x, y1: 34, x2: x, y2: height }));
    label(root, { class: "head", x, y: 22, "text-anchor": "middle" }, name, Math.floor(between / 8));
  }
  const taken = new Map();
  steps.forEach((one, n) => {
    const x = lane(one.resource);
    const [ask, answer] = [first + step * n, first + step * n + 40];
    const most = Math.floor((x - left - 30) / 7.3);
    root.append(svg("path", { class: "ask", d: `M${left} ${ask}H${x - 7}` }), svg("path", { class: "point", d: `M${x} ${ask}l-9 -4v8z` }));
    label(root, { x: left + 14, y: ask - 7 }, `${n + 1}. ${one.ask.line}`, most);
    root.append(svg("path", { class: "answer", d: `M${x} ${answer}H${left + 7}` }), svg("path", { class: "point", d: `M${left} ${answer}l9 -4v8z` }));
    label(root, { class: "status", x: left + 14, y: answer - 7 }, one.status === "" ? "any status" : one.status, most);
    for (const [name] of one.puts) {
      if (!taken.has(name)) continue;
      const from = taken.get(name);
      const bend = 36 + 6 * (names.indexOf(name) % 3);
      root.append(svg("path", { class: "flow " + colour(name), d: `M${left - 6} ${from}C${left - bend} ${from} ${left - bend} ${ask} ${left - 12} ${ask}` }));
      root.append(svg("path", { class: "point " + colour(name), d: `M${left - 4} ${ask}l-9 -4v8z` }));
    }
    for (const [name] of one.takes) {
      taken.set(name, answer);
      label(root, { class: "taken " + colour(name), x: left - 46, y: answer + 4, "text-anchor": "end" }, "$" + name, 12);
    }
  });
  return el("div", { class: "wide" }, root);
}
