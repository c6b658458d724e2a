import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openTestDb } from "../../../test/support/open-db.ts";
import type { DueLoop } from "../../engine/worker/due-loop.ts";
import { AppError } from "../../lib/errors.ts";
import type { Db } from "../../storage/db.ts";
import type { PostedMessage } from "../posted-message.ts";
import type { SessionRecord } from "../session-record.ts";
import type { TeamRecord } from "../team.sql.ts";
import type { RemoteAnswer } from "./a2a-client.ts";
import { createRemoteTaskLoop, pollDelayMs } from "./remote-task-loop.ts";
import { createRemoteTaskStore, type RemoteTask, type RemoteTaskStore } from "./remote-task.sql.ts";

const DAY = 24 * 3600 * 1000;
let db: Db;
let store: RemoteTaskStore;
let close: () => Promise<void>;
let now: number;
let loop: DueLoop | undefined;
beforeEach(async () => {
  ({ db, close } = await openTestDb());
  store = createRemoteTaskStore(db);
  now = 1_800_000_000_000;
  await db.batch([
    { sql: "insert into workspace (id, name, kind, created_at) values ('ada', '', 'personal', 0)" },
    {
      sql: `insert into team (id, owner_id, name, description, agents, external_agents, topology, secret_hash, created_at, updated_at)
            values ('team', 'ada', '', '', '[]', '[]', 'mesh', '', 0, 0)`,
    },
    {
      sql: `insert into session (id, team_id, owner_id, objective, status, input_tokens, output_tokens, last_seq, last_write, created_at)
            values ('sess', 'team', 'ada', '', 'active', 0, 0, 1, '', 0)`,
    },
  ]);
});
afterEach(async () => {
  await loop?.close();
  await close();
});

const TASK: RemoteTask = {
  sessionId: "sess",
  agent: "scout",
  messageId: "msg_1",
  ownerId: "ada",
  teamId: "team",
  contextId: "context",
  taskId: "remote",
  state: "working",
  reply: { to: { id: "ann", type: "internal" }, type: "agent_result", continues: 1 },
  attempts: 0,
  createdAt: 1_800_000_000_000,
};

function openLoop(getTask: () => RemoteAnswer) {
  const posted: PostedMessage[] = [];
  const card = { name: "", description: "", skills: [], rpcUrl: "http://r/", credentialHeaders: [] };
  loop = createRemoteTaskLoop({
    store,
    client: {
      getTask: async () => Promise.resolve(getTask()),
      send: () => Promise.reject(new Error("unused")),
    },
    cards: { find: () => Promise.resolve(card), read: () => Promise.resolve(card) },
    readCredential: () =>
      Promise.resolve({
        fetch: () => Promise.reject(new Error("unused")),
        secrets: () => ["hush-hush"],
      }),
    sessions: {
      findInTeam: () => Promise.resolve({ id: "sess", status: "active" } as SessionRecord),
      post: (_session, message) => {
        posted.push(message);
        return Promise.resolve({ sessionId: "sess", messageId: "msg_2", seq: 2 });
      },
    },
    findTeam: () => Promise.resolve({ externalAgents: [{ name: "scout", url: "http://r/" }] } as TeamRecord),
    clock: { now: () => now, monotonic: () => now },
    onError(error) {
      throw error;
    },
  });
  loop.poll();
  return posted;
}

const rowOf = async () => (await db.query("select state, attempts, due_at from remote_task"))[0];
const answer = (state: "working" | "input_required" | "completed" | "failed", text = ""): RemoteAnswer => ({
  kind: "task",
  taskId: "remote",
  contextId: "context",
  state,
  text,
});

test("a task is polled with growing pauses until it ends, and its answer is posted once", async () => {
  await store.save(TASK, now);
  let state: RemoteAnswer = answer("working");
  const posted = openLoop(() => state);
  await vi.waitFor(async () => expect(await rowOf()).toMatchObject({ attempts: 1, due_at: now + 3000 }));
  expect(posted).toEqual([]);
  state = answer("completed", "seen with hush-hush");
  now += 3000;
  loop!.poll();
  await vi.waitFor(async () => expect(await rowOf()).toMatchObject({ state: "ended", due_at: null }));
  expect(posted).toEqual([
    {
      from: { id: "scout", type: "external" },
      to: { id: "ann", type: "internal" },
      type: "agent_result",
      content: { text: expect.not.stringContaining("hush-hush") as string },
      continues: 1,
      dedupeKey: "scout remote msg_1",
    },
  ]);
  expect(pollDelayMs(100)).toBe(60_000);
});

test("a question is posted, and the next message continues its task", async () => {
  await store.save(TASK, now);
  const posted = openLoop(() => answer("input_required", "Which side?"));
  await vi.waitFor(async () =>
    expect(await rowOf()).toMatchObject({ state: "input_required", due_at: null }),
  );
  expect(posted[0]?.content).toEqual({ text: "Which side?", inputRequired: true });
  expect(await store.conversation("sess", "scout")).toEqual({ contextId: "context", taskId: "remote" });
});

test("a failed task, and an agent that has forgotten it, leave an error entry", async () => {
  await store.save(TASK, now);
  await store.save({ ...TASK, messageId: "msg_0" }, now);
  let calls = 0;
  const posted = openLoop(() => {
    if (++calls === 1) return answer("failed", "no map");
    throw new AppError("external_agent_failed", "Task not found.");
  });
  await vi.waitFor(() => expect(posted).toHaveLength(2));
  expect(posted.map(({ type }) => type)).toEqual(["error", "error"]);
  expect(posted.map(({ content }) => (content as { message: string }).message).toSorted()).toEqual([
    "Task not found.",
    "no map",
  ]);
});

test("an agent that cannot be reached is asked again, for seven days", async () => {
  await store.save(TASK, now);
  const posted = openLoop(() => {
    throw new AppError("connection_failed", "The connection failed.", { retryable: true });
  });
  await vi.waitFor(async () => expect(await rowOf()).toMatchObject({ state: "working", attempts: 1 }));
  expect(posted).toEqual([]);
  now += 7 * DAY;
  loop!.poll();
  await vi.waitFor(async () => expect(await rowOf()).toMatchObject({ state: "ended" }));
  expect(posted).toHaveLength(1);
});
