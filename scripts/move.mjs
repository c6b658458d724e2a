// `npm run move -- --to postgres://… [--files s3]`: copies a stopped embedded instance into PostgreSQL.
import { ensureBuilt, ensureInstalled, requireNode } from "./prepare.mjs";

requireNode();
ensureInstalled();
await ensureBuilt();
await import("../dist/server/move.js");
