import { BROADCAST, type SessionResult } from "../../../contract/teams.ts";
import type { MessageHead } from "../session-record.ts";
import { requestsTurn, isFrom, isConversational, leadOf, type Member, type Room } from "./topology.ts";

export interface Limits {
  /** Turns of agents since the last message from outside. */
  maxTurns: number;
  /** Tokens of the whole session. */
  maxTokens: number;
  /** How long a session stays open for those outside when nobody inside has anything to say. */
  idleMs: number;
}

export interface Standing {
  room: Room;
  /** The whole log, oldest first. */
  heads: readonly MessageHead[];
  totalTokens: number;
  now: number;
}

export type NextAction =
  /** `triggers` are the messages that ask for this turn. */
  | { kind: "turn"; member: Member; triggers: MessageHead[] }
  | { kind: "wait"; until: number }
  /** `answer` is the entry that holds the result; `failure` the one that says why there is none. */
  | {
      kind: "finish";
      stoppedBy: SessionResult["stoppedBy"];
      answer: MessageHead | undefined;
      failure: MessageHead | undefined;
    };

/**
 * What comes next, from the log alone: a process that takes the session over after a crash comes to the same
 * move. Somebody who was called speaks; with nobody called, the session ends or waits for those outside.
 */
export function nextAction({ room, heads, totalTokens, now }: Standing, limits: Limits): NextAction {
  const speaker = nextSpeaker(room, heads);
  if (speaker !== undefined) {
    if (turnsSinceOutside(heads) >= limits.maxTurns) return finish(heads, "turn_limit");
    if (totalTokens >= limits.maxTokens) return finish(heads, "token_limit");
    return { kind: "turn", ...speaker };
  }
  const nobodyInside = leadOf(room) === undefined;
  if (nobodyInside || awaitsExternal(heads)) {
    const until = (heads.at(-1)?.at ?? now) + limits.idleMs;
    return now < until ? { kind: "wait", until } : finish(heads, "time_limit");
  }
  return finish(heads, "finished");
}

/** The one who was called first; a lead only when all of its people have answered. */
export function nextSpeaker(
  room: Room,
  heads: readonly MessageHead[],
): { member: Member; triggers: MessageHead[] } | undefined {
  const called = room.members
    .map((member) => ({ member, triggers: pendingTriggers(room, member, heads) }))
    .filter(({ triggers }) => triggers.length > 0);
  const lead = room.topology === "hierarchical" ? leadOf(room) : undefined;
  const others = called.filter(({ member }) => member.id !== lead?.id);
  const candidates = others.length > 0 ? others : called;
  return candidates.toSorted((a, b) => (a.triggers[0]?.seq ?? 0) - (b.triggers[0]?.seq ?? 0))[0];
}

/** Messages that call a member and that it had not read when it last spoke. */
function pendingTriggers(room: Room, member: Member, heads: readonly MessageHead[]): MessageHead[] {
  const seen = heads.findLast((head) => head.seen !== null && isFrom(head, member))?.seen ?? 0;
  return heads.filter((head) => head.seq > seen && requestsTurn(room, member, head));
}

/** A turn may leave several entries; they share what was read before it. */
export function turnsSinceOutside(heads: readonly MessageHead[]): number {
  const round = heads.slice(heads.findLastIndex(({ outside }) => outside) + 1);
  return new Set(
    round.filter(({ seen }) => seen !== null).map(({ from, seen }) => `${from.type} ${from.id} ${seen}`),
  ).size;
}

/** Somebody inside has asked an external agent, there is no answer yet, and nobody has closed the matter since. */
function awaitsExternal(heads: readonly MessageHead[]): boolean {
  const asked = heads.findLast(
    ({ type, to, from }) => type === "agent_message" && to.type === "external" && from.type === "internal",
  );
  if (asked === undefined) return false;
  const since = heads.filter(({ seq }) => seq > asked.seq);
  return !since.some(
    (head) =>
      isResult(head) ||
      (isFrom(head, { id: asked.to.id, type: "external" }) &&
        (isConversational(head) || head.type === "error")),
  );
}

function isResult({ type, to, from }: MessageHead): boolean {
  return type === "agent_result" && to.id === BROADCAST && from.type === "internal";
}

function finish(heads: readonly MessageHead[], stoppedBy: SessionResult["stoppedBy"]): NextAction {
  const lastOutside = heads.findLastIndex(({ outside }) => outside);
  const round = heads.slice(lastOutside + 1);
  const said = (head: MessageHead): boolean =>
    isConversational(head) && (head.from.type === "internal" || head.from.type === "external");
  const answer = round.findLast(isResult) ?? round.findLast(said);
  const failure = round.findLast(({ type }) => type === "error");
  if (
    stoppedBy === "finished" &&
    answer !== undefined &&
    failure !== undefined &&
    failure.seq > answer.seq &&
    !isResult(answer)
  ) {
    // What was said on the way is no result when the one who had to finish could not.
    return { kind: "finish", stoppedBy, answer: undefined, failure };
  }
  return {
    kind: "finish",
    stoppedBy,
    answer: answer ?? (failure === undefined ? heads.findLast(said) : undefined),
    failure,
  };
}
