import { expect, test } from "vitest";
import type { LogEntry } from "../../contract/teams.ts";
import type { MessageRecord } from "../teams/session-record.ts";
import { EVERYONE } from "../teams/session/topology.ts";
import { withResolvers } from "../../test/support/with-resolvers.ts";
import { createWarRooms, type Viewer } from "./war-room.ts";

/** A room over a log whose reads the test can hold, so that other events happen in between. */
function room() {
  const log: MessageRecord[] = [];
  const pendingReads: (() => void)[] = [];
  const received = new Map<Viewer, number[]>();
  let holdReads = false;
  let readsFail = false;
  const rooms = createWarRooms({
    async log(sessionId, after, limit) {
      if (readsFail) throw new Error("unreadable");
      const page = log.filter((entry) => entry.sessionId === sessionId && entry.seq > after).slice(0, limit);
      if (holdReads) await new Promise<void>((resolve) => pendingReads.push(resolve));
      return page;
    },
    presence: { enter: () => undefined, leave: () => undefined },
    broadcast(teamId, message, except) {
      for (const viewer of rooms.viewersOf(teamId)) if (!except.includes(viewer)) viewer.send(message);
    },
    onError: (error) => {
      if (!readsFail) throw error;
    },
  });
  return {
    rooms,
    received: (viewer: Viewer) => received.get(viewer),
    setHoldReads: (value: boolean) => (holdReads = value),
    failReads: (value: boolean) => (readsFail = value),
    release: () => pendingReads.splice(0).forEach((resolve) => resolve()),
    append(sessionId: string, hint = true, content = {}) {
      const seq = log.filter((entry) => entry.sessionId === sessionId).length + 1;
      log.push({
        id: `msg_${seq}`,
        sessionId,
        teamId: "team",
        seq,
        from: EVERYONE,
        to: EVERYONE,
        type: "user_prompt",
        content,
        seen: null,
        outside: true,
        at: 0,
      });
      if (hint) rooms.onGrown({ kind: "grown", teamId: "team", sessionId, firstSeq: seq });
    },
    enter(): Viewer {
      const seqs: number[] = [];
      const viewer: Viewer = {
        teamId: "team",
        positions: new Map(),
        oldUpTo: "",
        held: undefined,
        catchingUp: new Map(),
        inTurn: (send) => send(),
        send: ({ seq }: LogEntry) => void seqs.push(seq),
        drop: () => undefined,
      };
      received.set(viewer, seqs);
      rooms.hold(viewer);
      rooms.enter(viewer);
      return viewer;
    },
  };
}

test("a viewer that does not read holds back the entries after it, and gets all of them later", async () => {
  const { rooms, append, enter, received } = room();
  for (let n = 0; n < 300; n++) append("a");
  const viewer = enter();
  const { promise, resolve } = withResolvers();
  viewer.inTurn = (send) => (received(viewer)?.length === 2 ? promise.then(send) : send());
  await rooms.replay(viewer, new Map([["a", 0]]), 1);
  const caughtUp = rooms.catchUp(viewer);
  await settled();
  expect(received(viewer)).toEqual([2, 3]);
  resolve();
  await caughtUp;
  expect(received(viewer)).toHaveLength(299);
});

test.each(["joins again", "leaves"])(
  "an entry that waits for a client that %s is not sent after that",
  async (what) => {
    const { rooms, append, enter, received } = room();
    const viewer = enter();
    await rooms.catchUp(viewer);
    const { promise, resolve } = withResolvers();
    viewer.inTurn = (send) => promise.then(send);
    append("a", false);
    rooms.onLogEnd("team", "a", 1);
    await settled();
    if (what === "leaves") rooms.leave(viewer);
    else {
      rooms.hold(viewer);
      expect(await rooms.replay(viewer, new Map([["a", 0]]), 500)).toHaveLength(1);
      await rooms.catchUp(viewer);
    }
    resolve();
    await settled();
    expect(received(viewer)).toEqual([]);
  },
);

test("a replay ends after a megabyte, and the rest follows one by one", async () => {
  const { rooms, append, enter, received } = room();
  for (const session of ["a", "b", "c"]) append(session, true, { text: "x".repeat(600_000) });
  const viewer = enter();
  const messages = await rooms.replay(
    viewer,
    new Map([
      ["a", 0],
      ["b", 0],
      ["c", 0],
    ]),
    200,
  );
  expect(messages.map(({ sessionId }) => sessionId)).toEqual(["a", "b"]);
  await rooms.catchUp(viewer);
  expect(received(viewer)).toEqual([1]);
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("entries written while a client joins are sent once, after the entries it missed", async () => {
  const { rooms, append, enter, received, setHoldReads, release } = room();
  append("a");
  append("a");
  const viewer = enter();
  setHoldReads(true);
  const replay = rooms.replay(viewer, new Map([["a", 0]]), 500);
  append("a");
  setHoldReads(false);
  release();
  const messages = await replay;
  await settled();
  append("a");
  await rooms.catchUp(viewer);
  append("a");
  await settled();
  expect(messages.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(received(viewer)).toEqual([3, 4, 5]);
});

test("a session that starts while a client joins is sent from its first entry", async () => {
  const { rooms, append, enter, received } = room();
  const viewer = enter();
  append("new");
  append("new");
  await settled();
  await rooms.replay(viewer, new Map(), 500);
  await rooms.catchUp(viewer);
  expect(received(viewer)).toEqual([1, 2]);
});

test("entries of a replay that is ahead of the live entries are not sent again", async () => {
  const { rooms, append, enter, received } = room();
  const first = enter();
  await rooms.catchUp(first);
  append("a");
  await settled();
  // Written, but its hint has not arrived yet.
  append("a", false);
  const second = enter();
  const messages = await rooms.replay(second, new Map([["a", 0]]), 500);
  await rooms.catchUp(second);
  rooms.onGrown({ kind: "grown", teamId: "team", sessionId: "a", firstSeq: 2 });
  append("a");
  await settled();
  expect(messages.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(received(second)).toEqual([3]);
  expect(received(first)).toEqual([1, 2, 3]);
});

test("a long log is not read to its end for a client that has left", async () => {
  const { rooms, append, enter, received, setHoldReads, release } = room();
  for (let n = 0; n < 450; n++) append("a", false);
  const viewer = enter();
  await rooms.replay(viewer, new Map([["a", 0]]), 10);
  setHoldReads(true);
  const catchingUp = rooms.catchUp(viewer);
  rooms.leave(viewer);
  setHoldReads(false);
  release();
  await catchingUp;
  expect(received(viewer)).toEqual([]);
});

test("with repeated, late and combined hints every entry is sent once and in order", async () => {
  const { rooms, append, enter, received } = room();
  const viewer = enter();
  await rooms.catchUp(viewer);
  for (let n = 0; n < 450; n++) append("a", n % 7 === 0);
  for (const firstSeq of [450, 3, 3])
    rooms.onGrown({ kind: "grown", teamId: "team", sessionId: "a", firstSeq });
  await settled();
  await settled();
  expect(received(viewer)).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
});

test("entries whose hints were lost are sent before the entry whose hint arrived", async () => {
  const { rooms, append, enter, received } = room();
  const viewer = enter();
  await rooms.catchUp(viewer);
  append("a", false);
  append("a", false);
  append("a");
  await settled();
  append("a");
  await settled();
  expect(received(viewer)).toEqual([1, 2, 3, 4]);
});

test("entries without any hint are sent once when the session's row is polled", async () => {
  const { rooms, append, enter, received } = room();
  const viewer = enter();
  await rooms.catchUp(viewer);
  append("a", false);
  append("a", false);
  rooms.onLogEnd("team", "a", 2);
  await settled();
  rooms.onLogEnd("team", "a", 2);
  await settled();
  expect(received(viewer)).toEqual([1, 2]);
});

test("entries of several sessions without any hint are sent after one poll", async () => {
  const { rooms, append, enter, received } = room();
  const viewer = enter();
  await rooms.catchUp(viewer);
  for (const sessionId of ["a", "b", "c"]) append(sessionId, false);
  for (const sessionId of ["a", "b", "c"]) rooms.onLogEnd("team", sessionId, 1);
  await settled();
  expect(received(viewer)).toEqual([1, 1, 1]);
});

test("only new entries are sent of a session that was old when the client joined", async () => {
  const { rooms, append, enter, received } = room();
  append("old");
  append("old");
  const viewer = enter();
  viewer.oldUpTo = "old";
  await rooms.catchUp(viewer);
  append("old");
  await settled();
  expect(received(viewer)).toEqual([3]);
});

test("a client whose missed entries cannot be read is dropped, and gets them when it rejoins", async () => {
  const { rooms, append, enter, received, failReads } = room();
  const viewer = enter();
  await rooms.catchUp(viewer);
  let drops = 0;
  viewer.drop = () => (drops += 1);
  append("a", false);
  failReads(true);
  rooms.onLogEnd("team", "a", 1);
  await settled();
  expect([drops, received(viewer)]).toEqual([1, []]);
  failReads(false);
  rooms.hold(viewer);
  expect((await rooms.replay(viewer, new Map([["a", 0]]), 500)).map(({ seq }) => seq)).toEqual([1]);
  append("a");
  await rooms.catchUp(viewer);
  await settled();
  expect(received(viewer)).toEqual([2]);
});
