import { beforeEach, describe, expect, test } from "vitest";
import {
  databases,
  openSessions,
  userMessage,
  type SessionFixture,
  startWorker,
  team,
} from "../../../test/teams/session-fixture.ts";
import { systemClock } from "../../lib/clock.ts";
import { NO_USAGE } from "../../models/language-model.ts";
import type { Db } from "../../storage/db.ts";
import { SESSION_LANE } from "./session-task.ts";

/** The database of a process that crashes at its n-th call: before the call, or after it but before its result arrives. */
function crashingDb(db: Db, crashAt: number, when: "before" | "after") {
  let uses = 0;
  let inFlight = 0;
  let isDead = false;
  let died: () => void = () => undefined;
  const dead = new Promise<void>((resolve) => (died = resolve));
  const never = new Promise<never>(() => undefined);

  async function use<T>(call: () => Promise<T>): Promise<T> {
    if (isDead) return never;
    const dies = ++uses === crashAt;
    isDead = dies;
    inFlight += 1;
    const answer = dies && when === "before" ? undefined : await call();
    inFlight -= 1;
    if (!isDead) return answer as T;
    // The next process must not start while a write of the crashed one is in flight.
    if (inFlight === 0) died();
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

describe.each(databases)("a session whose process crashes on %s", (_name, openDatabase) => {
  let fixture: SessionFixture;
  beforeEach(async () => {
    fixture = await openSessions(openDatabase);
  });

  test.each(["before", "after"] as const)(
    "%s any database call resumes at the turn that was under way, without loss or repetition",
    async (when) => {
      const { db, startSession, ended, texts } = fixture;
      for (let crashAt = 1; ; crashAt++) {
        const id = await startSession();
        const first = crashingDb(db, crashAt, when);
        void startWorker(first.on).catch(() => undefined);
        await Promise.race([first.dead, ended(id)]);
        const hasCrashed = first.isDead();
        first.kill();
        const second = await startWorker(db);
        const session = await ended(id);
        await second.close();
        expect([crashAt, session?.status, session?.result?.output]).toEqual([
          crashAt,
          "completed",
          "Cid has spoken",
        ]);
        expect(await texts(id)).toEqual(["1 Go", "2 Ann has spoken", "3 Ben has spoken", "4 Cid has spoken"]);
        expect(session).toMatchObject({ turns: 3, usage: { totalTokens: 9 } });
        if (!hasCrashed) {
          expect(crashAt).toBeGreaterThan(15);
          break;
        }
      }
    },
  );

  test("is continued by the other processes that share the work", async () => {
    const { db, startSession, ended, texts } = fixture;
    const active = new Set<string>();
    const process = (name: string, on: Db) =>
      startWorker(on, { leaseMs: 900, reply: (agent) => (active.add(name), `${agent} has spoken`) });
    const dying = crashingDb(db, 40, "after");
    const others = [await process("b", db), await process("c", db)];
    const first = await process("a", dying.on);
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) {
      ids.push(await startSession());
      for (const engine of [first, ...others]) engine.nudge(ids.at(-1)!, SESSION_LANE);
    }
    await dying.dead;
    for (const id of ids) {
      expect((await ended(id))?.status).toBe("completed");
      expect(await texts(id)).toEqual(["1 Go", "2 Ann has spoken", "3 Ben has spoken", "4 Cid has spoken"]);
    }
    expect(active.size).toBeGreaterThan(1);
    for (const engine of others) await engine.close();
  });

  test("three times without a new entry fails with the reason, and resumes with the next message", async () => {
    const { db, sessions, tasks, startSession, ended, claim, crash } = fixture;
    const id = await startSession();
    await claim(id);
    await crash();
    await claim(id);
    await crash();
    expect(await tasks.claimQuarantined("worker_3", id, systemClock.now())).toBeDefined();
    const engine = await startWorker(db);
    expect(await ended(id)).toMatchObject({ status: "failed", error: { code: "poison_session" } });
    expect(await tasks.task(id)).toMatchObject({ status: "failed", error: { code: "poison_task" } });
    await sessions.post(id, userMessage("Once more"), systemClock.now());
    engine.nudge(id, SESSION_LANE);
    expect(await ended(id)).toMatchObject({ status: "completed", error: null });
    await engine.close();
  });

  test("any number of times does not fail as long as it makes progress", async () => {
    const { db, turns, startSession, ended, claim, crash } = fixture;
    const id = await startSession();
    for (let process = 0; process < 5; process++) {
      await turns.record(await claim(id), [userMessage(`message ${process}`)], NO_USAGE, systemClock.now());
      await crash();
    }
    const engine = await startWorker(db);
    expect((await ended(id))?.status).toBe("completed");
    await engine.close();
  });
});

describe.each(databases)("a session on %s", (_name, openDatabase) => {
  let fixture: SessionFixture;
  beforeEach(async () => {
    fixture = await openSessions(openDatabase);
  });

  test("that has ended is a task that waits without a due time, and a message makes it due", async () => {
    const { db, sessions, tasks, startSession, ended, parked } = fixture;
    const id = await startSession();
    const engine = await startWorker(db);
    await ended(id);
    await parked(id);
    await engine.close();
    expect(await tasks.task(id)).toMatchObject({ status: "waiting", completedAt: null });
    expect((await tasks.pollDue(1, -1, SESSION_LANE)).next).toBeNull();
    await sessions.post(id, userMessage("Once more"), 7);
    expect((await tasks.pollDue(1, -1, SESSION_LANE)).next).toBe(7);
    expect(await sessions.findInTeam(id, team.id)).toMatchObject({
      status: "active",
      result: null,
      turns: 0,
    });
  });

  test("processes a message that arrives during its last turn before it ends", async () => {
    const { db, sessions, startSession, ended, texts } = fixture;
    const id = await startSession();
    let hasPosted = false;
    const engine = await startWorker(db, {
      async reply(name) {
        if (name === "Cid" && !hasPosted) {
          hasPosted = true;
          await sessions.post(id, userMessage("Wait"), systemClock.now());
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

  test("fails on an internal error, and its task waits for the next message", async () => {
    const { db, sessions, startSession, ended } = fixture;
    const id = await startSession();
    const faulty = await startWorker({
      ...db,
      query: (sql, params) =>
        / from_type/.test(sql) ? Promise.reject(new Error("x")) : db.query(sql, params),
    });
    expect(await ended(id)).toMatchObject({ status: "failed", error: { code: "internal_error" } });
    await faulty.close();
    await sessions.post(id, userMessage("Once more"), systemClock.now());
    const engine = await startWorker(db);
    expect((await ended(id))?.status).toBe("completed");
    await engine.close();
  });
});
