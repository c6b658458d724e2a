import { BROADCAST, type Party, type Topology } from "../../../contract/teams.ts";
import type { MessageHead } from "../session-record.ts";

/** Somebody who takes turns: a registered agent, or an external one that has an address to be called at. */
export interface Member {
  id: string;
  name: string;
  type: "internal" | "external";
}

export interface Room {
  topology: Topology;
  /** In the team's order, internal ones first. Who cannot answer is not in it. */
  members: Member[];
  /** External agents without an address: they can be spoken to, and answer when they like. */
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

/** Who hears what: a mesh keeps nothing from anybody, a lead hears all and its people their orders, a line the one before. */
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

/** Whose turn a message asks for. What one says to all inside asks for nobody's, or a mesh would never fall silent. */
export function requestsTurn(room: Room, member: Member, message: MessageHead): boolean {
  if (isFrom(message, member)) return false;
  // An error is told to whoever had asked, so that a lead can do without one of its people.
  if (message.type === "error") return isTo(message, member);
  if (!isConversational(message)) return false;
  if (isTo(message, member)) return true;
  if (message.to.id !== BROADCAST || !message.outside) return false;
  return room.topology === "mesh" || member.id === leadOf(room)?.id;
}

/** To whom a member's plain answer goes when `triggers` had called it. */
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
  // An order is answered to whoever gave it; answers and prompts from outside are not, or two would talk for ever.
  const order = triggers.findLast(({ type, outside }) => type === "agent_message" && !outside);
  return { to: order?.from ?? EVERYONE, type: "agent_result" };
}

/** Whom a member may give work to: anybody in a mesh, its people for a lead. A line knows only the next. */
export function mayAddress(room: Room, member: Member): boolean {
  if (member.type === "external") return false;
  return room.topology === "mesh" || (room.topology === "hierarchical" && member.id === leadOf(room)?.id);
}
