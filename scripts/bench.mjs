// `npm run bench`: figures and ratios of one run on this machine; `-- --history` adds a million finished tasks, `--postgres`
// the same call on a PostgreSQL server of its own.
import { register } from "tsx/esm/api";
import { ensureBuilt, ensureInstalled, requireNode } from "./prepare.mjs";

requireNode();
ensureInstalled();
await ensureBuilt();
register();
const { main } = await import("../bench/run.ts");
await main();
