import { expect, test } from "vitest";
import type { LogEntry } from "../../contract/teams.ts";
import type { MessageRecord } from "../teams/session-record.ts";
import { EVERYONE } from "../teams/session/topology.ts";
import { createWarRooms, type Viewer } from "./war-room.ts";

/** A room over a log that answers when the test lets it, so that everything can happen in between. */
function room() {
  const log: MessageRecord[] = [];
  const waiting: (() => void)[] = [];
  const heard = new Map<Viewer, number[]>();
  let hold = false;
  const rooms = createWarRooms({
    async log(sessionId, after, limit) {
      const page = log.filter((entry) => entry.sessionId === sessionId && entry.seq > after).slice(0, limit);
      if (hold) await new Promise<void>((resolve) => waiting.push(resolve));
      return page;
    },
    presence: { enter: () => undefined, leave: () => undefined },
    broadcast(teamId, message, except) {
      for (const viewer of rooms.viewersOf(teamId)) if (!except.includes(viewer)) viewer.send(message);
    },
    onError: (error) => {
      throw error;
    },
  });
  return {
    rooms,
    heard: (viewer: Viewer) => heard.get(viewer),
    setHold: (value: boolean) => (hold = value),
    release: () => waiting.splice(0).forEach((resolve) => resolve()),
    append(sessionId: string, hint = true) {
      const seq = log.filter((entry) => entry.sessionId === sessionId).length + 1;
      log.push({
        id: `msg_${seq}`,
        sessionId,
        teamId: "team",
        seq,
        from: EVERYONE,
        to: EVERYONE,
        type: "user_prompt",
        content: {},
        seen: null,
        outside: true,
        at: 0,
      });
      if (hint) rooms.grown({ kind: "grown", teamId: "team", sessionId, firstSeq: seq });
    },
    enter(): Viewer {
      const told: number[] = [];
      const viewer: Viewer = {
        teamId: "team",
        toldUpTo: new Map(),
        oldUpTo: "",
        missed: new Map(),
        send: ({ seq }: LogEntry) => told.push(seq),
        drop: () => undefined,
      };
      heard.set(viewer, told);
      rooms.enter(viewer);
      return viewer;
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("what comes in while somebody joins is told after what was missed, once", async () => {
  const { rooms, append, enter, heard, setHold, release } = room();
  append("a");
  append("a");
  const viewer = enter();
  setHold(true);
  const replay = rooms.replay(viewer, new Map([["a", 0]]), 500);
  append("a");
  setHold(false);
  release();
  const messages = await replay;
  await settled();
  append("a");
  await rooms.catchUp(viewer);
  append("a");
  await settled();
  expect(messages.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(heard(viewer)).toEqual([3, 4, 5]);
});

test("a session that begins while somebody joins is told from its beginning", async () => {
  const { rooms, append, enter, heard } = room();
  const viewer = enter();
  append("new");
  append("new");
  await settled();
  await rooms.replay(viewer, new Map(), 500);
  await rooms.catchUp(viewer);
  expect(heard(viewer)).toEqual([1, 2]);
});

test("a replay that is ahead of the live messages is not repeated by them", async () => {
  const { rooms, append, enter, heard } = room();
  const first = enter();
  await rooms.catchUp(first);
  append("a");
  await settled();
  // Written, but the hint of it has not come yet.
  append("a", false);
  const second = enter();
  const messages = await rooms.replay(second, new Map([["a", 0]]), 500);
  await rooms.catchUp(second);
  rooms.grown({ kind: "grown", teamId: "team", sessionId: "a", firstSeq: 2 });
  append("a");
  await settled();
  expect(messages.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(heard(second)).toEqual([3]);
  expect(heard(first)).toEqual([1, 2, 3]);
});

test("a long log is not read to its end for somebody who has left", async () => {
  const { rooms, append, enter, heard, setHold, release } = room();
  for (let n = 0; n < 450; n++) append("a", false);
  const viewer = enter();
  await rooms.replay(viewer, new Map([["a", 0]]), 10);
  setHold(true);
  const catchingUp = rooms.catchUp(viewer);
  rooms.leave(viewer);
  setHold(false);
  release();
  await catchingUp;
  expect(heard(viewer)).toEqual([]);
});

test("hints that come twice, late or together tell every entry once and in order", async () => {
  const { rooms, append, enter, heard } = room();
  const viewer = enter();
  await rooms.catchUp(viewer);
  for (let n = 0; n < 450; n++) append("a", n % 7 === 0);
  for (const firstSeq of [450, 3, 3])
    rooms.grown({ kind: "grown", teamId: "team", sessionId: "a", firstSeq });
  await settled();
  await settled();
  expect(heard(viewer)).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
});

test("entries whose hints were lost come before the one whose hint came", async () => {
  const { rooms, append, enter, heard } = room();
  const viewer = enter();
  await rooms.catchUp(viewer);
  append("a", false);
  append("a", false);
  append("a");
  await settled();
  append("a");
  await settled();
  expect(heard(viewer)).toEqual([1, 2, 3, 4]);
});

test("a log that has grown without any hint is told when its row is looked at, once", async () => {
  const { rooms, append, enter, heard } = room();
  const viewer = enter();
  await rooms.catchUp(viewer);
  append("a", false);
  append("a", false);
  rooms.reaches("team", "a", 2);
  await settled();
  rooms.reaches("team", "a", 2);
  await settled();
  expect(heard(viewer)).toEqual([1, 2]);
});

test("of several logs that have grown without any hint all are told at one look", async () => {
  const { rooms, append, enter, heard } = room();
  const viewer = enter();
  await rooms.catchUp(viewer);
  for (const sessionId of ["a", "b", "c"]) append(sessionId, false);
  for (const sessionId of ["a", "b", "c"]) rooms.reaches("team", sessionId, 1);
  await settled();
  expect(heard(viewer)).toEqual([1, 1, 1]);
});

test("of a session that was old when somebody came, only what is new is told", async () => {
  const { rooms, append, enter, heard } = room();
  append("old");
  append("old");
  const viewer = enter();
  viewer.oldUpTo = "old";
  await rooms.catchUp(viewer);
  append("old");
  await settled();
  expect(heard(viewer)).toEqual([3]);
});
