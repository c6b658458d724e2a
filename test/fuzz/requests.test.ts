import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startChild } from "../chaos/child-service.ts";
import { linkLocalModel } from "../support/local-model.ts";
import { ensureBuilt } from "../support/service-process.ts";
import { runFuzz } from "./fuzz.ts";
import { fuzzSettings } from "./settings.ts";

beforeAll(ensureBuilt, 60_000);

/** Well above the embedding model and Node's heap; a leak per request would exceed it. */
const MOST_RESIDENT_MB = 900;

// A short run of `npm run fuzz`, which chooses a random seed, with a fixed one.
const SEED = 20_261_115;

test("[S13] [S28] generated requests of both users and of anonymous callers get no 5xx, only the error shape, and no data of the other user", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "baton-fuzz-"));
  await linkLocalModel(dataDir);
  const service = await startChild({ DATA_DIR: dataDir, ...fuzzSettings });
  onTestFinished(async () => {
    await service.end("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  });
  const report = await runFuzz({
    address: service.address,
    pid: service.pid,
    seed: SEED,
    maxRequests: 200,
    maxMs: 240_000,
    // Latency is measured by `npm run fuzz` on an idle machine; here only a hang fails.
    slowestMs: 30_000,
  });
  expect(report.failure).toBeUndefined();
  expect(report.requests).toBeGreaterThan(100);
  expect(report.residentMb).toBeLessThan(MOST_RESIDENT_MB);
  expect((await fetch(`${service.address}/ready`)).status).toBe(200);
}, 300_000);
