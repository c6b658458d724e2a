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

const viewersOf = (given: Room, head: MessageHead) =>
  given.members.filter((member) => canSee(given, member, head)).map(({ id }) => id);
const requestedOf = (given: Room, head: MessageHead) =>
  given.members.filter((member) => requestsTurn(given, member, head)).map(({ id }) => id);

describe("visible messages", () => {
  test("in a mesh every member sees every message, also between two others", () => {
    expect(viewersOf(room("mesh"), from(ann, ben))).toEqual(["ann", "ben", "cid"]);
  });

  test("in a hierarchy the lead sees all, the others only messages addressed to them", () => {
    expect(viewersOf(room("hierarchical"), message({}))).toEqual(["ann"]);
    expect(viewersOf(room("hierarchical"), from(ann, ben))).toEqual(["ann", "ben"]);
    expect(viewersOf(room("hierarchical"), from(cid, ann, "agent_result"))).toEqual(["ann", "cid"]);
  });

  test("in a line each member sees the objective and the previous answer", () => {
    expect(viewersOf(room("linear"), message({}))).toEqual(["ann", "ben", "cid"]);
    expect(viewersOf(room("linear"), from(ann, ben))).toEqual(["ann", "ben"]);
  });

  test("tool results are visible only to the member that called the tool", () => {
    expect(viewersOf(room("mesh"), from(ann, "all", "tool_result"))).toEqual(["ann"]);
  });
});

describe("requested turns", () => {
  test("a message from outside requests turns of all in a mesh, of the lead, of the first in a line", () => {
    expect(requestedOf(room("mesh"), message({}))).toEqual(["ann", "ben", "cid"]);
    expect(requestedOf(room("hierarchical"), message({}))).toEqual(["ann"]);
    expect(requestedOf(room("linear"), message({}))).toEqual(["ann"]);
  });

  test("an addressed message requests a turn of its recipient only, in every topology", () => {
    for (const topology of ["mesh", "hierarchical", "linear"] as const) {
      expect(requestedOf(room(topology), message({ to: { id: "cid", type: "internal" } }))).toEqual(["cid"]);
      expect(requestedOf(room(topology), from(ann, ben))).toEqual(["ben"]);
    }
  });

  test("a member's message to everyone requests no turn, so a mesh terminates", () => {
    expect(requestedOf(room("mesh"), from(ann, "all", "agent_result"))).toEqual([]);
  });

  test("an error requests a turn of the member that asked", () => {
    expect(requestedOf(room("hierarchical"), from(ben, ann, "error"))).toEqual(["ann"]);
    expect(requestedOf(room("mesh"), from(ben, "all", "error"))).toEqual([]);
  });

  test("status entries and tool calls request no turn", () => {
    for (const type of ["status", "tool_call", "tool_result"] as const)
      expect(requestedOf(room("mesh"), message({ type }))).toEqual([]);
  });

  test("an external agent with a URL gets a turn in a mesh, and when it is addressed", () => {
    const mixed = [ann, xen];
    expect(requestedOf(room("mesh", mixed), message({}))).toEqual(["ann", "xen"]);
    expect(requestedOf(room("hierarchical", mixed), message({}))).toEqual(["ann"]);
    expect(requestedOf(room("hierarchical", mixed), from(ann, xen))).toEqual(["xen"]);
    expect(requestedOf(room("mesh", mixed), message({ from: { id: "xen", type: "external" } }))).toEqual([
      "ann",
    ]);
  });
});

describe("recipient of an answer", () => {
  test("in a line the next member, for the last one everyone", () => {
    expect(answerRoute(room("linear"), ann, [message({})])).toEqual({
      to: { id: "ben", type: "internal" },
      type: "agent_message",
    });
    expect(answerRoute(room("linear"), cid, [from(ben, cid)])).toEqual({
      to: EVERYONE,
      type: "agent_result",
    });
  });

  test("the member that delegated, or everyone for a message from outside", () => {
    expect(answerRoute(room("hierarchical"), ben, [from(ann, ben)])).toEqual({
      to: { id: "ann", type: "internal" },
      type: "agent_result",
    });
    expect(answerRoute(room("mesh"), ben, [message({})])).toEqual({ to: EVERYONE, type: "agent_result" });
  });

  test("an answer is not answered back, or two members would talk forever", () => {
    expect(answerRoute(room("mesh"), ann, [from(ben, ann, "agent_result")])).toEqual({
      to: EVERYONE,
      type: "agent_result",
    });
  });
});

test("every member of a mesh, only the lead of a hierarchy and no member of a line may delegate", () => {
  const able = (topology: Room["topology"]) =>
    [ann, ben].filter((member) => mayAddress(room(topology), member)).map(({ id }) => id);
  expect([able("mesh"), able("hierarchical"), able("linear")]).toEqual([["ann", "ben"], ["ann"], []]);
});
