import { beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../support/service-process.ts";
import { runClusterChaos } from "./cluster-chaos.ts";
import { faultKinds } from "./cluster-faults.ts";
import { runFourth } from "./fourth-process.ts";
import { temporaryData } from "./service.ts";

beforeAll(ensureBuilt);

// A slice of `npm run chaos -- --postgres` with a fixed seed.
test("[R2] three processes and their server under faults of seven kinds: nothing lost, nothing repeated, no gap", async () => {
  const report = await runClusterChaos({
    folder: temporaryData(),
    seed: 20_261_115,
    faults: faultKinds.length,
    // No limit: on a busy machine the faults take longer, and every kind must be injected.
    maxMs: Infinity,
    maxPauseMs: 1500,
    leaseMs: 2000,
    // Half of the CPU time of the default; slow steps are in flight at every fault all the same.
    callPauseMs: 300,
    slowMs: { min: 500, max: 3000 },
  });
  expect(report).toMatchObject({ lost: [], repeated: [], wrong: [] });
  expect(new Set(report.injected.map(({ kind }) => kind))).toEqual(new Set(faultKinds));
  expect(report.accepted).toBeGreaterThan(50);
  expect(report.sessions).toBeGreaterThan(2);
}, 300_000);

test("a worker that joins full workers claims tasks", async () => {
  const { queued, taken } = await runFourth(temporaryData());
  expect(queued).toBeGreaterThan(0);
  expect(taken).toBeGreaterThan(0);
}, 120_000);
