// `npm run conformance`: every line of docs/conformance.md, docs/security.md and docs/durability.md names tests that exist,
// and every route, error code, step type and graph problem of the program stands in a line. The same tests are part of `npm test`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, requireNode, root } from "./prepare.mjs";

requireNode();
ensureInstalled();
const { status } = spawnSync(
  join(root, "node_modules", ".bin", "vitest"),
  ["run", "test/conformance", "--reporter=verbose"],
  { cwd: root, stdio: "inherit", shell: process.platform === "win32" },
);
process.exit(status ?? 1);
