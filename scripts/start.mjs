// `npm start`: installs, builds and starts the service in one process.
import { prepare } from "./prepare.mjs";
import { stopWithParent } from "./stop-with-parent.mjs";

// Before the installation, which takes a minute: a stopped `npm start` must not go on installing.
if (process.env.npm_lifecycle_event !== undefined) stopWithParent();
await prepare();
await import("../dist/server/main.js");
