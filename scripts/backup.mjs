// `npm run backup -- <folder>`: copies the embedded instance, while it runs, into a folder.
import { ensureBuilt, ensureInstalled, requireNode } from "./prepare.mjs";

requireNode();
ensureInstalled();
await ensureBuilt();
await import("../dist/server/backup.js");
