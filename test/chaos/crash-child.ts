import { limitsOf } from "../../server/limits/testing/limits-of.ts";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Graph } from "../../contract/graph.ts";
import { createEngine } from "../../server/engine/engine.ts";
import type { RunnableWorkflow } from "../../server/engine/engine-api.ts";
import type { StepRunner } from "../../server/engine/run/step-runner.ts";
import type { EngineStore } from "../../server/engine/store.ts";
import { createBlobs } from "../../server/lib/blob-store.ts";
import { createId } from "../../server/lib/ids.ts";
import { TASK_LANE } from "../../server/engine/worker/lane.ts";
import { createWaitEventStore } from "../../server/wait-events/wait-event.sql.ts";
import { AppError } from "../../server/lib/errors.ts";
import { createConditionRunner } from "../../server/steps/condition.ts";
import { inlinePatterns } from "../../server/steps/testing/test-expressions.ts";
import { createSwitchRunner } from "../../server/steps/switch.ts";
import { createEngineStore } from "../../server/storage/engine/engine-store.ts";
import { createFolderStores } from "../../server/storage/files/folder-store.ts";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openSqlite } from "../../server/storage/sqlite/sqlite-db.ts";
import { edge, transformStep as value } from "../support/graphs.ts";

/** Where the process crashes: before the Nth call of the store or the blobs, after it but before it returns, or between commit and sync. */
export type CrashMode = "before" | "after" | "unsynced";

export interface CrashPlan {
  folder: string;
  mode: CrashMode;
  /** Infinity does not crash. */
  at: number;
  /** The run that this process starts after it has completed the earlier ones. */
  run: number;
}

/** Every kind of step that a crash can interrupt, and a failure that is rerun. */
const main: Graph = {
  steps: [
    value("start", "{{input.n}}"),
    { stepId: "call", type: "http", url: "http://x", maxRetries: 2 },
    { stepId: "big", type: "http", url: "http://x" },
    { stepId: "is", type: "condition", left: "{{steps.start.output}}", operator: "exists", right: null },
    { stepId: "never", type: "http", url: "http://x" },
    { stepId: "nap", type: "delay", seconds: 60 },
    {
      stepId: "each",
      type: "foreach",
      items: [1, 2, 3],
      concurrency: 2,
      steps: [{ stepId: "item", type: "http", url: "http://x" }],
    },
    {
      stepId: "until",
      type: "while",
      left: "{{index}}",
      operator: "lt",
      right: 3,
      steps: [
        { stepId: "turn", type: "http", url: "http://x" },
        { stepId: "rest", type: "delay", seconds: 5 },
        value("seen", "{{item}}{{index}}"),
      ],
    },
    { stepId: "event", type: "wait_event", event: "go", key: "{{input.n}}", timeoutMs: 3_600_000_000 },
    { stepId: "sub", type: "workflow", workflowId: "wf_inner", input: { n: 1 } },
    { stepId: "ask", type: "approval", message: "Go on?" },
    { stepId: "fragile", type: "file", action: "read", path: "x" },
    value("end", [
      "{{steps.call.output}}",
      "{{steps.each.output}}",
      "{{steps.sub.output}}",
      "{{steps.until.output}}",
      "{{steps.event.output.data}}",
      "{{steps.ask.output.decision}}",
      "{{steps.fragile.output}}",
    ]),
  ],
  edges: [
    edge("start", "call"),
    edge("start", "is"),
    edge("start", "big"),
    edge("is", "nap", { condition: "true" }),
    edge("is", "never", { condition: "false" }),
    edge("start", "until"),
    edge("until", "event"),
    edge("event", "ask"),
    edge("nap", "each"),
    edge("never", "each"),
    edge("call", "sub"),
    edge("each", "ask"),
    edge("sub", "ask"),
    edge("big", "ask"),
    edge("ask", "fragile"),
    edge("fragile", "end"),
  ],
};
const inner: Graph = {
  steps: [
    { stepId: "deep", type: "http", url: "http://x" },
    { stepId: "rest", type: "delay", seconds: 30 },
    value("out", "{{steps.deep.output}}"),
  ],
  edges: [edge("deep", "rest"), edge("rest", "out")],
};

export const EXPECTED = JSON.stringify([
  "call",
  ["each[0]/item", "each[1]/item", "each[2]/item"],
  "deep",
  { iterations: 3, last: "012" },
  "went",
  "approve",
  "fragile",
]);
const BIG = "x".repeat(300_000);
/** Each event is a crash point: sent all the time, they would end every process before a task in quarantine may run. */
const EVENT_EVERY_MS = 50;

/** Runs until the crash, or prints the number of crash points it passed. */
async function live({ folder, mode, at, run }: CrashPlan): Promise<void> {
  let passed = 0;
  const crash = (): never => process.kill(process.pid, "SIGKILL") as never;
  const db = openSqlite({
    folder,
    sync: async () => {
      if (mode === "unsynced" && ++passed >= at) crash();
    },
  });
  await migrate(db, migrations, 0);

  /** Wraps every function: each call is a crash point. */
  function mortal<T extends object>(parts: T): T {
    const wrap =
      (call: (...args: unknown[]) => Promise<unknown>) =>
      async (...args: unknown[]) => {
        const crashes = mode !== "unsynced" && ++passed >= at;
        if (crashes && mode === "before") crash();
        const answer = await call(...args);
        if (crashes) crash();
        return answer;
      };
    return Object.fromEntries(Object.entries(parts).map(([name, call]) => [name, wrap(call as never)])) as T;
  }

  const executions = join(folder, "executions.log");
  const executed = (key: string): number =>
    existsSync(executions)
      ? readFileSync(executions, "utf8")
          .split("\n")
          .filter((line) => line === key).length
      : 0;
  const before = new Set(
    (await db.query("select task_id, path from journal where kind = 'step' and status = 'completed'")).map(
      (row) => `${row["task_id"]}:${row["path"]}`,
    ),
  );
  const outside: StepRunner = {
    async run({ idempotencyKey, path, attempt }) {
      if (before.has(idempotencyKey)) appendFileSync(executions, `REPEATED ${idempotencyKey}\n`);
      appendFileSync(executions, `${idempotencyKey}\n`);
      if (path === "call" && attempt === 1) throw new AppError("http_error", "Try again.");
      if (path === "fragile" && executed(idempotencyKey) === 1)
        throw new AppError("http_error", "The first attempt fails.");
      return { output: path === "big" ? BIG : path };
    },
  };

  // Waits take no time: the clock jumps to the next due time.
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead, monotonic: () => performance.now() };
  const stored = createEngineStore(db);
  const store: EngineStore = mortal({
    ...stored,
    async pollDue(limit, now, lane) {
      const { due, next } = await stored.pollDue(limit, now, lane);
      // Tasks that are due already come first.
      if (next !== null && due.length === 0) ahead += Math.max(0, next - clock.now());
      return { due, next };
    },
  });
  const workflow = (id: string): RunnableWorkflow => ({
    id,
    ownerId: "user",
    name: id,
    version: 1,
    graph: id === "wf_inner" ? inner : main,
  });
  const engine = await createEngine({
    limits: limitsOf(),
    store,
    blobs: mortal(createBlobs(createFolderStores(folder).area("blobs"))),
    clock,
    runners: new Map([
      ["http", outside],
      ["file", outside],
      ["transform", { run: async ({ fields }) => ({ output: fields["template"] ?? null }) }],
      ["condition", createConditionRunner({ expressions: inlinePatterns })],
      ["switch", createSwitchRunner()],
    ]),
    approvalUrl: (linkId) => `http://127.0.0.1/a/${linkId}`,
    resumeUrl: (taskId, path) => `http://127.0.0.1/resume/${taskId}/${path}`,
    evaluate: () => Promise.reject(new Error("There is no sandbox in this process.")),
    vault: { variables: async () => ({}), secrets: async () => ({}) },
    loadWorkflow: async (id) => workflow(id),
    currentWorkflow: async (_owner, id) => workflow(id),
    concurrency: 8,
    closeGraceMs: 10_000,
    onError: (error, what) => console.error(what, error),
  });
  engine.claimTasks();

  const events = mortal(createWaitEventStore(db));
  /** The same event again and again, at first before any step waits for it. */
  async function sendEvent(n: number): Promise<void> {
    const now = clock.now();
    const { taskId } = await events.send(
      {
        id: createId("evt", now),
        ownerId: "user",
        name: "go",
        key: String(n),
        data: '"went"',
        sentId: String(n),
        createdAt: now,
        expiresAt: now + 366 * 24 * 3_600_000,
      },
      { events: 1000, bytes: 1_000_000 },
    );
    if (taskId !== undefined) engine.nudge(taskId, TASK_LANE);
  }

  if (run % 2 === 0) await sendEvent(run);
  await engine.start({
    workflow: workflow("wf_main"),
    trigger: "api",
    input: { n: run },
    idempotency: { scope: "crash", key: String(run), bodyHash: "same" },
  });
  appendFileSync(join(folder, "accepted.log"), `${run}\n`);
  const sentAt = new Map<string, number>();
  for (;;) {
    const open = await db.query<{ id: string; status: string; input: string }>(
      "select id, status, input from task where status <> 'completed' and parent_task_id is null order by id",
    );
    if (open.length === 0) break;
    for (const { id, status, input } of open) {
      if (status === "waiting" && performance.now() - (sentAt.get(id) ?? -EVENT_EVERY_MS) >= EVENT_EVERY_MS) {
        sentAt.set(id, performance.now());
        await sendEvent((JSON.parse(input) as { n: number }).n);
      }
      // Another iteration of this loop decided or reran it meanwhile; the next one checks again.
      if (status === "waiting_approval")
        await engine
          .decide(id, { decision: "approve", comment: null, data: null, decidedBy: "user" })
          .catch(expectAppError);
      if (status === "failed") await engine.rerunFromFailed(id).catch(expectAppError);
    }
    await sleep(1);
  }
  await engine.close();
  await db.close();
  console.log(`passed ${passed}`);
}

function expectAppError(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}

// The file is also imported for its types and its constant: it runs only with a plan on the command line.
const plan = process.argv[2];
if (plan?.startsWith("{") === true) await live(JSON.parse(plan) as CrashPlan);
