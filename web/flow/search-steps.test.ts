import { expect, test } from "vitest";
import { addables, searchSteps, suggestedTypes } from "./search-steps.ts";

const all = addables([{ id: "wf_1", name: "Send survey" }]);

test.each([
  ["if", "condition"],
  ["loop", "foreach"],
  ["for", "foreach"],
  ["slack", "http"],
  ["api", "http"],
  ["sleep", "delay"],
  ["wait", "delay"],
  ["gpt", "llm"],
  ["pdf", "document_query"],
  ["case", "switch"],
  ["code", "code"],
  ["send mail", "email"],
  ["human", "approval"],
])("%j finds the %s step first", (text, type) => {
  expect(searchSteps(all, text)[0]?.type).toBe(type);
});

test.each([
  ["rss", "rss"],
  ["feed", "rss"],
  ["atom", "rss"],
  ["imap", "email"],
  ["inbox", "email"],
  ["mailbox", "email"],
  ["chat", "chat"],
  ["widget", "chat"],
  ["cron", "schedule"],
  ["schedule", "schedule"],
  ["every", "schedule"],
  ["form", "form"],
  ["webhook", "webhook"],
  ["endpoint", "endpoint"],
])("%j finds the %s trigger first", (text, kind) => {
  expect(searchSteps(all, text)[0]?.trigger).toBe(kind);
});

test("a word for a step and a trigger finds both, the step first", () => {
  const found = searchSteps(all, "mail");
  expect(found[0]?.type).toBe("email");
  expect(found.slice(0, 3).map(({ trigger }) => trigger)).toContain("email");
});

test("workflows are found by name and carry their id; the workflow itself is left out", () => {
  expect(searchSteps(all, "survey")).toMatchObject([{ type: "workflow", fields: { workflowId: "wf_1" } }]);
  expect(searchSteps(addables([{ id: "wf_1", name: "Send survey" }], "wf_1"), "survey")).toEqual([]);
});

test("no step matches nonsense, and every step matches an empty search", () => {
  expect(searchSteps(all, "zzz")).toEqual([]);
  expect(searchSteps(all, " ")).toHaveLength(all.length);
});

test("a list suggests a loop first, whatever step made it", () => {
  expect(suggestedTypes({ stepId: "a", type: "llm" }, [1])[0]).toBe("foreach");
  expect(suggestedTypes({ stepId: "a", type: "llm" }, "text")).not.toContain("foreach");
  expect(suggestedTypes(undefined, undefined)[0]).toBe("http");
});
