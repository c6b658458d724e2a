import type { ExternalAgent } from "../../../contract/teams.ts";
import type { DueLoop } from "../../engine/worker/due-loop.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { createFairDueLoop } from "../../outbox/fair-due-loop.ts";
import { redactResult } from "../../security/redact-result.ts";
import type { Sessions } from "../sessions.ts";
import type { TeamRecord } from "../team.sql.ts";
import type { A2aClient, RemoteAnswer } from "./a2a-client.ts";
import type { AgentCards } from "./agent-cards.ts";
import type { ReadCredential } from "./credentials.ts";
import type { RemoteTask, RemoteTaskStore } from "./remote-task.sql.ts";

export interface RemoteTaskLoopDeps {
  store: RemoteTaskStore;
  client: A2aClient;
  cards: AgentCards;
  readCredential: ReadCredential;
  sessions: Pick<Sessions, "findInTeam" | "post">;
  findTeam(id: string): Promise<TeamRecord | undefined>;
  clock: Clock;
  onError(error: unknown, what: string): void;
}

const SLOTS = 16;
const SLOTS_PER_OWNER = 4;
const FIRST_POLL_MS = 2000;
const LONGEST_POLL_MS = 60_000;
/** A task that has not ended after this time is given up. */
const MAX_AGE_MS = 7 * 24 * 3600 * 1000;

/** 2 s, 3 s, 4.5 s … up to a minute. */
export function pollDelayMs(polls: number): number {
  return Math.round(Math.min(LONGEST_POLL_MS, FIRST_POLL_MS * 1.5 ** polls));
}

/**
 * Follows the tasks of external agents that did not end within a turn, and posts their answers to the session. All state
 * is in rows: it continues after a restart, or in another process.
 */
export function createRemoteTaskLoop(deps: RemoteTaskLoopDeps): DueLoop {
  const { store, client, cards, readCredential, sessions, findTeam, clock } = deps;

  async function post(task: RemoteTask, content: Record<string, unknown>, isError = false): Promise<void> {
    const session = await sessions.findInTeam(task.sessionId, task.teamId);
    if (session === undefined || session.status === "cancelled") return;
    const { to, type, continues } = task.reply;
    await sessions
      .post(session, {
        from: { id: task.agent, type: "external" },
        to,
        type: isError ? "error" : type,
        content,
        continues,
        // After a crash between the post and the next write, the same answer is not posted twice.
        dedupeKey: `${task.agent} remote ${task.messageId}`,
      })
      .catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== "session_cancelled") throw error;
      });
  }

  async function read(agent: ExternalAgent & { url: string }, task: RemoteTask): Promise<RemoteAnswer> {
    const card = await cards.find(agent.url);
    if (card === undefined || task.taskId === null)
      throw new AppError("external_agent_failed", "The agent no longer serves an agent card.");
    const { taskId } = task;
    const { fetch, secrets } = await readCredential(agent, task.ownerId);
    return redactResult(secrets, () => client.getTask({ rpcUrl: card.rpcUrl, fetch }, taskId));
  }

  async function follow(task: RemoteTask): Promise<void> {
    const team = await findTeam(task.teamId);
    const agent = team?.externalAgents.find(({ name }) => name === task.agent);
    if (agent?.url === undefined) return store.save({ ...task, state: "ended" }, null);
    try {
      const answer = await read({ ...agent, url: agent.url }, task);
      if (answer.kind === "message" || answer.state === "working") return await later(task);
      const { state, text } = answer;
      if (state === "failed") await post(task, failure(text), true);
      else await post(task, toContent(text, state));
      await store.save({ ...task, state: state === "input_required" ? state : "ended" }, null);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.retryable && clock.now() - task.createdAt < MAX_AGE_MS) return later(task);
      await post(task, { code: error.code, message: error.message }, true);
      await store.save({ ...task, state: "ended" }, null);
    }
  }

  async function later(task: RemoteTask): Promise<void> {
    if (clock.now() - task.createdAt < MAX_AGE_MS)
      return store.save(task, clock.now() + pollDelayMs(task.attempts));
    await post(task, failure("The agent's task did not end within seven days."), true);
    await store.save({ ...task, state: "ended" }, null);
  }

  return createFairDueLoop({
    store,
    work: follow,
    clock,
    slots: SLOTS,
    slotsPerOwner: SLOTS_PER_OWNER,
    what: "following tasks of external agents",
    onError: deps.onError,
  });
}

/** A question of the agent is marked: the next message to it is the answer. */
export function toContent(text: string, state: "completed" | "input_required"): Record<string, unknown> {
  return state === "input_required" ? { text, inputRequired: true } : { text };
}

function failure(message: string): Record<string, unknown> {
  return { code: "external_agent_failed", message: message || "The agent's task failed." };
}
