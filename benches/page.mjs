// How long the page of a large suite takes: to export, and in Chromium until it can be used, searched and opened.
//
//     node benches/page.mjs target/release/mastor [OPERATIONS ORACLES]     # 300 operations with 10,000 oracles
//
// The service and its suite are made up in a temporary repository; the browser is the one that tests/tools.sh installs. Nothing is left behind.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { launch } from "../tests/tools/browser/launch.mjs";

const [mastor, operations = 300, oracles = 10_000] = process.argv.slice(2);
if (!mastor) throw new Error("name a binary of mastor");
const project = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const tools = path.join(process.env.MASTOR_TOOLS ?? path.join(project, ".tools"), "browser");
const root = mkdtempSync(path.join(tmpdir(), "mastor-page-"));
const hash = (text) => createHash("sha256").update(text).digest("hex");
const write = (name, text) => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
};

const perClass = 10;
const fields = Array.from({ length: 12 }, (_, n) => `field${n}`);
for (let c = 0; c * perClass < operations; c += 1) {
  const method = (n) => `    @PostMapping("/{id}/act${n}")
    Map<String, Object> act${n}(@PathVariable String id, @RequestBody Map<String, Object> body) {
        // What is refused, and what is not.
        if (id.length() < ${n + 2}) {
            throw new IllegalArgumentException("too short: " + id);
        }
        return Map.of("id", id, "number", ${c * perClass + n});
    }
`;
  const methods = Array.from({ length: perClass }, (_, n) => method(n)).join("\n");
  write(`src/main/java/com/acme/part${c}/Part${c}Controller.java`, `package com.acme.part${c};

import java.util.Map;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/parts${c}")
class Part${c}Controller {
${methods}}
`);
}
for (let n = 0; n < operations; n += 1) {
  const c = Math.floor(n / perClass);
  const op = `POST /parts${c}/{id}/act${n % perClass}`;
  const symbol = `com.acme.part${c}.Part${c}Controller#act${n % perClass}(String,Map)`;
  const id = `e:${hash(symbol).slice(0, 16)}`;
  const body = Object.fromEntries(fields.map((field, at) => [field, at % 3 === 0 ? `a value of some length for ${field}` : at * 17]));
  const assertion = (field, at) => ({ type: "field", path: field, op: "equals", expected: body[field], ...(at > 8 ? { source: "observed" } : {}) });
  const from = Math.floor((n * oracles) / operations);
  const to = Math.floor(((n + 1) * oracles) / operations);
  const oracle = (at) => ({
    o_id: hash(`${op} ${at}`).slice(0, 16), op_id: op, test_id: `${["fv", "fi", "bv", "bi"][at % 4]}_case_${at}`,
    description: `Answers ${at % 4 === 1 ? 400 : 200} when the length of id is ${at % 19} and field3 is ${at}.`,
    strategy: ["fv", "fi", "bv", "bi"][at % 4], as: at % 7 === 0 ? "clerk" : "anonymous",
    input: { path: { id: `id-${at}` }, query: [["lang", "en"]], body: { json: { ...body, field3: at } } },
    assertions: [{ type: "status", expected: at % 4 === 1 ? 400 : 200 }, ...fields.map(assertion)],
    effect: "writes", evidence: [id], rationale: "On this request the code takes one way only: the handler returns with 200.",
    origin: { engine: "rules", model: null, challenger: "skipped" },
    confirmation: { state: at % 5 === 0 ? "unconfirmed" : "confirmed", runs: at % 5 === 0 ? 0 : 2 },
  });
  write(`.mastor/suite/op-${n}.json`, JSON.stringify({
    schema_version: 1,
    context: {
      op_id: op, entry: { class: `com.acme.part${c}.Part${c}Controller`, method: `act${n % perClass}(String,Map)` },
      request_params: [{ name: "id", location: "path", type: "String", required: true, oas_match: true, evidence: id, constraints: [{ kind: "length", min: 2, max: 30, evidence: id }] }],
      response_schema: { success_status: 200, fields: fields.map((path) => ({ path, type: "String", nullable: false, evidence: id })), error_cases: [{ status: 400, condition: "length of id is below 2", evidence: id }] },
      request_params_pending: [], response_schema_pending: [], evidence: { [id]: { symbol, tokens_sha256: hash(symbol) } },
    },
    oracles: Array.from({ length: to - from }, (_, at) => oracle(from + at)),
  }));
}
write("pom.xml", "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version></project>\n");
const git = (...words) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], { cwd: root });
git("init", "-q");
git("add", "-A");
git("commit", "-qm", "made up");

try {
  const begin = performance.now();
  execFileSync(path.resolve(mastor), ["-C", root, "-q", "export", "html"]);
  const exported = performance.now() - begin;
  const file = path.join(root, ".mastor/out/export/html/index.html");
  console.log(`exported in ${(exported / 1000).toFixed(2)} s, ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  const browser = await launch(tools);
  const times = { opened: [], searched: [], unfolded: [] };
  for (let run = 0; run < 5; run += 1) {
    const page = await browser.newPage();
    const start = performance.now();
    await page.goto(pathToFileURL(file).href);
    // Two frames: the list is painted.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    times.opened.push(performance.now() - start);
    const searched = await page.evaluate(async () => {
      const begin = performance.now();
      const search = document.getElementById("search");
      search.value = "field3 is 7777.";
      search.dispatchEvent(new Event("input"));
      while (!document.getElementById("told").textContent.includes(" of ")) await new Promise((done) => setTimeout(done, 2));
      return performance.now() - begin;
    });
    times.searched.push(searched);
    const unfolded = await page.evaluate(async () => {
      document.getElementById("clear").click();
      const begin = performance.now();
      document.querySelectorAll(".operation > h3 > .row")[100].click();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return performance.now() - begin;
    });
    times.unfolded.push(unfolded);
    await page.close();
  }
  await browser.close();
  for (const [what, all] of Object.entries(times)) {
    const sorted = [...all].sort((a, b) => a - b);
    console.log(`${what}: median ${sorted[2].toFixed(0)} ms, slowest ${sorted[4].toFixed(0)} ms of 5`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
