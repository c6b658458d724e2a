import type { RoomSignals } from "../teams/room-signals.ts";
import type { MessageRecord, SessionRecord } from "../teams/session-record.ts";
import { textOf } from "../teams/session/transcript.ts";
import type { Sessions } from "../teams/sessions.ts";
import type { TeamRecord } from "../teams/team.sql.ts";
import { AppError } from "../lib/errors.ts";
import { createLogFollower } from "../lib/log-follower.ts";
import type { ChatAnswer, ChatRun, ChatStart } from "./chat-run.ts";
import type { ChatPrompt } from "./chat-request.ts";
import { toUsage } from "./completion.ts";

export interface SessionRunDeps {
  sessions: Pick<Sessions, "start" | "get" | "log">;
  signals: RoomSignals;
  /** Throws `team_not_found` or `forbidden`. */
  getTeam(id: string, ownerId: string): Promise<TeamRecord>;
  /** Names of the team's agents by id. */
  agentNames(team: TeamRecord): Promise<ReadonlyMap<string, string>>;
}

/** A signal lost between processes only delays: the log is read again after this long in any case. */
const POLL_MS = 2000;

interface FollowedSession {
  ownerId: string;
  sessionId: string;
  /** Names of the agents by id. */
  names: ReadonlyMap<string, string>;
  onText: ((text: string) => void) | undefined;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Answers by a session of a team: the messages of its agents, in the order of the log. */
export function createSessionRuns({ sessions, signals, getTeam, agentNames }: SessionRunDeps) {
  async function start({ record, prompt, idempotency, onText }: ChatStart): Promise<ChatRun> {
    const { ownerId } = record;
    const team = await getTeam(record.recordId, ownerId);
    const names = await agentNames(team);
    const session = await sessions.start(
      team,
      prompt.message,
      { id: ownerId, type: "user" },
      {
        content: { text: withHistory(prompt) },
        immediately: true,
        ...(idempotency !== undefined && { dedupeKey: `chat ${idempotency.key} ${idempotency.bodyHash}` }),
      },
    );
    return {
      id: session.id,
      answer: (timeoutMs, signal) =>
        follow({ ownerId, sessionId: session.id, names, onText, timeoutMs, signal }),
    };
  }

  /** Passes the answers of the agents on until the session ends. */
  async function follow({
    ownerId,
    sessionId,
    names,
    onText,
    timeoutMs,
    signal,
  }: FollowedSession): Promise<ChatAnswer> {
    const texts: string[] = [];
    let wake: () => void = () => undefined;
    let changed = new Promise<void>((resolve) => (wake = resolve));
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const onLimit = () => wake();
    limit.addEventListener("abort", onLimit);
    const log = createLogFollower<MessageRecord>({
      after: 0,
      read: (after, count) => sessions.log(sessionId, after, count),
      deliver(entry) {
        if (!isAnswer(entry)) return;
        const text = `${texts.length === 0 ? "" : "\n\n"}**${names.get(entry.from.id) ?? entry.from.id}**\n\n${textOf(entry.content)}`;
        texts.push(text);
        onText?.(text);
      },
      onCaughtUp: () => wake(),
      onError: () => wake(),
      pollMs: POLL_MS,
    });
    const unsubscribe = signals.subscribe((signal) => {
      const isRelevant =
        signal.kind === "missed" ||
        ((signal.kind === "grown" || signal.kind === "status") && signal.sessionId === sessionId);
      if (isRelevant) log.hint();
    });
    try {
      log.hint();
      for (;;) {
        await changed;
        changed = new Promise<void>((resolve) => (wake = resolve));
        const session = await sessions.get(ownerId, sessionId);
        if (session.status !== "waiting" && session.status !== "active") {
          // Read after the session's row, the log of a session that has ended is complete.
          log.hint();
          await log.caughtUp();
          return toAnswer(session, texts);
        }
        if (limit.aborted) throw timedOut(sessionId);
      }
    } finally {
      limit.removeEventListener("abort", onLimit);
      unsubscribe();
      log.close();
    }
  }

  return { start };
}

function isAnswer({ type, from }: MessageRecord): boolean {
  return (
    (type === "agent_result" || type === "agent_message") && from.type !== "user" && from.type !== "system"
  );
}

/** A client sends the whole conversation each time, and each time the team starts a new session. */
function withHistory({ message, messages, system }: ChatPrompt): string {
  const earlier = messages
    .filter(({ role, content }) => role !== "system" && content !== "")
    .slice(0, -1)
    .map(({ role, content }) => `${role}: ${content}`);
  return [
    ...(system === "" ? [] : [system]),
    ...(earlier.length === 0 ? [] : [`The conversation so far:\n\n${earlier.join("\n\n")}`]),
    message,
  ].join("\n\n");
}

function toAnswer({ id, status, error, result, usage }: SessionRecord, texts: readonly string[]): ChatAnswer {
  if (status === "completed")
    return {
      text: texts.length > 0 ? texts.join("") : String(result?.output ?? ""),
      usage: toUsage(usage),
    };
  const message =
    status === "cancelled" ? "The session was cancelled." : (error?.message ?? "The session failed.");
  throw new AppError("execution_failed", message, { details: { taskId: id, status } });
}

function timedOut(sessionId: string): AppError {
  return new AppError(
    "execution_timeout",
    `The team did not finish within the time limit of this call. It continues as ${sessionId}. Stream the answer of long runs.`,
    { details: { taskId: sessionId } },
  );
}
