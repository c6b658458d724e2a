import { SYSTEM } from "../../../contract/teams.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { claim, newTask } from "../../engine/testing/store-samples.ts";
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
import { RUN_EVENT_CHANNEL } from "../../storage/engine/run-events.ts";
import { SESSION_LANE } from "../session/session-task.ts";

test.each(databases)(
  "on %s concurrent starts with one key start one session, and another one a day later",
  async (_name, openDatabase) => {
    const { startSession, sessions, tasks } = await openSessions(openDatabase);
    const ids = await Promise.all(Array.from({ length: 10 }, () => startSession("key")));
    expect(new Set(ids).size).toBe(1);
    expect((await sessions.list(team.id, { limit: 50 })).items).toHaveLength(1);
    expect(await claim(tasks, "worker_1", 50, systemClock.now(), SESSION_LANE)).toHaveLength(1);
    expect(await startSession("key")).toBe(ids[0]);
    expect(await startSession("key", systemClock.now())).not.toBe(ids[0]);
  },
);

describe.each(databases)("the log on %s", (_name, openDatabase) => {
  let fixture: SessionFixture;
  beforeEach(async () => {
    fixture = await openSessions(openDatabase);
  });

  test("rejects writes of a process that has lost its claim", async () => {
    const { sessions, turns, startSession, texts, claim, crash } = fixture;
    const id = await startSession();
    const old = await claim(id);
    await crash();
    await claim(id);
    const now = systemClock.now();
    expect(await turns.state(old)).toBeUndefined();
    expect(await turns.activate(old, now)).toBe(false);
    expect(await turns.record(old, [userMessage("too late")], NO_USAGE, now)).toBeUndefined();
    const ending = { status: "completed", result: null, error: null } as const;
    expect(await turns.finish(old, 0, ending, [userMessage("too late")], now)).toBeUndefined();
    expect(await turns.fail(old, { code: "x", message: "x" }, now)).toBeUndefined();
    expect(await texts(id)).toEqual(["1 Go"]);
    expect((await sessions.findInTeam(id, team.id))?.status).toBe("waiting");
  });

  test("unfinished sessions of a team are found until they end", async () => {
    const { sessions, turns, startSession, claim } = fixture;
    const [first, second] = [await startSession("a"), await startSession("b")];
    expect((await sessions.unfinishedIds(team.id)).toSorted()).toEqual([first, second].toSorted());
    const task = await claim(first);
    const now = systemClock.now();
    await turns.activate(task, now);
    expect(await sessions.unfinishedIds(team.id)).toHaveLength(2);
    const { wake } = (await turns.state(task))!;
    await turns.finish(task, wake, { status: "completed", result: null, error: null }, [], now);
    expect(await sessions.unfinishedIds(team.id)).toEqual([second]);
    expect(await sessions.unfinishedIds("team_other")).toEqual([]);
  });

  test("an exchange is read up to the next one, and a large one by its first and newest entries", async () => {
    const { sessions, startSession } = fixture;
    const id = await startSession();
    const post = (text: string, continues?: number) =>
      sessions.post(id, { ...userMessage(text), continues }, systemClock.now());
    for (let index = 0; index < 6; index++) await post("x".repeat(1_000_000), 1);
    const open = await sessions.exchange(id, 1);
    expect([open.entries.map(({ seq }) => seq), open.isClosed]).toEqual([[1, 4, 5, 6, 7], false]);
    await post("Next");
    const closed = await sessions.exchange(id, 1);
    expect([closed.entries.at(-1)?.seq, closed.isClosed]).toEqual([7, true]);
    expect((await sessions.exchange(id, 8)).entries.map(({ seq }) => seq)).toEqual([8]);
  });

  test("does not end if a message arrived meanwhile", async () => {
    const { sessions, turns, startSession, claim } = fixture;
    const id = await startSession();
    const task = await claim(id);
    await turns.activate(task, systemClock.now());
    const { wake } = (await turns.state(task))!;
    await sessions.post(id, userMessage("wait"), systemClock.now());
    const ending = { status: "completed", result: null, error: null } as const;
    expect(await turns.finish(task, wake, ending, [], systemClock.now())).toBeUndefined();
    expect((await sessions.findInTeam(id, team.id))?.status).toBe("active");
  });

  test("stores a turn once if it is recorded again after a lost reply", async () => {
    const { sessions, turns, startSession, texts, claim } = fixture;
    const id = await startSession();
    const task = await claim(id);
    const messages = [
      userMessage("one", { seen: 1, outside: false }),
      userMessage("two", { seen: 1, outside: false }),
    ];
    const first = await turns.record(task, messages, NO_USAGE, systemClock.now());
    await sessions.post(id, userMessage("in between"), systemClock.now());
    expect(await turns.record(task, messages, NO_USAGE, systemClock.now())).toMatchObject(first!);
    expect(await texts(id)).toEqual(["1 Go", "2 one", "3 two", "4 in between"]);
  });

  test("has one entry per key, no gap after rejected ones, and none after a cancellation", async () => {
    const { sessions, tasks, startSession } = fixture;
    const id = await startSession();
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        sessions.post(
          id,
          userMessage(`message ${n}`, { dedupeKey: n % 2 === 0 ? "same" : null }),
          systemClock.now(),
        ),
      ),
    );
    expect(answers.map((one) => one?.seq)).toEqual([2, 3, 4, undefined]);
    await sessions.cancel(id, SYSTEM, systemClock.now());
    expect(await sessions.post(id, userMessage("late"), systemClock.now())).toBeUndefined();
    expect((await sessions.log(id, 0, 100)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(await tasks.task(id)).toMatchObject({ status: "cancelled" });
  });

  test("reads a log of large messages in pages of a megabyte, and the newest of them in one", async () => {
    const { sessions, turns, startSession } = fixture;
    const id = await startSession();
    for (let n = 0; n < 5; n++) await sessions.post(id, userMessage("x".repeat(400_000)), systemClock.now());
    const seqs = async (read: Promise<{ seq: number }[]>) => (await read).map(({ seq }) => seq);
    expect(await seqs(sessions.log(id, 0, 100))).toEqual([1, 2, 3, 4]);
    expect(await seqs(sessions.log(id, 4, 100))).toEqual([5, 6]);
    expect(await seqs(sessions.log(id, 0, 2))).toEqual([1, 2]);
    expect(await seqs(sessions.log(id, 6, 100))).toEqual([]);
    expect(await seqs(turns.recent(id, 0))).toEqual([4, 5, 6]);
  });

  test("announces the cancelled runs of a cancelled session to its subscribers", async () => {
    const { db, sessions, tasks, startSession } = fixture;
    const id = await startSession();
    const { ownerId } = (await tasks.task(id))!;
    await tasks.accept(newTask({ ownerId, parentTaskId: id, parentStep: "tool", rootTaskId: id }));
    await db.batch([
      {
        sql: `insert into event_subscription (id, owner_id, url, types, secret, active, created_at, updated_at)
              values ('sub_1', $ownerId, 'https://example.com', '[]', '', 1, 0, 0)`,
        params: { ownerId },
      },
    ]);
    let announced = 0;
    const stop = await db.listen(RUN_EVENT_CHANNEL, () => (announced += 1));
    const before = announced;
    await sessions.cancel(id, SYSTEM, systemClock.now());
    expect(await db.query("select type from run_event")).toEqual([{ type: "baton.run.cancelled" }]);
    await expect.poll(() => announced).toBe(before + 1);
    await stop();
  });

  test("of an ended session cannot be cancelled, so that a message can reactivate it", async () => {
    const { db, sessions, tasks, startSession, ended, parked } = fixture;
    const id = await startSession();
    const engine = await startWorker(db);
    await ended(id);
    await parked(id);
    await engine.close();
    expect(await sessions.cancel(id, SYSTEM, systemClock.now())).toBeUndefined();
    expect(await tasks.task(id)).toMatchObject({ status: "waiting" });
  });
});
