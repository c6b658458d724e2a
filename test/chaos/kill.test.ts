import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { ensureBuilt } from "../support/service-process.ts";
import { runChaos } from "./chaos.ts";

beforeAll(ensureBuilt);

// A slice of `npm run chaos` with a fixed seed; the nightly checks inject a thousand faults.
test("[R1] repeated kill -9 under load: nothing acknowledged is lost, no recorded step is executed again", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "baton-chaos-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const report = await runChaos({
    dataDir,
    seed: 20_261_115,
    faults: 5,
    maxMs: Infinity,
    callsPerSecondFault: 11,
  });
  expect(report).toMatchObject({ lost: [], faults: [] });
  expect(report.kills).toBeGreaterThan(2);
  expect(report.accepted).toBeGreaterThan(25);
}, 300_000);
