import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startChild } from "../test/chaos/child-service.ts";
import { type Bench, printHeader } from "./bench.ts";
import { measureCalls } from "./calls.ts";
import { measureEchoes } from "./echoes.ts";
import { HISTORY, measureHistory } from "./history.ts";
import { writeHistory } from "./history-file.ts";
import { measureOneCaller } from "./one-caller.ts";
import { measurePeers } from "./peers.ts";
import { measurePostgres } from "./postgres.ts";
import { residentMb } from "./process-cost.ts";
import { signIn } from "./service-client.ts";
import { fillWithApprovals, measureSizes, WAITING } from "./sizes.ts";

/** `npm run bench [-- --seconds 5 --history --postgres --peers]`: prints figures and ratios of one run as Markdown tables. */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "5" },
      history: { type: "boolean", default: false },
      postgres: { type: "boolean", default: false },
      peers: { type: "boolean", default: false },
    },
  });
  const seconds = Number(values.seconds);
  const [cpu] = cpus();
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${new Date().toISOString()}, load before ${loadavg()[0]!.toFixed(2)}\n`,
  );
  printHeader();
  const echoes = await measureEchoes(seconds);
  await startOnce();
  const dataDir = mkdtempSync(join(tmpdir(), "baton-bench-"));
  let service = await startChild({ DATA_DIR: dataDir, LOG_LEVEL: "info" });
  try {
    await sleep(1500);
    const rest = { startMs: service.readyMs, restMb: residentMb(service.pid) };
    let bench: Bench = {
      seconds,
      dataDir,
      service,
      client: await signIn(service.address),
      floor: echoes.perSecond,
      echo: echoes.echo,
    };
    await measureCalls(bench, echoes.echoUrl);
    await measureOneCaller(bench);
    const sizes = await measureSizes(bench);
    const loadedMb = residentMb(service.pid);
    await fillWithApprovals(bench);
    const stopped = performance.now();
    await service.end("SIGTERM");
    const stopMs = performance.now() - stopped;
    service = await startChild({ DATA_DIR: dataDir });
    await sleep(1500);
    console.log("\n| What | Figure |\n|---|---|");
    const rows: [string, string][] = [
      ["start to the first `/ready`", `${Math.round(rest.startMs)} ms`],
      ["resident at rest", `${rest.restMb.toFixed(0)} MB`],
      ["resident after the calls above", `${loadedMb.toFixed(0)} MB`],
      [`stop with SIGTERM, ${WAITING} approvals waiting`, `${Math.round(stopMs)} ms`],
      [`start with ${WAITING} approvals waiting`, `${Math.round(service.readyMs)} ms`],
      [`resident at rest with ${WAITING} approvals waiting`, `${residentMb(service.pid).toFixed(0)} MB`],
      ...sizes,
    ];
    for (const [name, figure] of rows) console.log(`| ${name} | ${figure} |`);
    if (values.history) {
      await service.end("SIGTERM");
      writeHistory(dataDir, HISTORY);
      service = await startChild({ DATA_DIR: dataDir });
      bench = { ...bench, service, client: await signIn(service.address) };
      await measureHistory(bench);
    }
  } finally {
    await service.end("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  }
  if (values.postgres) await measurePostgres(seconds, echoes.echoUrl);
  if (values.peers) await measurePeers(seconds);
  echoes.stop();
  console.log(`\nLoad after: ${loadavg()[0]!.toFixed(2)}`);
}

/** The first start of a build compiles the service and stores the code, which every later start loads. */
async function startOnce(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "baton-bench-"));
  try {
    const service = await startChild({ DATA_DIR: dataDir });
    await service.end("SIGTERM");
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
