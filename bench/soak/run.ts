import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startChild } from "../../test/chaos/child-service.ts";
import { startSoakLoad } from "./load.ts";
import { mean, quantile } from "../statistics.ts";
import { growthOf, type Sample, takeSample } from "./samples.ts";

const SAMPLE_MS = 5000;
/** Share of the run that is ignored while caches fill and the heap settles. */
const WARM_UP_SHARE = 1 / 3;
/** Limits for the time after the warm-up. */
const MAX_MEMORY_GROWTH = 0.1;
const MAX_FILES_GROWTH = 10;
const MAX_LAG_P99_MS = 50;

/** `npm run soak -- --minutes 30 --per-second 40`: exits with 1 if memory or files grow, the event loop lags, or a call fails. */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "30" },
      "per-second": { type: "string", default: "40" },
    },
  });
  const minutes = Number(values.minutes);
  const dataDir = mkdtempSync(join(tmpdir(), "baton-soak-"));
  const echo = await startEcho();
  const service = await startChild({ DATA_DIR: dataDir, LOG_LEVEL: "error" });
  console.log(
    `${minutes} minutes, ${values["per-second"]} actions per second, ${new Date().toISOString()}\n`,
  );
  try {
    const load = await startSoakLoad(service.address, echo.url, Number(values["per-second"]));
    const samples = await sampleFor(service.address, minutes * 60_000);
    await load.stop();
    print(samples, load.counts, load.failures);
  } finally {
    const code = await service.end("SIGTERM");
    if (code !== 0) fail(`The service exited with ${code}.`);
    echo.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function sampleFor(address: string, durationMs: number): Promise<Sample[]> {
  const startedAt = Date.now();
  const samples: Sample[] = [];
  await takeSample(address, startedAt);
  while (Date.now() - startedAt < durationMs) {
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    samples.push(await takeSample(address, startedAt));
  }
  return samples;
}

function print(samples: Sample[], counts: ReadonlyMap<string, number>, failures: readonly string[]): void {
  const every = Math.max(1, Math.floor(samples.length / 15));
  console.log(
    "| minute | resident MB | heap MB | open files | event-loop lag p99 ms |\n|---|---|---|---|---|",
  );
  for (const [index, it] of samples.entries())
    if (index % every === 0)
      console.log(
        `| ${(it.atMs / 60_000).toFixed(1)} | ${Math.round(it.residentMb)} | ${Math.round(it.heapMb)} | ${it.openFiles} | ${it.lagP99Ms.toFixed(1)} |`,
      );
  console.log("\n| Action | Completed |\n|---|---|");
  for (const [name, count] of counts) console.log(`| ${name} | ${count} |`);

  const steady = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const resident = growthOf(steady, "residentMb");
  const heap = growthOf(steady, "heapMb");
  const files = growthOf(steady, "openFiles");
  const lags = steady.map(({ lagP99Ms }) => lagP99Ms);
  const lag = quantile(lags, 0.5);
  const residentMean = mean(steady.map(({ residentMb }) => residentMb));
  console.log(`
After the first third: resident ${signed(resident)} MB of ${Math.round(residentMean)} (flat: under ${MAX_MEMORY_GROWTH * 100} %), heap ${signed(heap)} MB, open files ${signed(files)} (flat: under ${MAX_FILES_GROWTH}), lag p99 ${lag.toFixed(1)} ms in the median of five seconds (at most ${MAX_LAG_P99_MS}) and ${quantile(lags, 1).toFixed(1)} in the worst, failures ${failures.length}.
`);
  for (const line of failures.slice(0, 10)) console.log(line);
  if (!(resident < residentMean * MAX_MEMORY_GROWTH)) fail("Memory grows beyond the limit.");
  if (!(files < MAX_FILES_GROWTH)) fail("Open files grow beyond the limit.");
  if (!(lag <= MAX_LAG_P99_MS)) fail("The event loop lags beyond the limit.");
  if (failures.length > 0) fail("Calls failed.");
  if (process.exitCode !== 1) console.log("Flat.");
}

function fail(reason: string): void {
  console.log(reason);
  process.exitCode = 1;
}

const signed = (value: number): string => `${value >= 0 ? "+" : ""}${value.toFixed(1)}`;

async function startEcho(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    response.setHeader("content-type", request.headers["content-type"] ?? "text/plain");
    request.pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
