// `npm run restore -- <backup> [--data-dir <folder>]`: restores a backup into an empty folder.
import { prepare } from "./prepare.mjs";

await prepare();
await import("../dist/server/restore.js");
