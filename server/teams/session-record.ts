import type { Usage } from "../../contract/agents.ts";
import type { MessageType, Party, SessionResult, SessionStatus, TeamLimits } from "../../contract/teams.ts";

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
  teamLimits: TeamLimits;
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
  /** For a message of a member's turn: the last seq that the member had read. */
  seen: number | null;
  /** Posted by a person, or by an external agent unprompted: it starts a new exchange. */
  outside: boolean;
  /** For a message from outside: the first entry of the exchange that it continues. */
  continues?: number | undefined;
  /** A second message of a session with the same key is not stored. */
  dedupeKey: string | null;
}

/** A log entry without its content: enough to decide the next action. */
export interface MessageHead extends Pick<
  NewMessage,
  "from" | "to" | "type" | "seen" | "outside" | "continues"
> {
  seq: number;
  at: number;
}

export interface MessageRecord extends MessageHead {
  id: string;
  sessionId: string;
  teamId: string;
  content: Record<string, unknown>;
}

/** The numbers that the entries of one write have in the log. */
export interface Appended {
  firstSeq: number;
  lastSeq: number;
}
