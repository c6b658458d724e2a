import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/test-app.ts";
import type { AgentRecord } from "../agents/agent-store.ts";
import { systemClock } from "../lib/clock.ts";
import { createId } from "../lib/ids.ts";
import { NO_USAGE } from "../models/language-model.ts";
import type { Db } from "../storage/db.ts";
import { migrate } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/all.ts";
import { createSessionStore } from "../storage/session-store.ts";
import { openSqlite } from "../storage/sqlite/sqlite-db.ts";
import { createTeamStore } from "../storage/team-store.ts";
import { roomOfTeam } from "./room-of-team.ts";
import { createSessionDriver, type SessionDriver } from "./session-driver.ts";
import type { SessionStore } from "./session-store.ts";
import { createTakeTurn } from "./take-turn.ts";
import type { TeamRecord } from "./team-store.ts";
import { EVERYBODY } from "./topology.ts";

let folder: string;
let db: Db;
let store: SessionStore;
const names = ["Ann", "Ben", "Cid"];
const agents = names.map((name): AgentRecord => ({
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

beforeAll(async () => {
  folder = await temporaryFolder();
  db = openSqlite({ folder });
  await migrate(db, migrations, 1);
  await db.batch([
    { sql: "insert into account (id, email, password_hash, created_at) values ('user_1', 'a@b.c', '', 0)" },
  ]);
  await createTeamStore(db).insert(team);
  store = createSessionStore(db);
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true, force: true });
});

async function begin(): Promise<string> {
  const id = createId("sess");
  const now = systemClock.now();
  await store.insert(
    {
      id,
      teamId: team.id,
      ownerId: "user_1",
      objective: "Go",
      status: "waiting",
      result: null,
      error: null,
      usage: NO_USAGE,
      lastSeq: 1,
      createdAt: now,
      startedAt: null,
      completedAt: null,
    },
    {
      id: createId("msg"),
      from: { id: "user_1", type: "user" },
      to: EVERYBODY,
      type: "user_prompt",
      content: { text: "Go" },
      seen: null,
      outside: true,
      dedupeKey: null,
    },
    now,
    0,
  );
  return id;
}

const person = (text: string, dedupeKey: string | null = null) => ({
  id: createId("msg"),
  from: { id: "user_1", type: "user" },
  to: EVERYBODY,
  type: "user_prompt" as const,
  content: { text },
  seen: null,
  outside: true,
  dedupeKey,
});

function drive(
  given: SessionStore,
  says: (name: string) => string = (name) => `${name} has spoken`,
): Promise<SessionDriver> {
  return createSessionDriver({
    store: given,
    clock: systemClock,
    signals: { publish: () => undefined, subscribe: () => () => undefined },
    limits: { maxTurns: 20, maxTokens: 1_000_000, idleMs: 3_600_000 },
    concurrency: 8,
    takeTurn: createTakeTurn({
      clock: systemClock,
      runAgent: ({ agent }) =>
        Promise.resolve({
          text: says(agent.name),
          steps: [],
          usage: { inputTokens: 2, outputTokens: 1, totalTokens: 3 },
        }),
      callExternal: () => Promise.resolve(undefined),
      onError: () => undefined,
    }),
    seated: () => Promise.resolve({ team, ...roomOfTeam(team, agents) }),
    onError: () => undefined,
  });
}

async function finished(id: string) {
  for (;;) {
    const session = await store.ofTeam(id, team.id);
    if (session?.status !== "active" && session?.status !== "waiting") return session;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** A process that dies at its n-th use of the store: before it, or after it was done but before anybody was told. */
function dyingStore(
  dieAt: number,
  when: "before" | "after",
): { store: SessionStore; dead: Promise<void>; isDead(): boolean } {
  let calls = 0;
  let died: () => void = () => undefined;
  const dead = new Promise<void>((resolve) => (died = resolve));
  const never = new Promise<never>(() => undefined);
  let isDead = false;
  const proxy = new Proxy(store, {
    get:
      (target, name) =>
      async (...given: unknown[]) => {
        if (isDead) return never;
        const dies = ++calls === dieAt;
        if (dies) isDead = true;
        if (!dies || when === "after") {
          const answer: unknown = await (
            target[name as keyof SessionStore] as (...all: unknown[]) => Promise<unknown>
          )(...given);
          if (!dies) return answer;
        }
        died();
        return never;
      },
  });
  return { store: proxy, dead, isDead: () => isDead };
}

describe("a session whose process dies", () => {
  test.each(["before", "after"] as const)(
    "%s any use of the store goes on at the turn that was under way, nothing lost or doubled",
    async (when) => {
      for (let dieAt = 1; ; dieAt++) {
        const id = await begin();
        const first = dyingStore(dieAt, when);
        void drive(first.store);
        await Promise.race([first.dead, finished(id)]);
        const wentDown = first.isDead();
        const second = await drive(store);
        const session = await finished(id);
        await second.close();
        expect([dieAt, session?.status, session?.result?.output]).toEqual([
          dieAt,
          "completed",
          "Cid has spoken",
        ]);
        const log = await store.log(id, 0, 100);
        expect(log.map(({ seq, content }) => `${seq} ${String(content["text"])}`)).toEqual([
          "1 Go",
          "2 Ann has spoken",
          "3 Ben has spoken",
          "4 Cid has spoken",
        ]);
        expect(session?.usage.totalTokens).toBe(9);
        if (!wentDown) {
          expect(dieAt).toBeGreaterThan(10);
          break;
        }
      }
    },
  );

  test("three times without a new entry is given up, with the reason", async () => {
    const id = await begin();
    for (let life = 0; life < 3; life++)
      await store
        .claimDue(`worker_${life}`, 10, systemClock.now())
        .then(() => (life < 2 ? store.recover(3, systemClock.now()) : undefined));
    const driver = await drive(store);
    expect(await finished(id)).toMatchObject({ status: "failed", error: { code: "poison_session" } });
    await driver.close();
  });
});

describe("the log", () => {
  test("takes nothing from a process that has lost the session", async () => {
    const id = await begin();
    const [old] = await store.claimDue("worker_old", 1, systemClock.now());
    await store.recover(99, systemClock.now());
    await store.claimDue("worker_new", 1, systemClock.now());
    const now = systemClock.now();
    expect(await store.record(old!, [person("too late")], NO_USAGE, now)).toBeUndefined();
    expect(await store.park(old!, 0, now)).toBe(false);
    expect(
      await store.finish(
        old!,
        0,
        { status: "completed", result: null, error: null },
        [person("too late")],
        now,
      ),
    ).toBeUndefined();
    expect(await store.log(id, 0, 100)).toHaveLength(1);
    await store.cancel(id, person("stop"), now);
  });

  test("neither parks nor ends over a word that came in meanwhile", async () => {
    const id = await begin();
    const [session] = await store.claimDue("worker_1", 1, systemClock.now());
    const { wake } = (await store.progress(session!))!;
    await store.say(id, person("wait"), systemClock.now());
    expect(await store.park(session!, wake, systemClock.now())).toBe(false);
    expect(
      await store.finish(
        session!,
        wake,
        { status: "completed", result: null, error: null },
        [],
        systemClock.now(),
      ),
    ).toBeUndefined();
    expect((await store.ofTeam(id, team.id))?.status).toBe("active");
    await store.cancel(id, person("stop"), systemClock.now());
  });

  test("has one entry for one key, no gap for the refused ones, and none for a cancelled session", async () => {
    const id = await begin();
    const said = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        store.say(id, person(`word ${n}`, n % 2 === 0 ? "same" : null), systemClock.now()),
      ),
    );
    expect(said.map((one) => one?.seq)).toEqual([2, 3, 4, undefined]);
    await store.cancel(id, person("stop"), systemClock.now());
    expect(await store.say(id, person("late"), systemClock.now())).toBeUndefined();
    expect((await store.log(id, 0, 100)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  });
});
