import { describe, expect, test } from "vitest";
import type { MessageHead } from "../session-record.ts";
import {
  answerRoute,
  requestsTurn,
  EVERYONE,
  canSee,
  mayAddress,
  type Member,
  type Room,
} from "./topology.ts";

const [ann, ben, cid] = ["ann", "ben", "cid"].map((id): Member => ({ id, name: id, type: "internal" })) as [
  Member,
  Member,
  Member,
];
const xen: Member = { id: "xen", name: "xen", type: "external" };
const room = (topology: Room["topology"], members: Member[] = [ann, ben, cid]): Room => ({
  topology,
  members,
  webhookOnly: [],
});

function message(more: Partial<MessageHead>): MessageHead {
  return {
    seq: 1,
    from: { id: "user_1", type: "user" },
    to: EVERYONE,
    type: "user_prompt",
    seen: null,
    outside: true,
    at: 0,
    ...more,
  };
}
const from = (member: Member, to: Member | "all", type: MessageHead["type"] = "agent_message"): MessageHead =>
  message({
    from: { id: member.id, type: member.type },
    to: to === "all" ? EVERYONE : { id: to.id, type: to.type },
    type,
    outside: false,
  });

const whoHears = (it: Room, heard: MessageHead) =>
  it.members.filter((member) => canSee(it, member, heard)).map(({ id }) => id);
const whoIsCalled = (it: Room, heard: MessageHead) =>
  it.members.filter((member) => requestsTurn(it, member, heard)).map(({ id }) => id);

describe("who hears", () => {
  test("everybody in a mesh, also what one says to another", () => {
    expect(whoHears(room("mesh"), from(ann, ben))).toEqual(["ann", "ben", "cid"]);
  });

  test("in a hierarchy the lead hears all, the others only what is said to them", () => {
    expect(whoHears(room("hierarchical"), message({}))).toEqual(["ann"]);
    expect(whoHears(room("hierarchical"), from(ann, ben))).toEqual(["ann", "ben"]);
    expect(whoHears(room("hierarchical"), from(cid, ann, "agent_result"))).toEqual(["ann", "cid"]);
  });

  test("in a line the objective and the one before", () => {
    expect(whoHears(room("linear"), message({}))).toEqual(["ann", "ben", "cid"]);
    expect(whoHears(room("linear"), from(ann, ben))).toEqual(["ann", "ben"]);
  });

  test("nobody hears what tools of others said", () => {
    expect(whoHears(room("mesh"), from(ann, "all", "tool_result"))).toEqual(["ann"]);
  });
});

describe("whose turn a message asks for", () => {
  test("a word from outside: all of a mesh, the lead, the first of a line", () => {
    expect(whoIsCalled(room("mesh"), message({}))).toEqual(["ann", "ben", "cid"]);
    expect(whoIsCalled(room("hierarchical"), message({}))).toEqual(["ann"]);
    expect(whoIsCalled(room("linear"), message({}))).toEqual(["ann"]);
  });

  test("a word to one: that one alone, in every topology", () => {
    for (const topology of ["mesh", "hierarchical", "linear"] as const) {
      expect(whoIsCalled(room(topology), message({ to: { id: "cid", type: "internal" } }))).toEqual(["cid"]);
      expect(whoIsCalled(room(topology), from(ann, ben))).toEqual(["ben"]);
    }
  });

  test("what one inside says to all asks for nobody's, so a mesh falls silent", () => {
    expect(whoIsCalled(room("mesh"), from(ann, "all", "agent_result"))).toEqual([]);
  });

  test("an error goes back to whoever had asked", () => {
    expect(whoIsCalled(room("hierarchical"), from(ben, ann, "error"))).toEqual(["ann"]);
    expect(whoIsCalled(room("mesh"), from(ben, "all", "error"))).toEqual([]);
  });

  test("status and tools ask for nobody's", () => {
    for (const type of ["status", "tool_call", "tool_result"] as const)
      expect(whoIsCalled(room("mesh"), message({ type }))).toEqual([]);
  });

  test("an external agent that can be called has its turn in a mesh, and when it is spoken to", () => {
    const mixed = [ann, xen];
    expect(whoIsCalled(room("mesh", mixed), message({}))).toEqual(["ann", "xen"]);
    expect(whoIsCalled(room("hierarchical", mixed), message({}))).toEqual(["ann"]);
    expect(whoIsCalled(room("hierarchical", mixed), from(ann, xen))).toEqual(["xen"]);
    expect(whoIsCalled(room("mesh", mixed), message({ from: { id: "xen", type: "external" } }))).toEqual([
      "ann",
    ]);
  });
});

describe("where an answer goes", () => {
  test("in a line to the next, from the last to all", () => {
    expect(answerRoute(room("linear"), ann, [message({})])).toEqual({
      to: { id: "ben", type: "internal" },
      type: "agent_message",
    });
    expect(answerRoute(room("linear"), cid, [from(ben, cid)])).toEqual({
      to: EVERYONE,
      type: "agent_result",
    });
  });

  test("to whoever gave the order, to all when somebody outside asked", () => {
    expect(answerRoute(room("hierarchical"), ben, [from(ann, ben)])).toEqual({
      to: { id: "ann", type: "internal" },
      type: "agent_result",
    });
    expect(answerRoute(room("mesh"), ben, [message({})])).toEqual({ to: EVERYONE, type: "agent_result" });
  });

  test("an answer is not answered back, or two would talk for ever", () => {
    expect(answerRoute(room("mesh"), ann, [from(ben, ann, "agent_result")])).toEqual({
      to: EVERYONE,
      type: "agent_result",
    });
  });
});

test("work is given by anybody in a mesh, by the lead of a hierarchy, by nobody in a line", () => {
  const able = (topology: Room["topology"]) =>
    [ann, ben].filter((member) => mayAddress(room(topology), member)).map(({ id }) => id);
  expect([able("mesh"), able("hierarchical"), able("linear")]).toEqual([["ann", "ben"], ["ann"], []]);
});
