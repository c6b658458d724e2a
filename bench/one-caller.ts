import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { alternate } from "./alternate.ts";
import { type Bench, INPUT } from "./bench.ts";
import { chain } from "./graphs.ts";
import type { Figure } from "./measure.ts";
import { quantile } from "./statistics.ts";

/** As many bytes as the journal of one call of three steps. */
const COMMIT_BYTES = 4096;
const COMMITS = 400;

/**
 * One caller waits for the disk: a durable call cannot be faster than one write that reaches the disk plus one request
 * and response. Prints all three times.
 */
export async function measureOneCaller({ client, service, seconds, dataDir, echo }: Bench): Promise<void> {
  const call = await client.publish("one-caller", chain(3), true);
  const [echoed, called] = (await alternate([
    { ...echo, connections: 1 },
    {
      url: `${service.address}/api/workflows/public/${call}`,
      processes: () => [service.pid],
      connections: 1,
      seconds,
      headers: client.apiKey,
      body: INPUT,
    },
  ])) as [Figure, Figure];
  const syncMs = commitMs(dataDir);
  const [echoMs, callMs] = [1000 / echoed.perSecond, 1000 / called.perSecond];
  console.log("\n| One caller | ms |\n|---|---|");
  console.log(`| write and fdatasync of ${COMMIT_BYTES} bytes (median) | ${syncMs.toFixed(3)} |`);
  console.log(`| Fastify echo | ${echoMs.toFixed(3)} |`);
  console.log(
    `| synchronous call, three transforms | ${callMs.toFixed(3)}, ${(callMs / (syncMs + echoMs)).toFixed(2)} × both |`,
  );
}

/** The median time until the disk has an appended block. */
function commitMs(folder: string): number {
  const file = openSync(join(folder, "fdatasync"), "w");
  const block = Buffer.alloc(COMMIT_BYTES, 1);
  const times: number[] = [];
  for (let count = 0; count < COMMITS; count++) {
    const began = performance.now();
    writeSync(file, block);
    fdatasyncSync(file);
    times.push(performance.now() - began);
  }
  closeSync(file);
  return quantile(times, 0.5);
}
