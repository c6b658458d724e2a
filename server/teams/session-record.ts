import type { Usage } from "../../contract/agents.ts";
import type { PageQuery } from "../../contract/api.ts";
import type {
  LogEntry,
  MessageType,
  Party,
  Session,
  SessionResult,
  SessionStatus,
} from "../../contract/teams.ts";
import type { CancelledTask } from "../engine/store.ts";
import { toIso } from "../lib/clock.ts";
import type { Page } from "../lib/page.ts";
import type { Limits } from "./session/next-action.ts";

export interface SessionRecord {
  id: string;
  teamId: string;
  ownerId: string;
  objective: string;
  status: SessionStatus;
  result: SessionResult | null;
  error: { code: string; message: string } | null;
  usage: Usage;
  /** Turns of agents since the last message from outside. */
  turns: number;
  lastSeq: number;
  createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
}

export interface NewMessage {
  id: string;
  from: Party;
  to: Party;
  type: MessageType;
  content: Record<string, unknown>;
  /** For what a member says in its turn: the last seq that it had read. */
  seen: number | null;
  /** Posted by a person, or by an external agent unprompted: it starts a new exchange. */
  outside: boolean;
  /** The same one twice in a session makes one entry. */
  dedupeKey: string | null;
}

/** All that decisions are made from: the log without what was said. */
export interface MessageHead extends Pick<NewMessage, "from" | "to" | "type" | "seen" | "outside"> {
  seq: number;
  at: number;
}

export interface MessageRecord extends MessageHead {
  id: string;
  sessionId: string;
  teamId: string;
  content: Record<string, unknown>;
}

/** Where a write came to stand in the log. */
export interface Appended {
  firstSeq: number;
  lastSeq: number;
}

/** Sessions as those see them who begin them, read them and speak in them. */
export interface SessionStore {
  /**
   * With its first message and the task that drives it, which is due at `runAt`. Durable when it resolves, as every
   * write here. Gives the session that a message of the same key has begun since `keptSince`, and then stores nothing.
   */
  insert(
    session: SessionRecord,
    first: NewMessage,
    runAt: number,
    keptSince: number,
  ): Promise<SessionRecord | undefined>;
  /** Throws `session_not_found` or `forbidden`. */
  owned(id: string, ownerId: string): Promise<SessionRecord>;
  ofTeam(id: string, teamId: string): Promise<SessionRecord | undefined>;
  list(teamId: string, page: PageQuery): Promise<Page<SessionRecord>>;
  log(sessionId: string, after: number, limit: number): Promise<MessageRecord[]>;
  entryByKey(sessionId: string, dedupeKey: string): Promise<{ id: string; seq: number } | undefined>;
  /** One outside message: wakes the session, opens an ended one again. Undefined for a cancelled one or a known key. */
  post(
    sessionId: string,
    message: NewMessage,
    now: number,
  ): Promise<{ seq: number; status: SessionStatus } | undefined>;
  /** With the tasks that its agents' tools have started. Undefined when it had ended before. */
  cancel(
    sessionId: string,
    message: NewMessage,
    now: number,
  ): Promise<(Appended & { tasks: CancelledTask[] }) | undefined>;
  /** Sessions of a team that have not ended. */
  openIds(teamId: string): Promise<string[]>;
  /** Somebody has joined: the team's sessions that waited for that become active. Returns which. */
  startWaiting(teamId: string, now: number): Promise<string[]>;
}

export function toSession(record: SessionRecord, { maxTurns, maxTokens }: Limits): Session {
  const { ownerId: _owner, lastSeq: _seq, createdAt, startedAt, completedAt, ...session } = record;
  return {
    ...session,
    limits: { turns: maxTurns, tokens: maxTokens },
    createdAt: toIso(createdAt),
    startedAt: startedAt === null ? null : toIso(startedAt),
    completedAt: completedAt === null ? null : toIso(completedAt),
  };
}

export function toLogEntry({ seen: _seen, outside: _outside, at, ...message }: MessageRecord): LogEntry {
  return { ...message, createdAt: toIso(at) };
}
