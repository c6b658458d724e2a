import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CrashMode, type CrashPlan, EXPECTED } from "./crash-child.ts";
import { changesOf, faultsOf, type History, readHistory } from "./history.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundle = join(root, "dist", "test", "crash-child.js");
beforeAll(() =>
  build({
    absWorkingDir: root,
    entryPoints: ["test/chaos/crash-child.ts"],
    outfile: bundle,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
  }),
);

const folders = mkdtempSync(join(tmpdir(), "baton-crash-"));
afterAll(() => rmSync(folders, { recursive: true, force: true }));

interface Life {
  killed: boolean;
  output: string;
}

function live(plan: CrashPlan): Promise<Life> {
  return new Promise((resolve) => {
    execFile(process.execPath, [bundle, JSON.stringify(plan)], { timeout: 20_000 }, (error, stdout, stderr) => {
      resolve({ killed: error?.signal === "SIGKILL" && !error.message.includes("ETIMEDOUT"), output: stdout + stderr });
    });
  });
}

// Every life first ends what the one before left behind, then runs into its own crash one point further.
test.concurrent.each(["before", "after", "unsynced"] as const satisfies CrashMode[])(
  "a run that dies at any point (%s the call) goes on where its journal ends",
  async (mode) => {
    const folder = join(folders, mode);
    let before: History = { tasks: new Map(), entries: new Map() };
    let lives = 0;
    for (let at = 1; ; at++) {
      lives += 1;
      const life = await live({ folder, mode, at, run: lives });
      const history = readHistory(folder);
      expect([...faultsOf(history, new Map()), ...changesOf(before, history)]).toEqual([]);
      before = history;
      if (life.killed) continue;
      expect(life.output).toMatch(/^passed \d+\n$/);
      break;
    }
    expect(lives).toBeGreaterThan(20);
    const main = [...before.tasks.values()].filter(({ workflowId }) => workflowId === "wf_main");
    expect(new Set(main.map(({ status }) => status))).toEqual(new Set(["completed"]));
    expect(new Set(main.map(({ result }) => JSON.stringify(JSON.parse(result ?? "{}").output)))).toEqual(new Set([EXPECTED]));
    // Whatever was acknowledged is there, once.
    const inputs = main.map(({ input }) => (JSON.parse(input) as { n: number }).n);
    expect(new Set(inputs).size).toBe(inputs.length);
    const acknowledged = readFileSync(join(folder, "accepted.log"), "utf8").trim().split("\n").map(Number);
    expect(inputs).toEqual(expect.arrayContaining([...new Set(acknowledged)]));
    expect(readFileSync(join(folder, "executions.log"), "utf8")).not.toContain("REPEATED");
  },
  120_000,
);
