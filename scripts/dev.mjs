// `npm run dev`: runs the sources themselves and restarts when one of them changes.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, requireNode, root } from "./prepare.mjs";

requireNode();
ensureInstalled();
const tsx = join(root, "node_modules", "tsx", "dist", "cli.mjs");
spawn(process.execPath, [tsx, "watch", "--clear-screen=false", "server/main.ts"], {
  cwd: root,
  stdio: "inherit",
});
