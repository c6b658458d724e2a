// `npm run dev`: runs the sources. The service restarts when one of its files changes; the page, on a separate address,
// reloads changed modules and forwards every other request to the service.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { requireNode } from "../bin/require-node.mjs";
import { ensureInstalled, root } from "./prepare.mjs";

requireNode();
await ensureInstalled({ dev: true });

const module = (...path) => join(root, "node_modules", ...path);
const start = (...args) => spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
const processes = [
  start(module("tsx", "dist", "cli.mjs"), "watch", "--clear-screen=false", "server/main.ts"),
  start(module("vite", "bin", "vite.js"), "web", "--clearScreen", "false"),
];

// Neither is useful alone: when one exits, the other is stopped.
for (const child of processes)
  child.once("exit", (code) => {
    for (const other of processes) other.kill();
    process.exitCode = code ?? 0;
  });
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    for (const child of processes) child.kill(signal);
  });
