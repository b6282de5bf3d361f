// Starts the browser that the tests' tools hold, the one that MASTOR_BROWSER names, or the system's.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

export const launch = (tools) => {
  const { chromium } = createRequire(path.join(tools, "package.json"))("playwright-core");
  const own = path.join(tools, "chromium/chromium");
  const libraries = [process.env.LD_LIBRARY_PATH, path.join(tools, "chromium/lib")].filter(Boolean).join(":");
  return chromium.launch({
    executablePath: process.env.MASTOR_BROWSER || (existsSync(own) ? own : "/usr/bin/chromium"),
    args: ["--no-sandbox", "--headless", "--disable-gpu", "--force-color-profile=srgb"],
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
  });
};
