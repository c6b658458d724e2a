// `npm start`: installs, builds and starts the service in one process.
import { prepare } from "./prepare.mjs";
import { stopWithParent } from "./stop-with-parent.mjs";

await prepare();
if (process.env.npm_lifecycle_event !== undefined) stopWithParent();
await import("../dist/server/main.js");
