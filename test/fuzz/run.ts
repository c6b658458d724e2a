import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startChild } from "../chaos/child-service.ts";
import { runFuzz } from "./fuzz.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { fuzzSettings } from "./settings.ts";

const KEYS = {
  JWT_SECRET: "of a fuzzed service, and of no other",
  ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
};

/**
 * `npm run fuzz -- --seed 7 --minutes 5 [--postgres]`: exits with 1 at the first invalid response. `--requests 100000` in
 * place of `--minutes` sends so many, however long it takes. `--lanes 1` sends one at a time: a seed then repeats a run.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
      minutes: { type: "string" },
      requests: { type: "string" },
      lanes: { type: "string", default: "4" },
      "slowest-ms": { type: "string", default: "2000" },
      postgres: { type: "boolean", default: false },
    },
  });
  const dataDir = mkdtempSync(join(tmpdir(), "baton-fuzz-"));
  const server = values.postgres ? await startPostgres() : undefined;
  const service = await startChild({
    DATA_DIR: dataDir,
    ...fuzzSettings,
    ...(server === undefined ? {} : { ...KEYS, DATABASE_URL: server.url }),
  });
  const { requests, minutes = requests === undefined ? "5" : undefined } = values;
  console.log(
    `seed ${values.seed}${requests === undefined ? "" : `, ${requests} requests`}${minutes === undefined ? "" : `, at most ${minutes} minutes`}`,
  );
  try {
    const { failure, byStatus, neverOk, notRestored, ...report } = await runFuzz({
      address: service.address,
      pid: service.pid,
      seed: Number(values.seed),
      ...(requests !== undefined && { maxRequests: Number(requests) }),
      maxMs: minutes === undefined ? undefined : Number(minutes) * 60_000,
      slowestMs: Number(values["slowest-ms"]),
      lanes: Number(values.lanes),
      onProgress: (count) => console.log(`${new Date().toISOString()} ${count} requests`),
    });
    console.log(`
| requests | slowest | resident at the end |
|---|---|---|
| ${report.requests} | ${Math.round(report.slowest.ms)} ms, ${report.slowest.operation} | ${Math.round(report.residentMb)} MB |

| status | responses |
|---|---|
${Object.entries(byStatus)
  .map(([status, count]) => `| ${status} | ${count} |`)
  .join("\n")}
`);
    for (const [reason, count] of Object.entries(notRestored))
      console.log(`Not restored, ${count} times: ${reason}`);
    if (neverOk.length > 0) console.log(`Never successful: ${neverOk.join(", ")}\n`);
    if (failure === undefined) return;
    console.log(
      `Failed, seed ${values.seed}:\n${failure}\n\nEnd of the log:\n${service.output().slice(-3000)}`,
    );
    process.exitCode = 1;
  } finally {
    await service.end("SIGTERM");
    await server?.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
