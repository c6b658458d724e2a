import { BROADCAST, type SessionResult, type TeamLimits } from "../../../contract/teams.ts";
import type { MessageHead } from "../session-record.ts";
import { isConversational, isFrom, leadOf, type Member, requestsTurn, type Room } from "./topology.ts";

export interface Limits {
  /** Turns of agents since the last message from outside. */
  maxTurns: number;
  /** Tokens of the whole session. */
  maxTokens: number;
  /** How long a session without pending turns stays open for users and external agents. */
  idleMs: number;
}

export interface SessionSnapshot {
  room: Room;
  /** The whole log, oldest first. */
  heads: readonly MessageHead[];
  totalTokens: number;
  now: number;
}

export interface RequestedTurn {
  member: Member;
  /** The messages that request this turn. */
  triggers: MessageHead[];
}

export type NextAction =
  | ({ kind: "turn" } & RequestedTurn)
  | { kind: "wait"; until: number }
  /** `answer` is the entry with the result; `failure` the entry that says why there is none. */
  | {
      kind: "finish";
      stoppedBy: SessionResult["stoppedBy"];
      answer: MessageHead | undefined;
      failure: MessageHead | undefined;
    };

/** A team may lower the limits of the service, not raise them. */
export function withTeamLimits(limits: Limits, { turns, tokens }: TeamLimits): Limits {
  return {
    ...limits,
    maxTurns: Math.min(limits.maxTurns, turns ?? limits.maxTurns),
    maxTokens: Math.min(limits.maxTokens, tokens ?? limits.maxTokens),
  };
}

/**
 * Depends on the log alone: a process that resumes the session after a crash decides the same. A member whose turn is
 * requested takes it; without such a member the session ends, or waits for external agents.
 */
export function nextAction({ room, heads, totalTokens, now }: SessionSnapshot, limits: Limits): NextAction {
  const speaker = nextSpeaker(room, heads);
  if (speaker !== undefined) {
    if (turnsSinceOutside(heads) >= limits.maxTurns) return finish(heads, "turn_limit");
    if (totalTokens >= limits.maxTokens) return finish(heads, "token_limit");
    return { kind: "turn", ...speaker };
  }
  const hasNoInternals = leadOf(room) === undefined;
  if (hasNoInternals || awaitsExternal(heads)) {
    const until = (heads.at(-1)?.at ?? now) + limits.idleMs;
    return now < until ? { kind: "wait", until } : finish(heads, "time_limit");
  }
  return finish(heads, "finished");
}

/** The member with the oldest trigger; the lead only when no other member has one. */
export function nextSpeaker(room: Room, heads: readonly MessageHead[]): RequestedTurn | undefined {
  const requested = requestedTurns(room, heads);
  const lead = room.topology === "hierarchical" ? leadOf(room) : undefined;
  const others = requested.filter(({ member }) => member.id !== lead?.id);
  const candidates = others.length > 0 ? others : requested;
  return candidates.toSorted((a, b) => (a.triggers[0]?.seq ?? 0) - (b.triggers[0]?.seq ?? 0))[0];
}

/** Turns of external agents, which need not wait for an internal one: they read single messages, not the conversation. */
export function requestedExternalTurns(
  room: Room,
  heads: readonly MessageHead[],
  { maxTurns }: Pick<Limits, "maxTurns">,
): RequestedTurn[] {
  if (turnsSinceOutside(heads) >= maxTurns) return [];
  return requestedTurns(room, heads).filter(({ member }) => member.type === "external");
}

function requestedTurns(room: Room, heads: readonly MessageHead[]): RequestedTurn[] {
  return room.members
    .map((member) => ({ member, triggers: pendingTriggers(room, member, heads) }))
    .filter(({ triggers }) => triggers.length > 0);
}

/** Messages that request a turn of the member and that it had not read in its last turn. */
function pendingTriggers(room: Room, member: Member, heads: readonly MessageHead[]): MessageHead[] {
  const seen = heads.findLast((head) => head.seen !== null && isFrom(head, member))?.seen ?? 0;
  return heads.filter((head) => head.seq > seen && requestsTurn(room, member, head));
}

/** A turn may append several entries; they have the same `seen`. */
export function turnsSinceOutside(heads: readonly MessageHead[]): number {
  const exchange = heads.slice(heads.findLastIndex(({ outside }) => outside) + 1);
  return new Set(
    exchange.filter(({ seen }) => seen !== null).map(({ from, seen }) => `${from.type} ${from.id} ${seen}`),
  ).size;
}

/** An internal member has asked an external agent, which has not replied, and no result was given since. */
function awaitsExternal(heads: readonly MessageHead[]): boolean {
  const request = heads.findLast(
    ({ type, to, from }) => type === "agent_message" && to.type === "external" && from.type === "internal",
  );
  if (request === undefined) return false;
  const since = heads.filter(({ seq }) => seq > request.seq);
  return !since.some(
    (head) =>
      isResult(head) ||
      (isFrom(head, { id: request.to.id, type: "external" }) &&
        (isConversational(head) || head.type === "error")),
  );
}

function isResult({ type, to, from }: MessageHead): boolean {
  return type === "agent_result" && to.id === BROADCAST && from.type === "internal";
}

function finish(heads: readonly MessageHead[], stoppedBy: SessionResult["stoppedBy"]): NextAction {
  const lastOutside = heads.findLastIndex(({ outside }) => outside);
  const exchange = heads.slice(lastOutside + 1);
  const isReply = (head: MessageHead): boolean =>
    isConversational(head) && (head.from.type === "internal" || head.from.type === "external");
  const answer = exchange.findLast(isResult) ?? exchange.findLast(isReply);
  const failure = exchange.findLast(({ type }) => type === "error");
  if (
    stoppedBy === "finished" &&
    answer !== undefined &&
    failure !== undefined &&
    failure.seq > answer.seq &&
    !isResult(answer)
  ) {
    // An intermediate message is not a result if the member that had to conclude failed.
    return { kind: "finish", stoppedBy, answer: undefined, failure };
  }
  return {
    kind: "finish",
    stoppedBy,
    answer: answer ?? (failure === undefined ? heads.findLast(isReply) : undefined),
    failure,
  };
}
