// Takes the pictures of the comment, as GitHub shows one, light and dark.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { launch } from "../../tests/tools/browser/launch.mjs";

const [page, tools, to] = process.argv.slice(2).map((argument) => path.resolve(argument));
const require = createRequire(path.join(tools, "package.json"));
const html = readFileSync(page, "utf8");
const browser = await launch(tools);
const edges = { light: ["#d1d9e0", "#f6f8fa", "#1f2328"], dark: ["#3d444d", "#151b23", "#f0f6fc"] };
for (const [name, [edge, head, text]] of Object.entries(edges)) {
  const style = readFileSync(require.resolve(`github-markdown-css/github-markdown-${name}.css`), "utf8");
  const shown = await browser.newPage({ viewport: { width: 860, height: 600 }, deviceScaleFactor: 1.5 });
  const css = `${style} body { margin: 0 } main { border: 1px solid ${edge}; border-radius: 6px; overflow: hidden }
    header { background: ${head}; border-bottom: 1px solid ${edge}; color: ${text}; font: 600 14px sans-serif; padding: 10px 16px }
    article { box-sizing: border-box; padding: 16px; font-size: 14px !important }`;
  await shown.setContent(`<!doctype html><style>${css}</style><main><header>github-actions <span style="font-weight:400">commented</span></header>
    <article class="markdown-body">${html}</article></main>`);
  await shown.locator("main").screenshot({ path: path.join(to, `comment-${name}.png`), omitBackground: true });
}
await browser.close();
