// Loaded into a service with `--import`: SIGUSR2 blocks its event loop for the milliseconds in `DATA_DIR/stall-ms`.
import { readFileSync } from "node:fs";
import { join } from "node:path";

process.on("SIGUSR2", () => {
  const ms = Number(readFileSync(join(process.env.DATA_DIR, "stall-ms"), "utf8"));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
});
