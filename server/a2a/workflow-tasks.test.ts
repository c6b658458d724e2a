import type { Message } from "@a2a-js/sdk";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestDb, type TestDb } from "../../test/support/open-db.ts";
import type { ExposedRecord } from "../exposure/exposures.ts";
import { systemClock } from "../lib/clock.ts";
import { type A2aTaskStore, createA2aTaskStore, type Question } from "./a2a-task.sql.ts";
import { emptyMessage, textPart } from "./message-parts.ts";
import { loadSdk } from "./sdk.ts";
import { createWorkflowTasks } from "./workflow-tasks.ts";

let opened: TestDb;
let store: A2aTaskStore;
let question: Question | undefined;
let tasks = 0;
let taskId: string;
const decided: string[] = [];
let decide: () => void;

beforeAll(async () => {
  opened = await openTestDb();
  store = createA2aTaskStore(opened.db);
});
afterAll(() => opened.close());
beforeEach(async () => {
  taskId = `task_${++tasks}`;
  question = { taskId, path: "first", message: "Go?", context: null, requestedAt: 1 };
  decided.length = 0;
  decide = () => {};
  const names = { ownerId: "user_1", agentId: "wf_1", caller: "key_1", contextId: "ctx_1" };
  await store.insert({ id: taskId, ...names, seq: null, createdAt: 1 });
});

async function open() {
  const sdk = await loadSdk();
  const summary = { id: taskId, status: "waiting_approval", createdAt: 1, startedAt: 1, completedAt: null };
  const workflowTasks = createWorkflowTasks({
    sdk,
    record: { ownerId: "user_1", recordId: "wf_1" } as ExposedRecord,
    caller: "key_1",
    store: { ...store, questionOfTask: () => Promise.resolve(question) },
    tasks: { summary: () => Promise.resolve(summary as never) },
    engine: {
      decide(_id: string, { stepId }: { stepId: string }) {
        decide();
        decided.push(stepId);
        return Promise.resolve("running");
      },
    } as never,
    clock: systemClock,
  });
  const role = sdk.types.Role.ROLE_USER;
  const say = (messageId: string, text: string): Message =>
    emptyMessage({ messageId, contextId: "", taskId, role, parts: [textPart(text)] });
  return { ...workflowTasks, say };
}

test("an answer whose decision was lost in a crash decides when it is sent again, and only its own question", async () => {
  const { deliver, read, say } = await open();
  await read(taskId);
  decide = () => {
    throw new Error("the process stopped");
  };
  await expect(deliver(say("m1", "approve"))).rejects.toThrow("stopped");
  decide = () => {};
  await deliver(say("m1", "approve"));
  expect(decided).toEqual(["first"]);
  question = { ...question!, path: "second", requestedAt: 2 };
  await read(taskId);
  await deliver(say("m1", "approve"));
  expect(decided).toEqual(["first"]);
});

test("the messages of one task are limited, since every read of the task loads them", async () => {
  const { deliver, read, say } = await open();
  await read(taskId);
  const long = "x".repeat(1024 * 1024);
  await deliver(say("m1", long));
  await expect(deliver(say("m2", long))).rejects.toMatchObject({ name: "RequestMalformedError" });
  await deliver(say("m3", "approve"));
  expect(decided).toEqual(["first"]);
});
