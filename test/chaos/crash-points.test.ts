import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildCrashChild, crashModes, sweepCrashes } from "./crash-sweep.ts";

const folders = mkdtempSync(join(tmpdir(), "baton-crash-"));
beforeAll(buildCrashChild);
afterAll(() => rmSync(folders, { recursive: true, force: true }));

// `npm run chaos` sweeps every point; this test sweeps a slice, a different one for each crash mode.
test.each(crashModes)(
  "a run whose process crashes at a write (%s) continues where its journal ends",
  async (mode) => {
    const stride = mode === "unsynced" ? 6 : 13;
    const { processes, faults } = await sweepCrashes(
      join(folders, mode),
      mode,
      crashModes.indexOf(mode) + 1,
      stride,
    );
    expect(faults).toEqual([]);
    expect(processes).toBeGreaterThan(5);
  },
  // Each point starts a process: on a busy machine they take several seconds each.
  300_000,
);
