import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Engine, RunnableWorkflow } from "../engine-api.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import { isFinal, type StepResult } from "../tasks/task.ts";
import { AppError } from "../../lib/errors.ts";
import { SUCCESS_TRANSITIONS } from "../../../test/support/task-transitions.ts";
import type { CrashPoint } from "../testing/crash-point.ts";
import { crashingStore } from "../testing/crashing-store.ts";
import { type Bench, openBench } from "../testing/open-engine.ts";
import { graphArbitrary } from "../testing/random-graph.ts";
import { pathOf } from "../testing/entry-samples.ts";

// Retries wait seconds, so the clock is advanced by hand; everything else is real.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** A run that fails cancels its sub-workflows, which wait or, after a crash, are queued. */
const FAILURE_TRANSITIONS = ["running>failed", "waiting>cancelled", "queued>cancelled"];
const allowedTransitions = new Set([...SUCCESS_TRANSITIONS, ...FAILURE_TRANSITIONS]);

test("a run that crashes at any write ends like the same run without faults", async () => {
  const repeated: string[] = [];
  const bench = await openBench({
    async http({ taskId, path, attempt, fields }) {
      const { fails, value } = fields["body"] as { fails: number; value: string };
      const recorded = (await bench.store.heads(taskId)).some(
        (entry) => entry.kind === "step" && entry.path === path,
      );
      if (recorded) repeated.push(`${taskId} ${path}`);
      if (attempt <= fails) throw new AppError("http_error", `attempt ${attempt}`);
      return { output: value };
    },
  });
  await logMoves(bench);
  bench.workflow("sub", {
    steps: [
      { stepId: "a", type: "transform", template: "{{input.n}}" },
      { stepId: "nap", type: "delay", seconds: "{{input.n}}" },
      { stepId: "b", type: "transform", template: "sub {{steps.a.output}}" },
    ],
    edges: [],
  });
  const crashes = fc.array(fc.record({ write: fc.nat(12), stored: fc.boolean() }), {
    minLength: 1,
    maxLength: 2,
  });
  let count = 0;

  await fc.assert(
    fc.asyncProperty(graphArbitrary, crashes, async (graph, points) => {
      const workflow = bench.workflow(`wf_${count++}`, graph);
      const calm = await runToEnd(bench, workflow, []);
      const stormy = await runToEnd(bench, workflow, points);

      expect(stormy.status).toBe(calm.status);
      if (calm.status === "completed") {
        expect(stormy.result).toEqual(calm.result);
        expect(summary(stormy.stepResults)).toEqual(summary(calm.stepResults));
      }
      expect(stormy.journal.map(({ seq }) => seq)).toEqual(stormy.journal.map((_, i) => i + 1));
      const ended = stormy.journal.filter(({ kind }) => kind === "step").map(pathOf);
      expect(ended).toEqual([...new Set(ended)]);
      expect(repeated).toEqual([]);
    }),
    { numRuns: 200, seed: 20_260_101 },
  );
  const moves = await bench.db.query<{ move: string }>("select distinct move from moves");
  expect(moves.map(({ move }) => move).filter((move) => !allowedTransitions.has(move))).toEqual([]);
});

/** Every status change, as recorded by a trigger. */
async function logMoves({ db }: Bench): Promise<void> {
  await db.batch([
    { sql: "create table moves (move text)" },
    {
      sql: `create trigger note_moves after update of status on task when old.status <> new.status
            begin insert into moves values (old.status || '>' || new.status); end`,
    },
  ]);
}

async function runToEnd(bench: Bench, workflow: RunnableWorkflow, points: readonly CrashPoint[]) {
  let engine: Engine;
  let crashed = false;
  const crashes = [...points];
  async function nextLife(): Promise<void> {
    crashed = false;
    const point = crashes.shift();
    const never = { write: Infinity, stored: true };
    engine = await bench.engine({
      store: crashingStore(bench.store, point ?? never, () => (crashed = true)),
    });
  }
  await nextLife();
  // The first write is the insert: a caller without a response calls again.
  let taskId = "";
  const idempotency = { scope: workflow.id, key: points.length === 0 ? "calm" : "stormy", bodyHash: "" };
  const start = (): void => {
    void engine
      .start({ workflow, trigger: "manual", input: {}, idempotency })
      .then((started) => (taskId = started.taskId));
  };
  start();
  for (let turn = 0; turn < 20_000; turn += 1) {
    if (crashed) {
      await nextLife();
      if (taskId === "") start();
    }
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(25);
    if (taskId === "" || turn % 5 !== 0) continue;
    const task = (await bench.store.task(taskId))!;
    if (isFinal(task.status) && !crashed) {
      const { stepResults } = (await engine!.read(taskId))!;
      const journal: JournalEntry[] = await bench.store.entries(taskId, 0, 10_000);
      void engine!.close();
      return { status: task.status, result: task.result, stepResults, journal };
    }
    if (task.status === "waiting_approval") void approve(engine!, taskId);
  }
  throw new Error(
    `the run did not end: ${JSON.stringify({ workflow, points, task: await bench.store.task(taskId) })}`,
  );
}

async function approve(engine: Engine, taskId: string): Promise<void> {
  const decision = { decision: "approve", comment: null, data: null, decidedBy: "user_1" } as const;
  await engine.decide(taskId, decision).catch(() => undefined);
}

function summary(results: readonly StepResult[]) {
  const byId = results.map(({ stepId, status, output, error, attempts }) => [
    stepId,
    { status, output, code: error?.code, attempts },
  ]);
  return Object.fromEntries(byId) as Record<string, unknown>;
}
