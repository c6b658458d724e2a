// `npm run restore -- <backup> [--data-dir <folder>]`: makes an instance of a backup, in an empty folder.
import { ensureBuilt, ensureInstalled, requireNode } from "./prepare.mjs";

requireNode();
ensureInstalled();
await ensureBuilt();
await import("../dist/server/restore.js");
