// `npm run conformance`: checks the register of promises and their tests; the same tests are part of `npm test`.
// `npm run conformance -- --write`: generates test/conformance/register.md from test/conformance/promises first.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { requireNode } from "../bin/require-node.mjs";
import { ensureInstalled, root } from "./prepare.mjs";

requireNode();
await ensureInstalled({ dev: true });

if (process.argv.includes("--write")) {
  const { register } = await import("tsx/esm/api");
  register();
  const { REGISTER_FILE, renderRegister } = await import("../test/conformance/register.ts");
  writeFileSync(join(root, REGISTER_FILE), renderRegister());
}

const { status } = spawnSync(
  join(root, "node_modules", ".bin", "vitest"),
  ["run", "test/conformance", "--reporter=verbose"],
  { cwd: root, stdio: "inherit", shell: process.platform === "win32" },
);
process.exit(status ?? 1);
