import { expect, test } from "vitest";
import { readMentions } from "./mentions.ts";
import type { Member } from "./topology.ts";

const others: Member[] = [
  { id: "agent_1", name: "Ann Lee", type: "internal" },
  { id: "scout", name: "scout", type: "external" },
];

test("each part is addressed by name or id, in any case", () => {
  const parts = readMentions(
    "Let us begin.\n@ann lee: find it\nall of it\n@SCOUT: look there\n@agent_1: and again",
    others,
  );
  expect(parts.map(({ to, text }) => [to?.id, text])).toEqual([
    [undefined, "Let us begin."],
    ["agent_1", "find it\nall of it"],
    ["scout", "look there"],
    ["agent_1", "and again"],
  ]);
});

test("a name in the middle of a line, an unknown one or one without a colon is plain text", () => {
  const text = "ask @scout: what\n@nobody: hello\n@scout hello";
  expect(readMentions(text, others)).toEqual([{ to: undefined, text }]);
});

test("empty parts are dropped", () => {
  expect(readMentions(" \n@scout:  \n", others)).toEqual([]);
});
