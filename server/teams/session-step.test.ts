import { beforeEach, describe, expect, test } from "vitest";
import { openDb } from "../../test/engine/open-engine.ts";
import { usePostgres } from "../../test/support/postgres.ts";
import type { AgentRecord } from "../agents/agent-store.ts";
import { createEngine } from "../engine/engine.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { EngineStore } from "../engine/store.ts";
import { systemClock } from "../lib/clock.ts";
import { createId } from "../lib/ids.ts";
import { NO_USAGE } from "../models/language-model.ts";
import type { Db } from "../storage/db.ts";
import { createEngineStore } from "../storage/engine/engine-store.ts";
import { createSessionStore } from "../storage/session-store.ts";
import { createSessionTurnStore } from "../storage/session-turn-store.ts";
import { createTeamStore } from "../storage/team-store.ts";
import { type DrivenSessionStore, SESSION_LANE, sessionWorkflow } from "./driven-session.ts";
import { roomOfTeam } from "./room-of-team.ts";
import { createSessionStep } from "./session-step.ts";
import type { NewMessage, SessionStore } from "./session-store.ts";
import { createTakeTurn } from "./take-turn.ts";
import type { TeamRecord } from "./team-store.ts";
import { EVERYBODY } from "./topology.ts";

const agents = ["Ann", "Ben", "Cid"].map((name): AgentRecord => ({
  id: `agent_${name}`,
  ownerId: "user_1",
  name,
  description: "",
  role: "",
  provider: null,
  model: null,
  capabilities: [],
  systemPrompt: "",
  temperature: null,
  tools: { workflows: [], documents: [] },
  createdAt: 0,
  updatedAt: 0,
}));
const team: TeamRecord = {
  id: "team_1",
  ownerId: "user_1",
  name: "Crew",
  description: "",
  agents: agents.map(({ id }) => id),
  externalAgents: [],
  topology: "linear",
  secretHash: "",
  createdAt: 0,
  updatedAt: 0,
};

let db: Db;
let sessions: SessionStore;
let turns: DrivenSessionStore;
let tasks: EngineStore;

const databases = [
  ["SQLite", async (): Promise<Db> => (await openDb()).db],
  ["PostgreSQL", (): Promise<Db> => usePostgres()],
] as const;

async function open(openDatabase: () => Promise<Db>): Promise<void> {
  db = await openDatabase();
  await db.batch([
    { sql: "insert into account (id, email, password_hash, created_at) values ('user_1', 'a@b.c', '', 0)" },
  ]);
  await createTeamStore(db).insert(team);
  sessions = createSessionStore(db);
  turns = createSessionTurnStore(db);
  tasks = createEngineStore(db);
}

function said(text: string, more: Partial<NewMessage> = {}): NewMessage {
  return {
    id: createId("msg"),
    from: { id: "user_1", type: "user" },
    to: EVERYBODY,
    type: "user_prompt",
    content: { text },
    seen: null,
    outside: true,
    dedupeKey: null,
    ...more,
  };
}

/** The id of the session that this, or whoever came first with the key, has begun. */
async function begin(dedupeKey: string | null = null, keptSince = 0): Promise<string> {
  const id = createId("sess");
  const now = systemClock.now();
  const { ownerId, id: teamId } = team;
  const blank = { result: null, error: null, usage: NO_USAGE, turns: 0, startedAt: null, completedAt: null };
  const before = await sessions.insert(
    { id, teamId, ownerId, objective: "Go", status: "waiting", lastSeq: 1, createdAt: now, ...blank },
    said("Go", { dedupeKey }),
    now,
    keptSince,
  );
  return before?.id ?? id;
}

interface Process {
  says?: (name: string) => string | Promise<string>;
  /** Set when others share the database. */
  leaseMs?: number;
}

/** A process that drives sessions on this database. */
function start(on: Db, { says = (name) => `${name} has spoken`, ...shared }: Process = {}): Promise<Engine> {
  const { step, givenUp } = createSessionStep({
    store: createSessionTurnStore(on),
    clock: systemClock,
    signals: { publish: () => undefined, subscribe: () => () => undefined },
    limits: { maxTurns: 20, maxTokens: 1_000_000, idleMs: 3_600_000 },
    joinWaitMs: 0,
    takeTurn: createTakeTurn({
      clock: systemClock,
      runAgent: async ({ agent }) => ({
        text: await says(agent.name),
        steps: [],
        usage: { inputTokens: 2, outputTokens: 1, totalTokens: 3 },
      }),
      callExternal: () => Promise.resolve(undefined),
      onError: () => undefined,
    }),
    seated: () => Promise.resolve({ team, ...roomOfTeam(team, agents) }),
    onError: () => undefined,
  });
  const unused = (): never => {
    throw new Error("a session stores no large values and no workflows");
  };
  return createEngine({
    store: createEngineStore(on),
    blobs: { put: unused, get: unused, removeFolder: unused },
    clock: systemClock,
    runners: new Map(),
    controls: { session: step },
    lanes: { [SESSION_LANE]: 8 },
    beforeGivingUp: givenUp,
    vault: { variables: unused, secrets: unused },
    loadWorkflow: () => Promise.resolve(sessionWorkflow),
    currentWorkflow: unused,
    concurrency: 1,
    closeGraceMs: 0,
    onError: () => undefined,
    ...shared,
  });
}

async function ended(id: string) {
  for (;;) {
    const session = await sessions.ofTeam(id, team.id);
    if (session?.status !== "active" && session?.status !== "waiting") return session;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** The task has left its process: nothing of it is held in memory any more. */
async function parked(id: string): Promise<void> {
  while ((await tasks.task(id))?.status !== "waiting") await new Promise((resolve) => setTimeout(resolve, 2));
}

const texts = async (id: string): Promise<string[]> =>
  (await sessions.log(id, 0, 100)).map(({ seq, content }) => `${seq} ${String(content["text"])}`);

/** The task as whoever takes it over holds it. */
async function claimed(id: string) {
  const [task] = await tasks.claimDue(createId("worker"), 1, systemClock.now(), SESSION_LANE);
  expect(task?.id).toBe(id);
  return task!;
}

const crash = (): Promise<unknown> => tasks.recover("all", 3, systemClock.now());

/** A process that dies at its n-th use of the database: before it, or after it was done but before anybody was told. */
function dyingDb(dieAt: number, when: "before" | "after") {
  let uses = 0;
  let underWay = 0;
  let isDead = false;
  let died: () => void = () => undefined;
  const dead = new Promise<void>((resolve) => (died = resolve));
  const never = new Promise<never>(() => undefined);

  async function use<T>(call: () => Promise<T>): Promise<T> {
    if (isDead) return never;
    const dies = ++uses === dieAt;
    isDead = dies;
    underWay += 1;
    const answer = dies && when === "before" ? undefined : await call();
    underWay -= 1;
    if (!isDead) return answer as T;
    // Nothing of a dead process is written after the next one has begun.
    if (underWay === 0) died();
    return never;
  }

  const on: Db = {
    ...db,
    query: <T extends Record<string, unknown>>(...given: Parameters<Db["query"]>) =>
      use(() => db.query<T>(...given)),
    batch: (statements) => use(() => db.batch(statements)),
  };
  return { on, dead, isDead: () => isDead, kill: () => void (isDead = true) };
}

describe.each(databases)("a session whose process dies on %s", (_name, openDatabase) => {
  beforeEach(() => open(openDatabase));

  test.each(["before", "after"] as const)(
    "%s any use of the database goes on at the turn that was under way, nothing lost or doubled",
    { timeout: 30_000 },
    async (when) => {
      for (let dieAt = 1; ; dieAt++) {
        const id = await begin();
        const first = dyingDb(dieAt, when);
        void start(first.on).catch(() => undefined);
        await Promise.race([first.dead, ended(id)]);
        const wentDown = first.isDead();
        first.kill();
        const second = await start(db);
        const session = await ended(id);
        await second.close();
        expect([dieAt, session?.status, session?.result?.output]).toEqual([
          dieAt,
          "completed",
          "Cid has spoken",
        ]);
        expect(await texts(id)).toEqual(["1 Go", "2 Ann has spoken", "3 Ben has spoken", "4 Cid has spoken"]);
        expect(session).toMatchObject({ turns: 3, usage: { totalTokens: 9 } });
        if (!wentDown) {
          expect(dieAt).toBeGreaterThan(15);
          break;
        }
      }
    },
  );

  test("leaves it to the other processes, which had shared the work", { timeout: 30_000 }, async () => {
    const driven = new Set<string>();
    const process = (name: string, on: Db) =>
      start(on, { leaseMs: 900, says: (agent) => (driven.add(name), `${agent} has spoken`) });
    const dying = dyingDb(40, "after");
    const others = [await process("b", db), await process("c", db)];
    const first = await process("a", dying.on);
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) {
      ids.push(await begin());
      for (const engine of [first, ...others]) engine.nudge(ids.at(-1)!, SESSION_LANE);
    }
    await dying.dead;
    for (const id of ids) {
      expect((await ended(id))?.status).toBe("completed");
      expect(await texts(id)).toEqual(["1 Go", "2 Ann has spoken", "3 Ben has spoken", "4 Cid has spoken"]);
    }
    expect(driven.size).toBeGreaterThan(1);
    for (const engine of others) await engine.close();
  });

  test("three times without a new entry is given up with the reason, and goes on when somebody speaks", async () => {
    const id = await begin();
    await claimed(id);
    await crash();
    await claimed(id);
    await crash();
    expect(await tasks.claimSuspect("worker_3", id, systemClock.now())).toBeDefined();
    const engine = await start(db);
    expect(await ended(id)).toMatchObject({ status: "failed", error: { code: "poison_session" } });
    expect(await tasks.task(id)).toMatchObject({ status: "failed", error: { code: "poison_task" } });
    await sessions.say(id, said("Once more"), systemClock.now());
    engine.nudge(id, SESSION_LANE);
    expect(await ended(id)).toMatchObject({ status: "completed", error: null });
    await engine.close();
  });

  test("any number of times is not given up as long as it gets further", async () => {
    const id = await begin();
    for (let life = 0; life < 5; life++) {
      await turns.record(await claimed(id), [said(`word ${life}`)], NO_USAGE, systemClock.now());
      await crash();
    }
    const engine = await start(db);
    expect((await ended(id))?.status).toBe("completed");
    await engine.close();
  });
});

describe.each(databases)("a session on %s", (_name, openDatabase) => {
  beforeEach(() => open(openDatabase));

  test("that has ended is a task that waits without a time, and a word makes it due", async () => {
    const id = await begin();
    const engine = await start(db);
    await ended(id);
    await parked(id);
    await engine.close();
    expect(await tasks.task(id)).toMatchObject({ status: "waiting", completedAt: null });
    expect(await tasks.nextDue(SESSION_LANE)).toBeNull();
    await sessions.say(id, said("Once more"), 7);
    expect(await tasks.nextDue(SESSION_LANE)).toBe(7);
    expect(await sessions.ofTeam(id, team.id)).toMatchObject({ status: "active", result: null, turns: 0 });
  });

  test("hears what is said while its last turn is taken, before it ends", async () => {
    const id = await begin();
    let spoken = false;
    const engine = await start(db, {
      async says(name) {
        if (name === "Cid" && !spoken) {
          spoken = true;
          await sessions.say(id, said("Wait"), systemClock.now());
          engine.nudge(id, SESSION_LANE);
        }
        return `${name} has spoken`;
      },
    });
    await ended(id);
    await engine.close();
    expect(await texts(id)).toEqual([
      "1 Go",
      "2 Ann has spoken",
      "3 Ben has spoken",
      "4 Wait",
      "5 Cid has spoken",
      "6 Ann has spoken",
      "7 Ben has spoken",
      "8 Cid has spoken",
    ]);
  });

  test("that meets a fault of ours fails, and its task waits for the next word", async () => {
    const id = await begin();
    const faulty = await start({
      ...db,
      query: (sql, params) =>
        / from_type/.test(sql) ? Promise.reject(new Error("x")) : db.query(sql, params),
    });
    expect(await ended(id)).toMatchObject({ status: "failed", error: { code: "internal_error" } });
    await faulty.close();
    await sessions.say(id, said("Once more"), systemClock.now());
    const engine = await start(db);
    expect((await ended(id))?.status).toBe("completed");
    await engine.close();
  });
});

test.each(databases)(
  "on %s one key begins one session, however many come with it at once, and another a day later",
  async (_name, openDatabase) => {
    await open(openDatabase);
    const ids = await Promise.all(Array.from({ length: 10 }, () => begin("key")));
    expect(new Set(ids).size).toBe(1);
    expect((await sessions.list(team.id, { limit: 50 })).items).toHaveLength(1);
    expect(await tasks.claimDue("worker_1", 50, systemClock.now(), SESSION_LANE)).toHaveLength(1);
    expect(await begin("key")).toBe(ids[0]);
    expect(await begin("key", systemClock.now())).not.toBe(ids[0]);
  },
);

describe.each(databases)("the log on %s", (_name, openDatabase) => {
  beforeEach(() => open(openDatabase));

  test("takes nothing from a process that has lost the session", async () => {
    const id = await begin();
    const old = await claimed(id);
    await crash();
    await claimed(id);
    const now = systemClock.now();
    expect(await turns.standing(old)).toBeUndefined();
    expect(await turns.begin(old, now)).toBe(false);
    expect(await turns.record(old, [said("too late")], NO_USAGE, now)).toBeUndefined();
    const ending = { status: "completed", result: null, error: null } as const;
    expect(await turns.finish(old, 0, ending, [said("too late")], now)).toBeUndefined();
    expect(await turns.fail(old, { code: "x", message: "x" }, now)).toBeUndefined();
    expect(await texts(id)).toEqual(["1 Go"]);
    expect((await sessions.ofTeam(id, team.id))?.status).toBe("waiting");
  });

  test("does not end over a word that came in meanwhile", async () => {
    const id = await begin();
    const task = await claimed(id);
    await turns.begin(task, systemClock.now());
    const { wake } = (await turns.standing(task))!;
    await sessions.say(id, said("wait"), systemClock.now());
    const ending = { status: "completed", result: null, error: null } as const;
    expect(await turns.finish(task, wake, ending, [], systemClock.now())).toBeUndefined();
    expect((await sessions.ofTeam(id, team.id))?.status).toBe("active");
  });

  test("has a turn once that is recorded again because the answer was lost", async () => {
    const id = await begin();
    const task = await claimed(id);
    const messages = [said("one", { seen: 1, outside: false }), said("two", { seen: 1, outside: false })];
    const first = await turns.record(task, messages, NO_USAGE, systemClock.now());
    await sessions.say(id, said("in between"), systemClock.now());
    expect(await turns.record(task, messages, NO_USAGE, systemClock.now())).toMatchObject(first!);
    expect(await texts(id)).toEqual(["1 Go", "2 one", "3 two", "4 in between"]);
  });

  test("has one entry for one key, no gap for the refused ones, and none for a cancelled session", async () => {
    const id = await begin();
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        sessions.say(id, said(`word ${n}`, { dedupeKey: n % 2 === 0 ? "same" : null }), systemClock.now()),
      ),
    );
    expect(answers.map((one) => one?.seq)).toEqual([2, 3, 4, undefined]);
    await sessions.cancel(id, said("stop"), systemClock.now());
    expect(await sessions.say(id, said("late"), systemClock.now())).toBeUndefined();
    expect((await sessions.log(id, 0, 100)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(await tasks.task(id)).toMatchObject({ status: "cancelled" });
  });

  test("of an ended session is not cancelled: it can still be opened again", async () => {
    const id = await begin();
    const engine = await start(db);
    await ended(id);
    await parked(id);
    await engine.close();
    expect(await sessions.cancel(id, said("stop"), systemClock.now())).toBeUndefined();
    expect(await tasks.task(id)).toMatchObject({ status: "waiting" });
  });
});
