import { expect, test } from "vitest";
import type { LogEntry } from "../../contract/teams.ts";
import { toRoomItems } from "./room-log.ts";

let seq = 0;
const entry = (type: LogEntry["type"], content: Record<string, unknown>, id = "ann"): LogEntry => ({
  id: "msg",
  seq: ++seq,
  sessionId: "s",
  teamId: "t",
  from: { id, type: "internal" },
  to: { id: "broadcast", type: "broadcast" },
  type,
  content,
  createdAt: "2026-01-01T00:00:00.000Z",
});
const call = (callId: string, tool: string, input: unknown = {}, id = "ann") =>
  entry("tool_call", { callId, tool, input }, id);
const result = (callId: string, output: unknown, failed = false, id = "ann") =>
  entry("tool_result", { callId, tool: "x", output, failed }, id);

test("a tool call and its result are one sentence with a status, and other entries stay", () => {
  const items = toRoomItems([
    entry("user_prompt", { text: "Why?" }),
    call("1", "run_refund_report"),
    result("1", { taskId: "task_1", output: [1, 2] }),
    call("2", "ask_documents", { query: "strike" }),
    result("2", "no document", true),
    entry("agent_result", { text: "Because." }),
  ]);
  expect(items).toMatchObject([
    { kind: "message" },
    { sentence: "Ran Refund report", status: "completed", summary: "2 items", taskId: "task_1" },
    { sentence: "Could not search the documents for “strike”", status: "failed", summary: "no document" },
    { kind: "message" },
  ]);
});

test("a call without a result is running, and equal ids of two agents or turns are kept apart", () => {
  const items = toRoomItems([
    call("1", "run_a"),
    call("1", "run_b", {}, "ben"),
    result("1", "of ben", false, "ben"),
    result("1", "of ann"),
    call("1", "run_c"),
  ]);
  expect(items).toMatchObject([
    { sentence: "Ran A", summary: "of ann" },
    { sentence: "Ran B", summary: "of ben" },
    { sentence: "Ran C", status: "running" },
  ]);
});

test("a result without its call is shown as it is", () => {
  expect(toRoomItems([result("9", "lost")])).toMatchObject([{ kind: "message" }]);
});
