import type { LogEntry, Session } from "../../contract/teams.ts";
import { toIso } from "../lib/clock.ts";
import { type Limits, withTeamLimits } from "./session/next-action.ts";
import type { MessageRecord, SessionRecord } from "./session-record.ts";

export function toSession(record: SessionRecord, limits: Limits): Session {
  const {
    ownerId: _owner,
    lastSeq: _seq,
    teamLimits,
    createdAt,
    startedAt,
    completedAt,
    ...session
  } = record;
  const { maxTurns, maxTokens } = withTeamLimits(limits, teamLimits);
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
