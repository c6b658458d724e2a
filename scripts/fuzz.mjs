// `npm run fuzz -- --seed N --minutes M`: requests of every shape against every route of the running service.
import { register } from "tsx/esm/api";
import { ensureBuilt, ensureInstalled, requireNode } from "./prepare.mjs";

requireNode();
ensureInstalled();
await ensureBuilt();
register();
const { main } = await import("../test/fuzz/run.ts");
await main();
