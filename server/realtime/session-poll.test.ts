import { expect, test } from "vitest";
import type { SessionRecord } from "../teams/session-record.ts";
import { createSessionPoll } from "./session-poll.ts";

function team() {
  const rows = new Map<string, SessionRecord>();
  const ends: string[] = [];
  const sessionPoll = createSessionPoll({
    sessions: {
      unfinishedIds: () =>
        Promise.resolve([...rows.values()].flatMap(({ id, status }) => (status === "active" ? [id] : []))),
      listOfTeam: (_teamId, { limit }) =>
        Promise.resolve({ items: [...rows.values()].toReversed().slice(0, limit), nextCursor: null }),
      findAllInTeam: (ids) => Promise.resolve(ids.flatMap((id) => rows.get(id) ?? [])),
    },
    onLogEnd: (_teamId, id, lastSeq) => ends.push(`${id} ${lastSeq}`),
  });
  const put = (id: string, status: string, lastSeq: number): void =>
    void rows.set(id, { id, status, lastSeq } as SessionRecord);
  return {
    sessionPoll,
    put,
    /** The log ends that one poll reports for this session. */
    async poll(id: string) {
      ends.length = 0;
      await sessionPoll.poll("team");
      return ends.filter((line) => line.startsWith(`${id} `));
    },
    addNewerSessions: () => Array.from({ length: 30 }, (_, n) => put(`later_${n}`, "completed", 4)),
  };
}

test("an active session is polled although many newer ones exist, and once more after its end", async () => {
  const { put, poll, addNewerSessions } = team();
  put("slow", "active", 1);
  addNewerSessions();
  expect(await poll("slow")).toEqual(["slow 1"]);
  put("slow", "completed", 4);
  expect(await poll("slow")).toEqual(["slow 4"]);
  expect(await poll("slow")).toEqual([]);
});

test("a session that a client rejoined is polled once, although it had ended before", async () => {
  const { sessionPoll, put, poll, addNewerSessions } = team();
  put("named", "completed", 4);
  addNewerSessions();
  sessionPoll.track("team", ["named"]);
  expect(await poll("named")).toEqual(["named 4"]);
  expect(await poll("named")).toEqual([]);
});
