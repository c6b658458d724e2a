import type { Usage } from "../../../contract/agents.ts";
import type { MessageType, SessionResult, SessionStatus, TeamLimits } from "../../../contract/teams.ts";
import type { SessionState } from "../session/session-task.ts";
import type { MessageHead, MessageRecord, SessionRecord } from "../session-record.ts";
import type { Row } from "../../storage/db.ts";

export const SESSION_COLUMNS = `id, team_id, owner_id, objective, status, result, error, input_tokens, output_tokens, turns, last_seq,
  created_at, started_at, completed_at, (select limits from team where team.id = session.team_id) as team_limits`;

export function toSession(row: Row): SessionRecord {
  return {
    id: row["id"] as string,
    teamId: row["team_id"] as string,
    ownerId: row["owner_id"] as string,
    objective: row["objective"] as string,
    status: row["status"] as SessionStatus,
    result: parsed(row["result"]) as SessionResult | null,
    error: parsed(row["error"]) as SessionRecord["error"],
    usage: toUsage(row),
    turns: Number(row["turns"]),
    lastSeq: Number(row["last_seq"]),
    teamLimits: (parsed(row["team_limits"] ?? null) ?? {}) as TeamLimits,
    createdAt: Number(row["created_at"]),
    startedAt: numberOrNull(row["started_at"]),
    completedAt: numberOrNull(row["completed_at"]),
  };
}

export function toState(row: Row): SessionState {
  return {
    teamId: row["team_id"] as string,
    status: row["status"] as SessionStatus,
    wake: Number(row["wake"]),
    usage: toUsage(row),
    turns: Number(row["turns"]),
    createdAt: Number(row["created_at"]),
  };
}

function toUsage(row: Row): Usage {
  const [inputTokens, outputTokens] = [Number(row["input_tokens"]), Number(row["output_tokens"])];
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

export function toHead(row: Row): MessageHead {
  return {
    seq: Number(row["seq"]),
    from: { id: row["from_id"] as string, type: row["from_type"] as string },
    to: { id: row["to_id"] as string, type: row["to_type"] as string },
    type: row["type"] as MessageType,
    seen: numberOrNull(row["seen"]),
    outside: Number(row["outside"]) === 1,
    ...((row["continues"] ?? null) !== null && { continues: Number(row["continues"]) }),
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
