// `npm run admin -- <command> …`: commands for operators, such as `reseal`.
import { prepare } from "./prepare.mjs";

await prepare();
await import("../dist/server/admin.js");
