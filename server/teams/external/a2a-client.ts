import { isRecord } from "../../../contract/placeholders/json-value.ts";
import { AppError } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import type { Egress } from "../../security/egress.ts";
import { postJson } from "./post-json.ts";

/** What a remote agent has answered: a message, or a task in some state. */
export type RemoteAnswer =
  | { kind: "message"; contextId: string | null; text: string }
  | { kind: "task"; contextId: string | null; taskId: string; state: RemoteState; text: string };

export type RemoteState = "working" | "input_required" | "completed" | "failed";

export interface RemoteMessage {
  messageId: string;
  text: string;
  contextId: string | null;
  /** The task that asked for input. */
  taskId: string | null;
  metadata: Record<string, unknown>;
}

export interface RemoteAgent {
  rpcUrl: string;
  /** With the credential of the agent. */
  fetch: Egress["fetch"];
}

export type A2aClient = ReturnType<typeof createA2aClient>;

/** A map: an agent may name a state `constructor`, which every object has. */
const STATES: ReadonlyMap<unknown, RemoteState> = new Map([
  ["TASK_STATE_SUBMITTED", "working"],
  ["TASK_STATE_WORKING", "working"],
  ["TASK_STATE_INPUT_REQUIRED", "input_required"],
  ["TASK_STATE_AUTH_REQUIRED", "input_required"],
  ["TASK_STATE_COMPLETED", "completed"],
  ["TASK_STATE_FAILED", "failed"],
  ["TASK_STATE_CANCELED", "failed"],
  ["TASK_STATE_REJECTED", "failed"],
]);

/** The JSON-RPC binding of A2A 1.0, as far as a team needs it. */
export function createA2aClient() {
  async function call(
    { rpcUrl, fetch }: RemoteAgent,
    method: string,
    params: unknown,
    signal: AbortSignal | undefined,
  ): Promise<Record<string, unknown>> {
    const request = { jsonrpc: "2.0", id: createId("req"), method, params };
    const response = await postJson(fetch, rpcUrl, request, { "a2a-version": "1.0" }, signal);
    if (!isRecord(response)) throw failed("The agent's response is not JSON-RPC.");
    const { error, result } = response;
    if (isRecord(error)) {
      const { message } = error;
      const reason = typeof message === "string" ? message.slice(0, 300) : "no reason given";
      throw failed(`The agent returned an error: ${reason}`);
    }
    return isRecord(result) ? result : {};
  }

  return {
    /** Returns as soon as the agent has accepted the message. */
    async send(
      agent: RemoteAgent,
      { messageId, text, contextId, taskId, metadata }: RemoteMessage,
      signal?: AbortSignal,
    ): Promise<RemoteAnswer> {
      const message = {
        messageId,
        role: "ROLE_USER",
        parts: [{ text }],
        ...(contextId === null ? {} : { contextId }),
        ...(taskId === null ? {} : { taskId }),
        metadata,
      };
      const configuration = { returnImmediately: true };
      const result = await call(agent, "SendMessage", { message, configuration }, signal);
      if (isRecord(result["task"])) return toTask(result["task"]);
      const reply = isRecord(result["message"]) ? result["message"] : {};
      return { kind: "message", contextId: idOf(reply["contextId"]) ?? contextId, text: partsText(reply) };
    },

    async getTask(agent: RemoteAgent, taskId: string, signal?: AbortSignal): Promise<RemoteAnswer> {
      return toTask(await call(agent, "GetTask", { id: taskId, historyLength: 0 }, signal));
    },
  };
}

function toTask(task: Record<string, unknown>): RemoteAnswer {
  const taskId = idOf(task["id"]);
  if (taskId === null) throw failed("The agent's response contains a task without an id.");
  const status = isRecord(task["status"]) ? task["status"] : {};
  const artifacts = Array.isArray(task["artifacts"]) ? (task["artifacts"] as unknown[]) : [];
  const state = STATES.get(status["state"]) ?? "working";
  // A question is in the message; artifacts may be unfinished then.
  const holders = state === "input_required" ? [status["message"]] : [...artifacts, status["message"]];
  const text = holders
    .map(partsText)
    .filter((part) => part !== "")
    .join("\n\n");
  return { kind: "task", taskId, contextId: idOf(task["contextId"]), state, text };
}

function idOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= 500 ? value : null;
}

function partsText(holder: unknown): string {
  const parts = isRecord(holder) && Array.isArray(holder["parts"]) ? (holder["parts"] as unknown[]) : [];
  return parts
    .filter(isRecord)
    .map(({ text, data }) =>
      typeof text === "string" ? text : data === undefined ? "" : JSON.stringify(data),
    )
    .filter((text) => text !== "")
    .join("\n");
}

function failed(message: string): AppError {
  return new AppError("external_agent_failed", message);
}
