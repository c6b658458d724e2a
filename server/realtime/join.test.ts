import { expect, test, vi } from "vitest";
import type { SessionRecord } from "../teams/session-record.ts";
import type { Sessions } from "../teams/sessions.ts";
import { createJoin, type JoinDeps } from "./join.ts";

/** A team with these sessions, the newest first. */
function joinOf(rows: readonly Pick<SessionRecord, "id" | "status" | "lastSeq">[]) {
  const records = rows as readonly SessionRecord[];
  const findAllInTeam = vi.fn<Sessions["findAllInTeam"]>((ids) =>
    Promise.resolve(records.filter(({ id }) => ids.includes(id))),
  );
  const sessions = {
    listOfTeam: (_teamId: string, { limit }: { limit: number }) =>
      Promise.resolve({ items: records.slice(0, limit), nextCursor: null }),
    findAllInTeam,
    unfinishedIds: () =>
      Promise.resolve(records.flatMap(({ id, status }) => (status === "completed" ? [] : [id]))),
    view: (session: SessionRecord) => session,
  } as unknown as Sessions;
  const teams = { get: () => Promise.resolve({ team: { id: "team" } }) } as unknown as JoinDeps["teams"];
  const join = createJoin({ rooms: { replay: () => Promise.resolve([]) }, sessions, teams });
  const planOf = (after: Record<string, number>) => join.plan("user", { teamId: "team", after });
  return { planOf, findAllInTeam };
}

const ended = (id: string) => ({ id, status: "completed" as const, lastSeq: 4 });

test("of the sessions that a client names, only logs that it does not have in full are replayed", async () => {
  const rows = Array.from({ length: 100 }, (_, n) => ended(`s${199 - n}`));
  const { planOf, findAllInTeam } = joinOf(rows);
  const after = Object.fromEntries(rows.map(({ id }) => [id, id === "s120" ? 3 : 4]));
  const { replay, positions } = await planOf(after);
  expect([...replay]).toEqual([["s120", 3]]);
  expect(positions.get("s100")).toBe(4);
  expect(findAllInTeam).toHaveBeenCalledTimes(1);
});

test("the log of an active session is read again, since it may have grown meanwhile", async () => {
  const { planOf } = joinOf([{ id: "s2", status: "active", lastSeq: 2 }, ended("s1")]);
  const { replay } = await planOf({ s2: 2, s1: 4 });
  expect([...replay]).toEqual([["s2", 2]]);
});

test("an active session is read in full, however many began after it", async () => {
  const rows = [...Array.from({ length: 40 }, (_, n) => ended(`s${199 - n}`)), ended("s120")];
  const { planOf } = joinOf([...rows, { id: "s110", status: "active", lastSeq: 3 }, ended("s100")]);
  const { replay, positions } = await planOf({ s199: 4 });
  expect([...replay]).toEqual([["s110", 0]]);
  expect(positions.get("s110")).toBe(3);
});
