import { setTimeout as delay } from "node:timers/promises";
import type { CallToolResult } from "@modelcontextprotocol/client";
import * as z from "zod";
import { AppError } from "../lib/errors.ts";
import { answerRequests } from "./answer-form.ts";
import { EXCERPT_LENGTH } from "./mcp-error.ts";
import type { McpSession } from "./mcp-clients.ts";

const DEFAULT_POLL_MS = 1000;
const MIN_POLL_MS = 100;
const MAX_POLL_MS = 60_000;

/** A task of the server, in the form of the extension (2026-07-28) or of version 2025-11-25. */
const taskSchema = z.looseObject({
  taskId: z.string().min(1).max(1000),
  status: z.string(),
  statusMessage: z.string().optional(),
  pollIntervalMs: z.number().optional(),
  pollInterval: z.number().optional(),
  result: z.unknown().optional(),
  inputRequests: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ message: z.string() }).optional().catch(undefined),
});
type RemoteTask = z.infer<typeof taskSchema>;

const toolResultSchema = z.looseObject({ content: z.array(z.unknown()).default([]) });
const anyResult = z.looseObject({});

/** Asks for the task at the interval that the server sets until it has ended. A call that ends early cancels it. */
export async function pollTask(session: McpSession, handle: unknown): Promise<CallToolResult> {
  let task = taskSchema.parse(handle);
  const answered = new Set<string>();
  const { signal } = session.waiting;
  try {
    while (task.status === "working" || (await answerTask(session, task, answered))) {
      await delay(pollMs(task), undefined, { signal });
      task = await readTask(session, task.taskId);
    }
  } catch (error) {
    if (signal.aborted) cancelTask(session, task.taskId);
    throw error;
  }
  if (task.status === "completed") return toolResultOf(session, task);
  // The server would wait for an answer that no one gives.
  if (task.status === "input_required") cancelTask(session, task.taskId);
  throw new AppError("mcp_tool_failed", `The task of the server ${endOf(task)}`);
}

/** Sends the step's answers, each once. False when the task has not asked, or the step has no answers. */
async function answerTask(
  { client, waiting, answers }: McpSession,
  { taskId, status, inputRequests = {} }: RemoteTask,
  answered: Set<string>,
): Promise<boolean> {
  if (status !== "input_required" || answers === undefined) return false;
  const open = Object.entries(inputRequests).filter(([key]) => !answered.has(key));
  const inputResponses = answerRequests(answers, Object.fromEntries(open));
  if (inputResponses === undefined) return false;
  for (const [key] of open) answered.add(key);
  if (open.length > 0)
    await client.request({ method: "tasks/update", params: { taskId, inputResponses } }, anyResult, waiting);
  return true;
}

/** Version 2025-11-25: the caller asks for a task and fetches its result in a separate request. */
export async function callAsTask(
  session: McpSession,
  call: { name: string; arguments: Record<string, unknown> },
): Promise<CallToolResult> {
  const { client, waiting } = session;
  const params = { ...call, task: {} };
  const created = await client.request({ method: "tools/call", params }, anyResult, waiting);
  return pollTask(session, created["task"]);
}

async function readTask({ client, waiting }: McpSession, taskId: string): Promise<RemoteTask> {
  return client.request({ method: "tasks/get", params: { taskId } }, taskSchema, waiting);
}

async function toolResultOf({ client, waiting }: McpSession, task: RemoteTask): Promise<CallToolResult> {
  const result =
    client.getProtocolEra() === "legacy"
      ? await client.request(
          { method: "tasks/result", params: { taskId: task.taskId } },
          toolResultSchema,
          waiting,
        )
      : toolResultSchema.parse(task.result);
  return result as CallToolResult;
}

/** The server may go on with it; the call does not wait for the acknowledgement. */
function cancelTask({ client }: McpSession, taskId: string): void {
  client
    .request({ method: "tasks/cancel", params: { taskId } }, anyResult, { timeout: 5000 })
    .catch(() => undefined);
}

function pollMs({ pollIntervalMs, pollInterval }: RemoteTask): number {
  const asked = pollIntervalMs ?? pollInterval ?? DEFAULT_POLL_MS;
  return Math.min(Math.max(asked, MIN_POLL_MS), MAX_POLL_MS);
}

function endOf({ status, error, statusMessage }: RemoteTask): string {
  if (status === "input_required") return "asks for input, which a step cannot give.";
  const said = error?.message ?? statusMessage;
  const verb = status === "failed" ? "failed" : status === "cancelled" ? "was cancelled" : "ended";
  return said === undefined ? `${verb}.` : `${verb}: ${said.slice(0, EXCERPT_LENGTH)}`;
}
