import { expect, onTestFinished, test } from "vitest";
import type { PublicChatEvent } from "../../../contract/public-chat.ts";
import { openTestDb } from "../../../test/support/open-db.ts";
import { createLiveAnswers } from "../../agents/live-answers.ts";
import type { StartTask, TaskWithSteps } from "../../engine/engine-api.ts";
import { systemClock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { limitReached } from "../../limits/limit-reached.ts";
import type { CurrentWorkflow } from "../../workflows/runnable-workflow.sql.ts";
import { insertOwners, insertTrigger } from "../testing/trigger-samples.ts";
import { type ChatRecord, createChats } from "./chats.ts";
import { createExchangeStore } from "./exchange.sql.ts";

const WORKFLOW = {
  id: "wf_1",
  ownerId: "user_1",
  isActive: true,
  graph: { steps: [{ stepId: "a", type: "llm", prompt: "" }], edges: [] },
} as unknown as CurrentWorkflow;
const CHAT = { id: "trg_1", ownerId: "user_1", workflowId: "wf_1", settings: {} } as ChatRecord;
const completed = { task: { status: "completed", result: { output: "Yes." } }, stepResults: [] };
const going = new AbortController().signal;

async function open({ workflow = WORKFLOW } = {}) {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  await insertOwners(db);
  await insertTrigger(db, "trg_1");
  const started: StartTask[] = [];
  const reads: string[] = [];
  const liveAnswers = createLiveAnswers();
  /** What a test changes. */
  const engine = {
    start: (_request: StartTask): Promise<void> => Promise.resolve(),
    settled: () => Promise.resolve(completed as unknown as TaskWithSteps),
  };
  const chats = createChats({
    store: { findBySlug: () => Promise.resolve(CHAT) },
    exchanges: createExchangeStore(db),
    engine: {
      async start(request) {
        await engine.start(request);
        started.push(request);
        return { taskId: `task_${started.length}`, status: "queued", existing: false };
      },
      settled: () => engine.settled(),
      read(taskId) {
        reads.push(taskId);
        return Promise.resolve(completed as unknown as TaskWithSteps);
      },
    },
    currentWorkflow: () => Promise.resolve(workflow),
    liveAnswers,
    limits: { exceeds: () => false, max: () => 0, refuse: limitReached },
    clock: systemClock,
  });
  async function send(messageId: string): Promise<PublicChatEvent[]> {
    const events: PublicChatEvent[] = [];
    const given = { conversationId: "c", messageId, message: messageId };
    await chats.answer(CHAT, "c", given, { emit: (event) => void events.push(event), signal: going });
    return events;
  }
  const statuses = async () =>
    (await db.query("select status from chat_exchange order by id")).map(({ status }) => status);
  return { db, chats, engine, started, reads, liveAnswers, send, statuses };
}

test("a message that a paused workflow refuses is not stored", async () => {
  const { send, statuses } = await open({ workflow: { ...WORKFLOW, isActive: false } });
  await expect(send("m")).rejects.toMatchObject({ code: "workflow_paused" });
  expect(await statuses()).toEqual([]);
});

test("a message whose run cannot start is failed, and gets its answer when it is sent again", async () => {
  const { engine, send, statuses } = await open();
  engine.start = () => Promise.reject(new AppError("limit_reached", "Full."));
  await expect(send("m")).rejects.toMatchObject({ code: "limit_reached" });
  expect(await statuses()).toEqual(["failed"]);
  engine.start = () => Promise.resolve();
  expect((await send("m")).at(-1)).toEqual({ event: "finished", text: "Yes." });
  expect(await statuses()).toEqual(["answered"]);
});

test("[R5] a message that is sent again starts nothing, even after the key of its run has expired", async () => {
  const { db, started, send } = await open();
  await send("m");
  expect((await send("m")).at(-1)).toEqual({ event: "finished", text: "Yes." });
  expect(started).toHaveLength(1);
  // As after a crash between the start of the run and its record, long ago.
  await db.batch([
    {
      sql: `insert into idempotency (scope, key, body_hash, task_id, created_at)
            select 'chat:trg_1', id, '', 'task_1', 1 from chat_exchange`,
    },
    { sql: "update chat_exchange set task_id = null, status = 'running', answer = null" },
  ]);
  expect((await send("m")).at(-1)).toEqual({ event: "finished", text: "Yes." });
  expect(started).toHaveLength(1);
});

test("two messages of one conversation at once each receive their own text", async () => {
  const { engine, started, liveAnswers, send } = await open();
  let bothWrote: () => void = () => undefined;
  const written = new Promise<void>((resolve) => (bothWrote = resolve));
  let waiting = 0;
  engine.settled = async () => {
    waiting += 1;
    if (waiting === 2) {
      for (const { input } of started)
        liveAnswers.readerOfStep({
          workflowId: "wf_1",
          path: "a",
          scope: { trigger: { kind: "chat" }, input },
        })?.(`to ${(input as { message: string }).message}`);
      bothWrote();
    }
    await written;
    return completed as unknown as TaskWithSteps;
  };
  const texts = (await Promise.all([send("m1"), send("m2")])).map((events) =>
    events.flatMap((event) => (event.event === "text" ? event.text : [])).join(""),
  );
  expect(texts).toEqual(["to m1", "to m2"]);
});

test("reading a conversation does not read runs that are in progress", async () => {
  const { db, chats, reads, send } = await open();
  await send("m");
  await db.batch([{ sql: "update chat_exchange set status = 'running', answer = null" }]);
  expect(await chats.read(CHAT, "c")).toMatchObject([{ role: "user", status: "running" }]);
  expect(reads).toEqual([]);
});
