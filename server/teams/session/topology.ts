import { BROADCAST, type Party, type Topology } from "../../../contract/teams.ts";
import type { MessageHead } from "../session-record.ts";

/** A member that takes turns: a registered agent, or an external agent with a URL. */
export interface Member {
  id: string;
  name: string;
  type: "internal" | "external";
}

export interface Room {
  topology: Topology;
  /** In the team's order, internal members first; without members that cannot take turns. */
  members: Member[];
  /** External agents without a URL: messages can address them, and they reply through the webhook. */
  webhookOnly: Member[];
}

export const EVERYONE: Party = { id: BROADCAST, type: BROADCAST };

const CONVERSATIONAL = new Set<MessageHead["type"]>(["user_prompt", "agent_message", "agent_result"]);

export function internalMembers(room: Room): Member[] {
  return room.members.filter(({ type }) => type === "internal");
}

export function leadOf(room: Room): Member | undefined {
  return internalMembers(room)[0];
}

export function isConversational({ type }: Pick<MessageHead, "type">): boolean {
  return CONVERSATIONAL.has(type);
}

export function isFrom(
  message: Pick<MessageHead, "from">,
  { id, type }: Pick<Member, "id" | "type">,
): boolean {
  return message.from.id === id && message.from.type === type;
}

function isTo({ to }: Pick<MessageHead, "to">, { id, type }: Member): boolean {
  return to.id === id && (to.type === type || (to.type !== "internal" && to.type !== "external"));
}

/** True if the message is in the member's transcript: mesh, all; hierarchy, all for the lead; line, the objective. */
export function canSee(room: Room, member: Member, message: MessageHead): boolean {
  if (isFrom(message, member)) return true;
  if (!isConversational(message)) return isTo(message, member);
  if (isTo(message, member)) return true;
  switch (room.topology) {
    case "mesh":
      return true;
    case "hierarchical":
      return member.id === leadOf(room)?.id;
    case "linear":
      return message.outside && message.to.id === BROADCAST;
  }
}

/** True if the message requests a turn. A member's message to everyone does not, or a mesh would never end. */
export function requestsTurn(room: Room, member: Member, message: MessageHead): boolean {
  if (isFrom(message, member)) return false;
  // An error is addressed to the member that asked, so that a lead can continue without the failed one.
  if (message.type === "error") return isTo(message, member);
  if (!isConversational(message)) return false;
  if (isTo(message, member)) return true;
  if (message.to.id !== BROADCAST || !message.outside) return false;
  return room.topology === "mesh" || member.id === leadOf(room)?.id;
}

/** The recipient of a member's plain answer to `triggers`. */
export function answerRoute(
  room: Room,
  member: Member,
  triggers: readonly MessageHead[],
): { to: Party; type: "agent_message" | "agent_result" } {
  const internals = internalMembers(room);
  if (room.topology === "linear" && member.type === "internal") {
    const next = internals[internals.findIndex(({ id }) => id === member.id) + 1];
    return next === undefined
      ? { to: EVERYONE, type: "agent_result" }
      : { to: { id: next.id, type: "internal" }, type: "agent_message" };
  }
  // Only a delegation is answered to its sender. Answering answers would make two members talk forever.
  const delegation = triggers.findLast(({ type, outside }) => type === "agent_message" && !outside);
  return { to: delegation?.from ?? EVERYONE, type: "agent_result" };
}

/** True if the member may delegate: every internal member of a mesh, the lead of a hierarchy, none in a line. */
export function mayAddress(room: Room, member: Member): boolean {
  if (member.type === "external") return false;
  return room.topology === "mesh" || (room.topology === "hierarchical" && member.id === leadOf(room)?.id);
}
