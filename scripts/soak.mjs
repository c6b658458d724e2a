// `npm run soak -- --minutes 30 --per-second 40`: mixed load on the service; memory, open files and lag must stay flat.
import { register } from "tsx/esm/api";
import { ensureBuilt, ensureInstalled, requireNode } from "./prepare.mjs";

requireNode();
ensureInstalled();
await ensureBuilt();
register();
const { main } = await import("../bench/soak/run.ts");
await main();
