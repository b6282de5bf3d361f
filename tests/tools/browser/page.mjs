// Opens every HTML page of a folder in a browser, light, dark and on a telephone, without network; works it as a reader would, and prints as JSON what is
// wrong with each, what can be read, and the milliseconds until it could be used. With a second folder, pictures go there.
import { readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { launch } from "./launch.mjs";

const [folder, tools, pictures] = process.argv.slice(2).map((argument) => path.resolve(argument));

// Runs in the page: what must not be in what was drawn.
const faults = () => {
  const found = [];
  const wrong = (what, where) => found.push(`${what}: ${JSON.stringify(String(where).slice(0, 200))}`);
  const tags = "A B BUTTON CODE DD DETAILS DIALOG DIV DL DT FIGCAPTION FIGURE FORM H1 H2 H3 H4 HEADER INPUT KBD LABEL LI MAIN NOSCRIPT OL OPTION P PRE SCRIPT SECTION SELECT SPAN SUMMARY TABLE TBODY TD TH THEAD TR UL svg title line path text".split(" ");
  const attributes = "aria-expanded aria-label autocomplete class content d data-n data-of for height hidden href id method open placeholder role spellcheck tabindex text-anchor title type value viewBox width x x1 x2 y y1 y2".split(" ");
  for (const element of document.body.querySelectorAll("*")) {
    if (!tags.includes(element.tagName)) wrong("an element", element.outerHTML);
    // Who takes a picture leaves an empty style behind.
    for (const { name, value } of element.attributes) if (!attributes.includes(name) && !(name === "style" && value === "")) wrong("an attribute", element.outerHTML);
  }
  for (const link of document.links) if (!link.getAttribute("href").startsWith("#")) wrong("a link", link.outerHTML);
  const run = [...document.scripts].filter((script) => script.type !== "application/json");
  if (run.length !== 1) wrong("scripts", run.length);
  const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\u{e0000}-\u{e0fff}]/u;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest("script, noscript")) continue;
    if (hidden.test(node.data)) wrong("a hidden character", escape(node.data));
    if (/\p{M}{5}/u.test(node.data)) wrong("a heap of marks", node.data);
  }
  // What is far from the window is laid out too; more of the same tells nothing new.
  const entries = [...document.querySelectorAll(".entry.operation, .entry.sequence")].slice(0, 20);
  for (const entry of entries) {
    entry.style.contentVisibility = "visible";
    for (const element of [...entry.querySelectorAll("*")].slice(0, 3000)) {
      if (!element.closest(".wide > *, pre > *") && element.getBoundingClientRect().right > document.body.getBoundingClientRect().right + 1) wrong("an element overflows", element.outerHTML);
    }
    entry.style.contentVisibility = "";
  }
  const page = document.scrollingElement;
  if (page.scrollWidth > page.clientWidth) wrong("the page overflows", `${page.scrollWidth} of ${page.clientWidth}`);
  return found;
};

// Runs in the page: opens operations, and within them so many oracles, and sequences.
const open = (most) => {
  const rows = (kind) => [...document.querySelectorAll(`.entry.${kind} > h3 > .row`)].filter((row) => row.getAttribute("aria-expanded") === "false");
  rows("operation").slice(0, most).forEach((row) => row.click());
  rows("oracle").slice(0, most).forEach((row) => row.click());
  rows("sequence").slice(0, most).forEach((row) => row.click());
};

// Works the page as a reader would; says what does not do what it should.
async function work(page) {
  const found = [];
  const check = (holds, what) => holds || found.push(what);
  const visible = (kind) => page.locator(`.entry.${kind}:not([hidden])`).filter({ visible: true });
  const data = await page.evaluate(() => JSON.parse(document.getElementById("index").textContent));
  const oracles = data.operations.flatMap((op) => op.oracles);
  if (oracles.length === 0) return found;
  const [id, , , strategy] = oracles[Math.floor(oracles.length / 2)];
  const told = async (pattern) => {
    for (let tries = 0; tries < 100; tries += 1) {
      const text = await page.locator("#told").innerText();
      if (pattern.test(text)) return true;
      await page.waitForTimeout(50);
    }
    return false;
  };
  await page.keyboard.press("/");
  await page.keyboard.type(id);
  check(await told(/^1 of /u), `a search for ${id} does not leave one`);
  check((await visible("oracle").count()) === 1, "what was searched is not shown");
  await page.keyboard.press("Escape");
  check(await told(new RegExp(`^${data.operations.length} operations?, ${oracles.length} oracle`, "u")), "Escape does not end the search");
  await page.keyboard.press("Escape");
  check(await page.evaluate(() => document.activeElement === document.body), "Escape does not leave the search");
  const filter = page.locator("#filter-strategy");
  if ((await filter.count()) > 0) {
    await page.evaluate(() => (document.querySelector(".filters").open = true));
    await filter.selectOption(strategy);
    const fit = oracles.filter((oracle) => oracle[3] === strategy).length;
    check(await told(new RegExp(`^${fit} of `, "u")), `the filter of ${strategy} does not leave ${fit}`);
    const others = await page.evaluate((name) => [...document.querySelectorAll(".entry.oracle:not([hidden])")].filter((node) => node.querySelector(".badge").textContent !== name).length, strategy);
    check(others === 0, "the filter shows others");
    await page.locator("#clear").click();
  }
  const named = page.locator(`#o-${id}`);
  const leads = async (how) => {
    await page.waitForTimeout(300);
    check((await named.locator("> h3 > .row").getAttribute("aria-expanded")) === "true", `a link does not open what it names, ${how}`);
    const top = await page.evaluate((at) => document.getElementById(at).getBoundingClientRect().top, `o-${id}`);
    check(top >= 0 && top < 400, `a link does not lead to what it names, ${how}: ${top}`);
  };
  await page.evaluate((anchor) => (location.hash = anchor), `o-${id}`);
  await leads("within the page");
  const url = page.url();
  await page.goto("about:blank");
  await page.goto(url);
  await leads("from elsewhere");
  await page.keyboard.press("Escape");
  check((await named.locator("> h3 > .row").getAttribute("aria-expanded")) === "false", "Escape does not close the row");
  const focused = () => page.evaluate(() => document.activeElement.closest(".entry")?.id);
  const before = await focused();
  await page.keyboard.press("j");
  const next = await focused();
  await page.keyboard.press("k");
  check(next !== before && (await focused()) === before, "j and k do not move");
  await page.keyboard.press("Enter");
  check((await named.locator("> h3 > .row").getAttribute("aria-expanded")) === "true", "Enter does not open the row");
  check((await page.evaluate(() => location.hash)) === `#o-${id}`, "what is opened is not named");
  await page.keyboard.press("?");
  check(await page.locator("#keys").isVisible(), "? shows no keys");
  await page.keyboard.press("Escape");
  check(!(await page.locator("#keys").isVisible()), "Escape does not close the keys");
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const seen = new Set([await back()]);
  for (let turns = 0; turns < 3; turns += 1) {
    await page.keyboard.press("t");
    seen.add(await back());
  }
  check(seen.size === 2, `themes have ${seen.size} backgrounds`);
  return found;
}

const browser = await launch(tools);
const results = {};
for (const name of readdirSync(folder).filter((name) => name.endsWith(".html")).sort()) {
  const result = { faults: [], text: "", listed: "", millis: 0 };
  const url = pathToFileURL(path.join(folder, name)).href;
  for (const [look, options] of [
    ["light", { viewport: { width: 1200, height: 900 }, colorScheme: "light" }],
    ["dark", { viewport: { width: 1200, height: 900 }, colorScheme: "dark" }],
    ["narrow", { viewport: { width: 375, height: 800 }, colorScheme: "light" }],
    ["without script", { viewport: { width: 1200, height: 900 }, javaScriptEnabled: false }],
  ]) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const wrong = (what) => result.faults.push(`${look}: ${what}`);
    await page.route("**", (route) => {
      if (route.request().url().split("#")[0] === url) return route.continue();
      wrong(`asked for ${route.request().url()}`);
      return route.abort();
    });
    page.on("dialog", (dialog) => {
      wrong(`a dialog: ${dialog.message()}`);
      return dialog.dismiss();
    });
    page.on("console", (message) => wrong(`the console: ${message.text()}`));
    page.on("pageerror", (error) => wrong(`a script: ${error}`));
    const picture = async (what) => {
      if (!pictures) return;
      // Taking one fails now and then on a machine that has other things to do.
      for (let tries = 0; tries < 4; tries += 1) {
        if (await page.screenshot({ path: path.join(pictures, `${name.replace(/\.html$/, "")}-${look}${what}.png`) }).catch(() => undefined)) return;
      }
    };
    await page.goto(url, { timeout: 120_000 });
    await picture("");
    if (look === "without script") {
      result.listed = await page.evaluate(() => document.body.innerText).catch(() => "");
      await context.close();
      continue;
    }
    if (look === "light") result.millis = Math.max(1, await page.evaluate(() => performance.now()));
    if (look !== "narrow") (await work(page)).forEach(wrong);
    await page.evaluate(open, Number(process.env.MASTOR_OPEN ?? 60));
    await picture("-open");
    (await page.evaluate(faults)).forEach(wrong);
    if (look === "light") {
      result.text = await page.evaluate(() => {
        // What is far from the window is not laid out, and so has no text of its own.
        document.querySelectorAll(".entry").forEach((entry) => (entry.style.contentVisibility = "visible"));
        return document.querySelector("main").innerText;
      });
    }
    await context.close();
  }
  results[name.replace(/\.html$/, "")] = result;
}
await browser.close();
process.stdout.write(JSON.stringify(results));
