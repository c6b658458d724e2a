// `npm run move -- --to postgres://… [--files s3]`: copies a stopped embedded instance into PostgreSQL.
import { prepare } from "./prepare.mjs";

await prepare();
await import("../dist/server/move.js");
