import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Arguments of a service whose event loop can be blocked. */
export const STALLABLE = ["--import", fileURLToPath(new URL("stall-on-signal.mjs", import.meta.url))];

/** Blocks the event loop of a service: its timers and sockets wait, as during a long computation. */
export async function stall(pid: number, dataDir: string, ms: number): Promise<void> {
  writeFileSync(join(dataDir, "stall-ms"), String(ms));
  process.kill(pid, "SIGUSR2");
  await new Promise((resolve) => setTimeout(resolve, ms));
}
