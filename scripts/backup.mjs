// `npm run backup -- <folder>`: copies the embedded instance, while it runs, into a folder.
import { prepare } from "./prepare.mjs";

await prepare();
await import("../dist/server/backup.js");
