// `npm run backup -- <folder>`: copies the embedded instance into a folder while it runs.
import { prepare } from "./prepare.mjs";

await prepare();
await import("../dist/server/backup.js");
