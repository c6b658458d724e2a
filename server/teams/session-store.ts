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
import { toIso } from "../lib/clock.ts";
import type { Page } from "../lib/page.ts";

export interface SessionRecord {
  id: string;
  teamId: string;
  ownerId: string;
  objective: string;
  status: SessionStatus;
  result: SessionResult | null;
  error: { code: string; message: string } | null;
  usage: Usage;
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
  /** Said by a person or by an external agent on its own accord: it begins a new round. */
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

/** A session that this process drives, until another claim raises the epoch. */
export interface DrivenSession {
  id: string;
  teamId: string;
  ownerId: string;
  epoch: number;
  lastSeq: number;
  /** Equals the time of the claim when that began the session. */
  startedAt: number | null;
}

export interface Ending {
  status: "completed" | "failed";
  result: SessionResult | null;
  error: { code: string; message: string } | null;
}

/** Where a write came to stand in the log. */
export interface Appended {
  firstSeq: number;
  lastSeq: number;
}

export interface SessionStore {
  /**
   * With its first message. Durable when it resolves, as every write here. Gives the session that a message of the
   * same key has begun since `keptSince`, and then stores nothing.
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
  say(
    sessionId: string,
    message: NewMessage,
    now: number,
  ): Promise<{ seq: number; status: SessionStatus } | undefined>;
  /** Undefined when it had ended before. */
  cancel(sessionId: string, message: NewMessage, now: number): Promise<Appended | undefined>;
  /** Sessions of a team that have not ended. */
  openIds(teamId: string): Promise<string[]>;
  /** Sessions that wait for somebody to join become due. */
  startWaiting(teamId: string, now: number): Promise<number>;

  claimDue(workerId: string, limit: number, now: number): Promise<DrivenSession[]>;
  nextDue(): Promise<number | null>;
  /** Undefined when the epoch has moved on. `wake` is raised by everything that was said from outside. */
  progress(session: DrivenSession): Promise<{ wake: number; totalTokens: number } | undefined>;
  heads(sessionId: string, after: number): Promise<MessageHead[]>;
  /** One turn: all of its messages or none. Undefined when the epoch has moved on. */
  record(
    session: DrivenSession,
    messages: readonly NewMessage[],
    usage: Usage,
    now: number,
  ): Promise<Appended | undefined>;
  /** False when something was said since `seenWake`, or the epoch has moved on: then look again. */
  park(session: DrivenSession, seenWake: number, runAt: number): Promise<boolean>;
  finish(
    session: DrivenSession,
    seenWake: number,
    ending: Ending,
    messages: readonly NewMessage[],
    now: number,
  ): Promise<Appended | undefined>;
  /** Sessions that a dead process was driving become due; those that took `maxLives` down without progress are returned. */
  recover(maxLives: number, now: number): Promise<DrivenSession[]>;
  release(workerId: string, sessionIds: readonly string[] | "all", now: number): Promise<void>;
}

export function toSession(record: SessionRecord): Session {
  const { ownerId: _owner, lastSeq: _seq, createdAt, startedAt, completedAt, ...session } = record;
  return {
    ...session,
    createdAt: toIso(createdAt),
    startedAt: startedAt === null ? null : toIso(startedAt),
    completedAt: completedAt === null ? null : toIso(completedAt),
  };
}

export function toLogEntry({ seen: _seen, outside: _outside, at, ...message }: MessageRecord): LogEntry {
  return { ...message, createdAt: toIso(at) };
}
