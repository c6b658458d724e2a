import { expect, test } from "vitest";
import type { SessionRecord } from "../teams/session-record.ts";
import { createSessionPoll } from "./session-poll.ts";

function team() {
  const rows = new Map<string, SessionRecord>();
  const reached: string[] = [];
  const look = createSessionPoll({
    sessions: {
      openIds: () =>
        Promise.resolve([...rows.values()].flatMap(({ id, status }) => (status === "active" ? [id] : []))),
      listOfTeam: (_teamId, { limit }) =>
        Promise.resolve({ items: [...rows.values()].toReversed().slice(0, limit), nextCursor: null }),
      ofTeam: (id) => Promise.resolve(rows.get(id)),
    },
    reaches: (_teamId, id, lastSeq) => reached.push(`${id} ${lastSeq}`),
  });
  const put = (id: string, status: string, lastSeq: number): void =>
    void rows.set(id, { id, status, lastSeq } as SessionRecord);
  return {
    look,
    put,
    /** What one look at the rows finds of this session. */
    async sees(id: string) {
      reached.length = 0;
      await look.at("team");
      return reached.filter((line) => line.startsWith(`${id} `));
    },
    crowd: () => Array.from({ length: 30 }, (_, n) => put(`later_${n}`, "completed", 4)),
  };
}

test("a session that is still under way when many have begun after it is looked at, and so is its end, once", async () => {
  const { put, sees, crowd } = team();
  put("slow", "active", 1);
  crowd();
  expect(await sees("slow")).toEqual(["slow 1"]);
  put("slow", "completed", 4);
  expect(await sees("slow")).toEqual(["slow 4"]);
  expect(await sees("slow")).toEqual([]);
});

test("a session that somebody came back for is looked at, though it had ended before the first look", async () => {
  const { look, put, sees, crowd } = team();
  put("named", "completed", 4);
  crowd();
  look.follow("team", ["named"]);
  expect(await sees("named")).toEqual(["named 4"]);
  expect(await sees("named")).toEqual([]);
});
