// `npm run chaos -- --seed N --kills 100 --minutes M`: kill -9 under load, then the history is checked.
// `npm run chaos -- --postgres --seed N --faults 60`: the same of three processes on a PostgreSQL server.
import { register } from "tsx/esm/api";
import { ensureBuilt, ensureInstalled, requireNode } from "./prepare.mjs";

requireNode();
ensureInstalled();
await ensureBuilt();
register();
const { main } = await import("../test/chaos/run.ts");
await main();
