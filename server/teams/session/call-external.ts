import { setTimeout as sleep } from "node:timers/promises";
import { isRecord } from "../../../contract/placeholders/json-value.ts";
import type { ExternalAgent } from "../../../contract/teams.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Egress } from "../../security/egress.ts";
import { redactResult } from "../../security/redact-result.ts";
import type { A2aClient, RemoteAgent, RemoteAnswer } from "../external/a2a-client.ts";
import type { AgentCards } from "../external/agent-cards.ts";
import type { ReadCredential } from "../external/credentials.ts";
import { postJson } from "../external/post-json.ts";
import type { RemoteTask, RemoteTaskStore, ReplyRoute } from "../external/remote-task.sql.ts";
import { pollDelayMs, toContent } from "../external/remote-task-loop.ts";
import type { MessageRecord } from "../session-record.ts";
import { textOf } from "./transcript.ts";

export interface CallExternalDeps {
  clock: Clock;
  cards: AgentCards;
  client: A2aClient;
  readCredential: ReadCredential;
  remoteTasks: RemoteTaskStore;
  /** A task has not ended within the turn: its answer is posted when it has. */
  followLater(): void;
}

export interface ExternalCall {
  ownerId: string;
  /** Where an answer goes that comes after the turn. */
  reply: ReplyRoute;
  signal: AbortSignal;
}

/** Resolves to the agent's reply; undefined if it only acknowledged the message, or replies later. */
export type CallExternal = (
  agent: ExternalAgent & { url: string },
  message: MessageRecord,
  call: ExternalCall,
) => Promise<Record<string, unknown> | undefined>;

/** How long a turn waits for the end of the agent's task. Other members wait meanwhile. */
const TURN_MS = 20_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** Sends one message to an external agent's URL: over A2A if the URL serves an agent card, otherwise as a webhook. */
export function createCallExternal(deps: CallExternalDeps): CallExternal {
  const { clock, cards, client, readCredential, remoteTasks, followLater } = deps;

  async function sendWebhook(
    url: string,
    { id, sessionId, teamId, seq, from, to, type, content }: MessageRecord,
    fetch: Egress["fetch"],
    signal: AbortSignal,
  ): Promise<Record<string, unknown> | undefined> {
    const body = { messageId: id, sessionId, teamId, seq, from, to, type, content };
    return webhookReply(await postJson(fetch, url, body, { "idempotency-key": id }, signal));
  }

  /** After a crash during the turn, the task that the first attempt has started is read instead. */
  async function sendOrResume(
    remote: RemoteAgent,
    agent: string,
    { id, sessionId, teamId, from, content }: MessageRecord,
    { ownerId, reply, signal }: ExternalCall,
  ): Promise<{ answer: RemoteAnswer; task: RemoteTask }> {
    const sent = await remoteTasks.find({ sessionId, agent, messageId: id });
    if (sent !== undefined && sent.taskId !== null)
      return {
        answer: { ...sent, taskId: sent.taskId, kind: "task", state: "working", text: "" },
        task: sent,
      };
    const { contextId, taskId } = await remoteTasks.conversation(sessionId, agent);
    const metadata = { sessionId, from: from.id };
    const message = { messageId: id, text: textOf(content), contextId, taskId, metadata };
    const answer = await client.send(remote, message, signal);
    const task: RemoteTask = {
      sessionId,
      agent,
      messageId: id,
      ownerId,
      teamId,
      contextId: answer.contextId,
      taskId: answer.kind === "task" ? answer.taskId : null,
      state: answer.kind === "task" ? "working" : "ended",
      reply,
      attempts: 0,
      createdAt: clock.now(),
    };
    await remoteTasks.save(task, null);
    return { answer, task };
  }

  async function withinTurn(
    remote: RemoteAgent,
    first: RemoteAnswer,
    signal: AbortSignal,
  ): Promise<RemoteAnswer> {
    let answer = first;
    const until = clock.monotonic() + TURN_MS;
    for (let pause = FIRST_PAUSE_MS; answer.kind === "task" && answer.state === "working"; pause *= 1.5) {
      if (clock.monotonic() >= until) return answer;
      await sleep(Math.min(pause, LONGEST_PAUSE_MS), undefined, { signal });
      try {
        answer = await client.getTask(remote, answer.taskId, signal);
      } catch (error) {
        // The agent works on: its answer is read later.
        if (error instanceof AppError && error.retryable) return answer;
        throw error;
      }
    }
    return answer;
  }

  return async (agent, message, call) => {
    const card = await cards.find(agent.url, call.signal);
    const { fetch, secrets } = await readCredential(agent, call.ownerId);
    return redactResult(secrets, () =>
      card === undefined
        ? sendWebhook(agent.url, message, fetch, call.signal)
        : converse({ rpcUrl: card.rpcUrl, fetch }, agent.name, message, call),
    );
  };

  async function converse(
    remote: RemoteAgent,
    agent: string,
    message: MessageRecord,
    call: ExternalCall,
  ): Promise<Record<string, unknown> | undefined> {
    const { answer: first, task } = await sendOrResume(remote, agent, message, call);
    const answer = await withinTurn(remote, first, call.signal);
    const { text } = answer;
    if (answer.kind === "message") return text === "" ? undefined : { text };
    const { state } = answer;
    if (state === "working") {
      await remoteTasks.save(task, clock.now() + pollDelayMs(0));
      followLater();
      return undefined;
    }
    await remoteTasks.save({ ...task, state: state === "input_required" ? state : "ended" }, null);
    if (state === "failed")
      throw new AppError("external_agent_failed", text || "The agent's task failed without a reason.");
    return text === "" && state === "completed" ? undefined : toContent(text, state);
  }
}

/** Only a body with `content` is a reply: `{"ok": true}` just acknowledges the message. */
function webhookReply(response: unknown): Record<string, unknown> | undefined {
  const content = isRecord(response) ? response["content"] : undefined;
  if (isRecord(content)) return content;
  return typeof content === "string" && content !== "" ? { text: content } : undefined;
}
