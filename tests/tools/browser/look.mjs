// Opens every HTML file of a folder in a browser, as wide as a comment on a desk and on a telephone, and prints as JSON what is wrong with each
// and what can be read. With a second folder, pictures go there. Nothing is sanitised before: what GitHub would take out, must not be there.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { launch } from "./launch.mjs";

const [folder, tools, pictures] = process.argv.slice(2).map((argument) => path.resolve(argument));
const require = createRequire(path.join(tools, "package.json"));
const style = readFileSync(require.resolve("github-markdown-css/github-markdown-light.css"), "utf8");

// Runs in the page.
const faults = ([prefix, more]) => {
  const found = [];
  const wrong = (what, where) => found.push(`${what}: ${JSON.stringify(String(where).slice(0, 160))}`);
  const article = document.querySelector("article");
  const tags = "A BR CODE DETAILS H3 H4 LI OL P PRE STRONG SUMMARY TABLE TBODY TD TH THEAD TR UL".split(" ").concat(more);
  for (const element of document.querySelectorAll("body *")) {
    if (element === article) continue;
    if (!tags.includes(element.tagName)) wrong("an element", element.outerHTML);
    for (const { name } of element.attributes) {
      if (!(element.tagName === "A" && name === "href") && name !== "dir" && name !== "open") wrong("an attribute", element.outerHTML);
    }
  }
  for (const link of document.links) if (!new RegExp(prefix, "u").test(link.getAttribute("href"))) wrong("a link", link.href);
  const patterns = {
    "a mention": /(^|[^\w])@[a-z\d]/iu,
    "a reference": /(^|[^&\w]|\w)#\d|\bGH-\d/iu,
    "a commit": /\b[0-9a-f]{7,40}\b/u,
    "an address": /:\/\/|www\.|\w@\w/iu,
    "an emoji": /:[a-z0-9_+-]*[a-z+][a-z0-9_+-]*:/u,
  };
  const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200c\u200d\u200f\u202a-\u202e\u2028\u2029\u2060-\u206f\u3164\ufeff\u{e0000}-\u{e0fff}]/u;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.COMMENT_NODE) {
      wrong("a comment", node.data);
      continue;
    }
    if (hidden.test(node.data)) wrong("a hidden character", escape(node.data));
    if (/\p{M}{5}/u.test(node.data)) wrong("a heap of marks", node.data);
    if (node.parentElement.closest("code, pre")) {
      if (node.data.includes("\u200b")) wrong("a gap in code", node.data);
      continue;
    }
    for (const [what, pattern] of Object.entries(patterns)) {
      const met = pattern.exec(node.data);
      if (met) wrong(what, node.data.slice(Math.max(0, met.index - 40), met.index + 80));
    }
  }
  for (const table of document.querySelectorAll("table")) {
    for (const row of table.rows) if (row.cells.length !== table.tHead.rows[0].cells.length) wrong("a row", row.innerText);
    for (const row of table.rows) if (row.getBoundingClientRect().height > 700) wrong("a tall row", row.innerText);
  }
  const last = article.lastElementChild;
  if (!last || last.tagName === "DETAILS" && !last.innerText.trim()) wrong("the end is missing", article.innerText.slice(-100));
  const page = document.scrollingElement;
  if (page.scrollWidth > page.clientWidth) wrong("the page overflows", `${page.scrollWidth} of ${page.clientWidth}`);
  const edge = article.getBoundingClientRect().right;
  for (const element of article.querySelectorAll("*")) {
    if (!element.closest("table, pre > code") && element.getBoundingClientRect().right > edge + 1) wrong("an element overflows", element.outerHTML);
  }
  return found;
};

const browser = await launch(tools);
const results = {};
for (const name of readdirSync(folder).filter((name) => name.endsWith(".html")).sort()) {
  const html = readFileSync(path.join(folder, name), "utf8");
  const result = { faults: [], text: "" };
  for (const width of [760, 375]) {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.route("**", (route) => {
      result.faults.push(`asked for ${route.request().url()}`);
      return route.abort();
    });
    page.on("dialog", (dialog) => {
      result.faults.push(`a dialog: ${dialog.message()}`);
      return dialog.dismiss();
    });
    page.on("console", (message) => result.faults.push(`the console: ${message.text()}`));
    page.on("pageerror", (error) => result.faults.push(`a script: ${error}`));
    const css = `${style} body { margin: 0 } article { box-sizing: border-box; padding: 16px; font-size: 14px !important }`;
    await page.setContent(`<!doctype html><html><head><style>${css}</style></head><body><article class="markdown-body">${html}</article></body></html>`);
    // GitHub lets the first letters of a block say in which direction it is read.
    await page.evaluate(() => {
      for (const block of document.querySelectorAll("article :is(p, ul, h3, h4)")) block.dir = "auto";
    });
    const base = `${path.join(pictures ?? "", name.replace(/\.html$/, ""))}-${width}`;
    const picture = async (to) => {
      if (!pictures) return;
      const height = await page.evaluate(() => document.scrollingElement.scrollHeight);
      await page.setViewportSize({ width, height: Math.min(4000, height) });
      // Taking one fails now and then on a machine that has other things to do.
      for (let tries = 0; tries < 4; tries += 1) {
        if (await page.screenshot({ path: to }).catch(() => undefined)) return;
      }
    };
    await picture(`${base}.png`);
    await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
    await picture(`${base}-open.png`);
    const seen = await page.evaluate(faults, [process.env.MASTOR_LINKS ?? "^https://github\\.com/acme/orders/blob/", (process.env.MASTOR_TAGS ?? "").split(" ")]);
    result.faults.push(...seen.map((fault) => `${width}: ${fault}`));
    result.text = await page.evaluate(() => document.querySelector("article").innerText);
    await page.close();
  }
  results[name.replace(/\.html$/, "")] = result;
}
await browser.close();
process.stdout.write(JSON.stringify(results));
