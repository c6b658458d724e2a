import { limitsOf } from "../../server/limits/testing/limits-of.ts";
import { claim } from "../../server/engine/testing/store-samples.ts";
import { expect } from "vitest";
import type { AgentRecord } from "../../server/agents/agent.sql.ts";
import { createEngine } from "../../server/engine/engine.ts";
import type { Engine } from "../../server/engine/engine-api.ts";
import type { EngineStore } from "../../server/engine/store.ts";
import type { EngineTask } from "../../server/engine/tasks/engine-task.ts";
import { systemClock } from "../../server/lib/clock.ts";
import { createId } from "../../server/lib/ids.ts";
import { NO_USAGE } from "../../server/models/language-model.ts";
import type { Db } from "../../server/storage/db.ts";
import { createEngineStore } from "../../server/storage/engine/engine-store.ts";
import { createSessionStore, type SessionStore } from "../../server/teams/store/session.sql.ts";
import { createSessionTaskStore, type SessionTaskStore } from "../../server/teams/store/session-task.sql.ts";
import { createTeamStore, type TeamRecord } from "../../server/teams/team.sql.ts";
import { SESSION_LANE, sessionWorkflow } from "../../server/teams/session/session-task.ts";
import { buildTeamRoom } from "../../server/teams/session/team-room.ts";
import { createSessionStep } from "../../server/teams/session/session-step.ts";
import type { NewMessage, SessionRecord } from "../../server/teams/session-record.ts";
import { createTakeTurn } from "../../server/teams/session/take-turn.ts";
import { EVERYONE } from "../../server/teams/session/topology.ts";
import { openDb } from "../../server/engine/testing/open-engine.ts";
import { usePostgres } from "../support/postgres.ts";

const agents = ["Ann", "Ben", "Cid"].map((name): AgentRecord => ({
  id: `agent_${name}`,
  ownerId: "user_1",
  name,
  description: "",
  role: "",
  provider: null,
  model: null,
  connection: null,
  baseUrl: null,
  capabilities: [],
  systemPrompt: "",
  temperature: null,
  tools: { workflows: [], documents: [] },
  limits: {},
  createdAt: 0,
  updatedAt: 0,
}));
export const team: TeamRecord = {
  id: "team_1",
  ownerId: "user_1",
  name: "Crew",
  description: "",
  agents: agents.map(({ id }) => id),
  externalAgents: [],
  topology: "linear",
  limits: {},
  memberInstructions: {},
  secretHash: "",
  createdAt: 0,
  updatedAt: 0,
};

export const databases = [
  ["SQLite", async (): Promise<Db> => (await openDb()).db],
  ["PostgreSQL", (): Promise<Db> => usePostgres()],
] as const;

export interface SessionFixture {
  db: Db;
  sessions: SessionStore;
  turns: SessionTaskStore;
  tasks: EngineStore;
  /** Starts a session, or finds the one that was started with this key; returns its id. */
  startSession(dedupeKey?: string | null, keptSince?: number): Promise<string>;
  ended(id: string): Promise<SessionRecord | undefined>;
  /** Resolves when the task is parked: no process holds it in memory. */
  parked(id: string): Promise<void>;
  texts(id: string): Promise<string[]>;
  /** Claims the session's task, as a worker does. */
  claim(id: string): Promise<EngineTask>;
  crash(): Promise<unknown>;
}

/** The stores of sessions and of their tasks, with one team of three agents. */
export async function openSessions(openDatabase: () => Promise<Db>): Promise<SessionFixture> {
  const db = await openDatabase();
  await db.batch([
    { sql: "insert into workspace (id, name, kind, created_at) values ('user_1', '', 'personal', 0)" },
  ]);
  await createTeamStore(db).insert(team);
  const sessions = createSessionStore(db);
  const tasks = createEngineStore(db);
  return {
    db,
    sessions,
    turns: createSessionTaskStore(db),
    tasks,
    async startSession(dedupeKey = null, keptSince = 0) {
      const id = createId("sess");
      const now = systemClock.now();
      const { ownerId, id: teamId } = team;
      const blank = {
        result: null,
        error: null,
        usage: NO_USAGE,
        turns: 0,
        teamLimits: {},
        startedAt: null,
        completedAt: null,
      };
      const before = await sessions.insert(
        { id, teamId, ownerId, objective: "Go", status: "waiting", lastSeq: 1, createdAt: now, ...blank },
        userMessage("Go", { dedupeKey }),
        now,
        keptSince,
      );
      return before?.id ?? id;
    },
    async ended(id) {
      for (;;) {
        const session = await sessions.findInTeam(id, team.id);
        if (session?.status !== "active" && session?.status !== "waiting") return session;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    async parked(id) {
      while ((await tasks.task(id))?.status !== "waiting")
        await new Promise((resolve) => setTimeout(resolve, 2));
    },
    texts: async (id) =>
      (await sessions.log(id, 0, 100)).map(({ seq, content }) => `${seq} ${String(content["text"])}`),
    async claim(id) {
      const [task] = await claim(tasks, createId("worker"), 1, systemClock.now(), SESSION_LANE);
      expect(task?.id).toBe(id);
      return task!;
    },
    crash: () => tasks.recover("all", 3, systemClock.now()),
  };
}

export function userMessage(text: string, more: Partial<NewMessage> = {}): NewMessage {
  return {
    id: createId("msg"),
    from: { id: "user_1", type: "user" },
    to: EVERYONE,
    type: "user_prompt",
    content: { text },
    seen: null,
    outside: true,
    dedupeKey: null,
    ...more,
  };
}

export interface Worker {
  reply?: (name: string) => string | Promise<string>;
  /** Set if other workers share the database. */
  leaseMs?: number;
}

/** A worker that runs sessions on this database. */
export async function startWorker(
  on: Db,
  { reply = (name) => `${name} has spoken`, ...shared }: Worker = {},
): Promise<Engine> {
  const { step, onTaskFailed } = createSessionStep({
    store: createSessionTaskStore(on),
    clock: systemClock,
    signals: { publish: () => undefined, subscribe: () => () => undefined },
    limits: { maxTurns: 20, maxTokens: 1_000_000, idleMs: 3_600_000 },
    joinWaitMs: 0,
    takeTurn: createTakeTurn({
      clock: systemClock,
      runAgent: async ({ agent }) => ({
        text: await reply(agent.name),
        steps: [],
        usage: { inputTokens: 2, outputTokens: 1, totalTokens: 3 },
        answeredBy: "scripted/test",
      }),
      callExternal: () => Promise.resolve(undefined),
      onError: () => undefined,
    }),
    loadRoom: () => Promise.resolve({ team, ...buildTeamRoom(team, agents) }),
    onError: () => undefined,
  });
  const unused = (): never => {
    throw new Error("a session stores no large values and no workflows");
  };
  const engine = await createEngine({
    limits: limitsOf(),
    store: createEngineStore(on),
    blobs: { put: unused, get: unused, open: unused, removeFolder: unused },
    clock: systemClock,
    runners: new Map(),
    controls: { session: step },
    lanes: { [SESSION_LANE]: 8 },
    beforeFail: onTaskFailed,
    approvalUrl: (linkId) => `http://127.0.0.1/a/${linkId}`,
    resumeUrl: () => "",
    evaluate: unused,
    vault: { variables: unused, secrets: unused },
    loadWorkflow: () => Promise.resolve(sessionWorkflow),
    currentWorkflow: unused,
    concurrency: 1,
    closeGraceMs: 0,
    onError: () => undefined,
    ...shared,
  });
  engine.claimTasks();
  return engine;
}
