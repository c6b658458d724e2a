// `npm start`: from a fresh clone to a listening service, in one process.
import { ensureBuilt, ensureInstalled, requireNode } from "./prepare.mjs";

requireNode();
ensureInstalled();
await ensureBuilt();
await import("../dist/server/main.js");
