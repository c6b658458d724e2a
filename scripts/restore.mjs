// `npm run restore -- <backup> [--data-dir <folder>]`: makes an instance of a backup, in an empty folder.
import { prepare } from "./prepare.mjs";

await prepare();
await import("../dist/server/restore.js");
