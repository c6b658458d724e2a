// `npm run dev`: the sources themselves. The service restarts when one of its files changes; the page, on an address
// of its own, takes every change over as it is saved and everything else from the service.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, requireNode, root } from "./prepare.mjs";

requireNode();
ensureInstalled();

const module = (...path) => join(root, "node_modules", ...path);
const start = (...args) => spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
const parts = [
  start(module("tsx", "dist", "cli.mjs"), "watch", "--clear-screen=false", "server/main.ts"),
  start(module("vite", "bin", "vite.js"), "--clearScreen", "false"),
];

// One without the other is of no use: when one ends, for whatever reason, so does the other.
for (const part of parts)
  part.once("exit", (code) => {
    for (const other of parts) other.kill();
    process.exitCode = code ?? 0;
  });
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    for (const part of parts) part.kill(signal);
  });
