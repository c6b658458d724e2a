import type { MessageType, SessionResult, SessionStatus } from "../../contract/teams.ts";
import type {
  DrivenSession,
  MessageHead,
  MessageRecord,
  NewMessage,
  SessionRecord,
} from "../teams/session-store.ts";
import type { Row, Statement } from "./db.ts";

/** Numbered from the session's own counter, which the statement before has moved, or not: then nothing is stored. */
export function insertMessages(
  sessionId: string,
  write: string,
  messages: readonly NewMessage[],
  now: number,
): Statement {
  const rows = messages.map((message, index) => ({
    behind: messages.length - 1 - index,
    id: message.id,
    key: message.dedupeKey,
    fromId: message.from.id,
    fromType: message.from.type,
    toId: message.to.id,
    toType: message.to.type,
    type: message.type,
    content: JSON.stringify(message.content),
    seen: message.seen,
    outside: Number(message.outside),
  }));
  const field = (name: string) => `e.value ->> '${name}'`;
  return {
    sql: `insert into session_message (session_id, seq, id, dedupe_key, from_id, from_type, to_id, to_type, type, content, seen, outside, created_at)
          select s.id, s.last_seq - cast(${field("behind")} as bigint), ${["id", "key", "fromId", "fromType", "toId", "toType", "type", "content"].map(field).join(", ")},
            cast(${field("seen")} as bigint), cast(${field("outside")} as bigint), $4
          from session as s, json_each(cast($3 as text)) as e where s.id = $1 and s.last_write = $2`,
    params: [sessionId, write, JSON.stringify(rows), now],
  };
}

export function toSession(row: Row): SessionRecord {
  const [inputTokens, outputTokens] = [Number(row["input_tokens"]), Number(row["output_tokens"])];
  return {
    id: row["id"] as string,
    teamId: row["team_id"] as string,
    ownerId: row["owner_id"] as string,
    objective: row["objective"] as string,
    status: row["status"] as SessionStatus,
    result: parsed(row["result"]) as SessionResult | null,
    error: parsed(row["error"]) as SessionRecord["error"],
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    lastSeq: Number(row["last_seq"]),
    createdAt: Number(row["created_at"]),
    startedAt: numberOrNull(row["started_at"]),
    completedAt: numberOrNull(row["completed_at"]),
  };
}

export function toDriven(row: Row): DrivenSession {
  return {
    id: row["id"] as string,
    teamId: row["team_id"] as string,
    ownerId: row["owner_id"] as string,
    epoch: Number(row["epoch"]),
    lastSeq: Number(row["last_seq"]),
    startedAt: numberOrNull(row["started_at"]),
  };
}

export function toHead(row: Row): MessageHead {
  return {
    seq: Number(row["seq"]),
    from: { id: row["from_id"] as string, type: row["from_type"] as string },
    to: { id: row["to_id"] as string, type: row["to_type"] as string },
    type: row["type"] as MessageType,
    seen: numberOrNull(row["seen"]),
    outside: Number(row["outside"]) === 1,
    at: Number(row["created_at"]),
  };
}

export function toMessage(row: Row): MessageRecord {
  return {
    ...toHead(row),
    id: row["id"] as string,
    sessionId: row["session_id"] as string,
    teamId: row["team_id"] as string,
    content: JSON.parse(row["content"] as string) as Record<string, unknown>,
  };
}

function parsed(value: unknown): unknown {
  return value === null ? null : JSON.parse(value as string);
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}
