import { expect, test } from "vitest";
import type { AgentChatEvent } from "../../contract/agent-chat.ts";
import {
  applyChatEvent,
  type ChatTurn,
  endTurn,
  newTurn,
  textOf,
  toMessages,
  traceOf,
} from "./agent-chat.ts";

const usage = { inputTokens: 12, outputTokens: 8, totalTokens: 20 };
const started: AgentChatEvent = { event: "started", at: 0, chatId: "chat_1", model: "p/m" };
const call = (at: number, id: string, title: string): AgentChatEvent => ({
  event: "tool_call",
  at,
  id,
  name: "run_it",
  title,
  input: { input: { n: at } },
  asksFirst: true,
});
const result = (at: number, id: string): AgentChatEvent => ({
  event: "tool_result",
  at,
  id,
  output: at,
  failed: false,
  denied: false,
});
const text = (at: number, given: string): AgentChatEvent => ({ event: "text", at, text: given });
const finished = (at: number, calls: number): AgentChatEvent => ({
  event: "finished",
  at,
  text: "",
  model: "p/m",
  usage,
  calls: Array.from({ length: calls }, () => ({ usage })),
});
const played = (...events: AgentChatEvent[]): ChatTurn => events.reduce(applyChatEvent, newTurn("Hello"));

test("text is joined, and a tool call between two texts separates them", () => {
  const turn = played(
    started,
    text(1, "a "),
    text(2, "b"),
    call(3, "c", "Refund"),
    result(9, "c"),
    text(10, "d"),
  );
  expect(turn.items.map(({ kind }) => kind)).toEqual(["text", "tool", "text"]);
  expect(textOf(turn)).toBe("a bd");
});

test("a call waits, runs and ends; a second call with the same id is another one", () => {
  const asking = played(started, call(3, "c", "Refund"));
  expect(asking.items[0]).toMatchObject({ status: "asks" });
  const turn = [
    { event: "tool_started", at: 5, id: "c" } as const,
    result(9, "c"),
    call(12, "c", "Refund"),
  ].reduce<ChatTurn>(applyChatEvent, asking);
  expect(turn.items).toMatchObject([
    { status: "completed", startedAt: 5, endedAt: 9, output: 9 },
    { status: "asks", output: null },
  ]);
  expect(endTurn(turn, "stopped", null).items[1]).toMatchObject({ status: "failed" });
});

test("the trace has a row per call of the model and of a tool, in time", () => {
  const turn = played(
    started,
    call(10, "a", "Order"),
    call(11, "b", "Policy"),
    result(20, "b"),
    result(30, "a"),
    call(45, "c", "Refund"),
    result(50, "c"),
    text(60, "Done"),
    finished(70, 3),
  );
  expect(traceOf(turn).map(({ label, startMs, endMs }) => [label, startMs, endMs])).toEqual([
    ["Plan", 0, 10],
    ["Order", 10, 30],
    ["Policy", 11, 20],
    ["Plan", 30, 45],
    ["Refund", 45, 50],
    ["Answer", 50, 70],
  ]);
  expect(traceOf(turn).map(({ tokens }) => tokens)).toEqual([20, null, null, 20, null, 20]);
});

test("a tool that waits is the last row", () => {
  expect(
    traceOf(played(started, call(10, "a", "Order"))).map(({ label, status }) => [label, status]),
  ).toEqual([
    ["Plan", "completed"],
    ["Order", "asks"],
  ]);
});

test("the conversation has completed turns only, with their tool calls under unique ids", () => {
  const done = played(started, call(1, "c", "Refund"), result(2, "c"), text(3, "Yes"), finished(4, 2));
  const failed = endTurn(newTurn("Lost"), "failed", "no");
  const messages = toMessages([done, failed, done], "Next");
  expect(messages.map(({ role, content }) => [role, content])).toEqual([
    ["user", "Hello"],
    ["assistant", "Yes"],
    ["user", "Hello"],
    ["assistant", "Yes"],
    ["user", "Next"],
  ]);
  const ids = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
  expect(new Set(ids).size).toBe(2);
});
