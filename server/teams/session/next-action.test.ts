import { describe, expect, test } from "vitest";
import { nextAction, turnsSinceOutside } from "./next-action.ts";
import type { MessageHead } from "../session-record.ts";
import { EVERYONE, type Member, type Room } from "./topology.ts";

const limits = { maxTurns: 20, maxTokens: 1000, idleMs: 3_600_000 };
const [ann, ben, cid] = ["ann", "ben", "cid"].map((id): Member => ({ id, name: id, type: "internal" })) as [
  Member,
  Member,
  Member,
];
const xen: Member = { id: "xen", name: "xen", type: "external" };

/** A log; unless given, `seen` is the seq of the entry before. */
function logOf(...lines: Partial<MessageHead>[]): MessageHead[] {
  return lines.map((line, index) => ({
    seq: index + 1,
    from: { id: "user_1", type: "user" },
    to: EVERYONE,
    type: "user_prompt",
    seen: line.outside === false ? index : null,
    outside: true,
    at: 1000,
    ...line,
  }));
}
const messageOf = (
  member: Member,
  to: Member | "all",
  type: MessageHead["type"],
  more: Partial<MessageHead> = {},
): Partial<MessageHead> => ({
  from: { id: member.id, type: member.type },
  to: to === "all" ? EVERYONE : { id: to.id, type: to.type },
  type,
  outside: false,
  ...more,
});
const prompt: Partial<MessageHead> = {};

function describeNext(
  topology: Room["topology"],
  heads: MessageHead[],
  { members = [ann, ben, cid], webhookOnly = [] as Member[], totalTokens = 0, now = 2000 } = {},
) {
  const next = nextAction({ room: { topology, members, webhookOnly }, heads, totalTokens, now }, limits);
  if (next.kind === "turn") return `${next.member.id} takes a turn`;
  if (next.kind === "wait") return `waits until ${next.until}`;
  return `ends: ${next.stoppedBy}, answer ${next.answer?.seq ?? "none"}, failure ${next.failure?.seq ?? "none"}`;
}

describe("a mesh", () => {
  test("all members answer a message from outside, in the team's order", () => {
    expect(describeNext("mesh", logOf(prompt))).toBe("ann takes a turn");
    expect(describeNext("mesh", logOf(prompt, messageOf(ann, "all", "agent_result")))).toBe(
      "ben takes a turn",
    );
    expect(
      describeNext(
        "mesh",
        logOf(prompt, messageOf(ann, "all", "agent_result"), messageOf(ben, "all", "agent_result")),
      ),
    ).toBe("cid takes a turn");
  });

  test("ends when no turn is requested, with the last message", () => {
    const log = logOf(
      prompt,
      messageOf(ann, "all", "agent_result"),
      messageOf(ben, "all", "agent_result"),
      messageOf(cid, "all", "agent_result"),
    );
    expect(describeNext("mesh", log)).toBe("ends: finished, answer 4, failure none");
  });

  test("a question goes to the addressed member, and its answer back", () => {
    const asked = logOf(prompt, messageOf(ann, ben, "agent_message"));
    expect(describeNext("mesh", asked, { members: [ann, ben] })).toBe("ben takes a turn");
    const answered = logOf(prompt, messageOf(ann, ben, "agent_message"), messageOf(ben, ann, "agent_result"));
    expect(describeNext("mesh", answered, { members: [ann, ben] })).toBe("ann takes a turn");
  });

  test("a message that arrives during a turn requests another turn, since the speaker had not read it", () => {
    const log = logOf(prompt, prompt, messageOf(ann, "all", "agent_result", { seen: 1 }));
    expect(describeNext("mesh", log, { members: [ann] })).toBe("ann takes a turn");
  });
});

describe("a hierarchy", () => {
  const delegated = [
    prompt,
    messageOf(ann, ben, "agent_message"),
    messageOf(ann, cid, "agent_message", { seen: 1 }),
  ];

  test("the lead starts, the other members answer, and only then the lead continues", () => {
    expect(describeNext("hierarchical", logOf(prompt))).toBe("ann takes a turn");
    expect(describeNext("hierarchical", logOf(...delegated))).toBe("ben takes a turn");
    expect(describeNext("hierarchical", logOf(...delegated, messageOf(ben, ann, "agent_result")))).toBe(
      "cid takes a turn",
    );
    expect(
      describeNext(
        "hierarchical",
        logOf(...delegated, messageOf(ben, ann, "agent_result"), messageOf(cid, ann, "agent_result")),
      ),
    ).toBe("ann takes a turn");
  });

  test("ends when the lead answers everyone", () => {
    const log = logOf(
      ...delegated,
      messageOf(ben, ann, "agent_result"),
      messageOf(cid, ann, "agent_result"),
      messageOf(ann, "all", "agent_result"),
    );
    expect(describeNext("hierarchical", log)).toBe("ends: finished, answer 6, failure none");
  });

  test("a lead gets a turn when another member failed", () => {
    const log = logOf(prompt, messageOf(ann, ben, "agent_message"), messageOf(ben, ann, "error"));
    expect(describeNext("hierarchical", log)).toBe("ann takes a turn");
  });

  test("a lead that fails fails the session", () => {
    expect(describeNext("hierarchical", logOf(prompt, messageOf(ann, "all", "error")))).toBe(
      "ends: finished, answer none, failure 2",
    );
  });

  test("waits for an external agent that was asked and has no URL", () => {
    const log = logOf(prompt, messageOf(ann, xen, "agent_message"));
    expect(describeNext("hierarchical", log, { webhookOnly: [xen] })).toBe(
      `waits until ${1000 + limits.idleMs}`,
    );
    const answered = logOf(prompt, messageOf(ann, xen, "agent_message"), {
      from: { id: "xen", type: "external" },
      to: { id: "ann", type: "internal" },
    });
    expect(describeNext("hierarchical", answered, { webhookOnly: [xen] })).toBe("ann takes a turn");
  });
});

describe("a line", () => {
  test("each member passes on to the next, and the last one ends it", () => {
    expect(describeNext("linear", logOf(prompt))).toBe("ann takes a turn");
    const passedOn = [prompt, messageOf(ann, ben, "agent_message"), messageOf(ben, cid, "agent_message")];
    expect(describeNext("linear", logOf(...passedOn))).toBe("cid takes a turn");
    expect(describeNext("linear", logOf(...passedOn, messageOf(cid, "all", "agent_result")))).toBe(
      "ends: finished, answer 4, failure none",
    );
  });

  test("a member that fails ends it, and earlier messages are not a result", () => {
    const log = logOf(prompt, messageOf(ann, ben, "agent_message"), messageOf(ben, "all", "error"));
    expect(describeNext("linear", log)).toBe("ends: finished, answer none, failure 3");
  });
});

describe("limits", () => {
  const talk = (turns: number) => [
    prompt,
    ...Array.from({ length: turns }, (_, i) =>
      i % 2 === 0 ? messageOf(ann, ben, "agent_message") : messageOf(ben, ann, "agent_message"),
    ),
  ];

  test("a session ends at the limit of turns since the last message from outside", () => {
    expect(describeNext("mesh", logOf(...talk(19)), { members: [ann, ben] })).toBe("ben takes a turn");
    expect(describeNext("mesh", logOf(...talk(20)), { members: [ann, ben] })).toBe(
      "ends: turn_limit, answer 21, failure none",
    );
  });

  test("a message from outside restarts the count of turns", () => {
    expect(describeNext("mesh", logOf(...talk(20), prompt), { members: [ann, ben] })).toBe(
      "ann takes a turn",
    );
  });

  test("the entries of one turn count once", () => {
    expect(
      turnsSinceOutside(
        logOf(
          prompt,
          messageOf(ann, "all", "tool_call", { seen: 1 }),
          messageOf(ann, "all", "tool_result", { seen: 1 }),
          messageOf(ann, ben, "agent_message", { seen: 1 }),
        ),
      ),
    ).toBe(1);
  });

  test("a session ends at the limit of tokens", () => {
    expect(describeNext("mesh", logOf(prompt), { totalTokens: 1000 })).toBe(
      "ends: token_limit, answer none, failure none",
    );
  });
});

describe("no internal members", () => {
  test("the session stays open for external agents for an hour after the last message", () => {
    expect(describeNext("mesh", logOf(prompt), { members: [] })).toBe(`waits until ${1000 + limits.idleMs}`);
    expect(describeNext("mesh", logOf(prompt), { members: [], now: 1000 + limits.idleMs })).toBe(
      "ends: time_limit, answer none, failure none",
    );
  });
});
