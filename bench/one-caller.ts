import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { alternate } from "./alternate.ts";
import { type Bench, INPUT } from "./bench.ts";
import { startEcho } from "./echoes.ts";
import { chain } from "./graphs.ts";
import type { Figure } from "./measure.ts";
import { quantile } from "./statistics.ts";

/** As many bytes as the journal of one call of three steps. */
const COMMIT_BYTES = 4096;
const COMMITS = 400;

/**
 * One caller waits for the disk: a durable call cannot be faster than one write that reaches the disk plus one request
 * and response. Prints all three times, and that of a bare handler that stores its body as one row.
 */
export async function measureOneCaller({ client, service, seconds, dataDir, echo }: Bench): Promise<void> {
  const call = await client.publish("one-caller", chain(3), true);
  const storing = await startEcho("storing");
  const [echoed, stored, called] = (await alternate([
    { ...echo, connections: 1 },
    { ...echo, url: storing.address, processes: () => [storing.pid], connections: 1 },
    {
      url: `${service.address}/api/workflows/public/${call}`,
      processes: () => [service.pid],
      connections: 1,
      seconds,
      headers: client.apiKey,
      body: INPUT,
    },
  ])) as [Figure, Figure, Figure];
  storing.stop();
  const syncMs = commitMs(dataDir);
  const [echoMs, storedMs, callMs] = [echoed, stored, called].map(({ perSecond }) => 1000 / perSecond) as [
    number,
    number,
    number,
  ];
  const relative = (ms: number): string => `${ms.toFixed(3)}, ${(ms / (syncMs + echoMs)).toFixed(2)} × both`;
  console.log("\n| One caller | ms |\n|---|---|");
  console.log(`| write and fdatasync of ${COMMIT_BYTES} bytes (median) | ${syncMs.toFixed(3)} |`);
  console.log(`| Fastify echo | ${echoMs.toFixed(3)} |`);
  console.log(
    `| bare Fastify handler that stores one row in SQLite and waits for the disk | ${relative(storedMs)} |`,
  );
  console.log(`| synchronous call, three transforms | ${relative(callMs)} |`);
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
