import { BROADCAST, type Party, type Recipient, type MessageContent } from "../../contract/teams.ts";
import { createId } from "../lib/ids.ts";
import { EVERYONE } from "./session/topology.ts";
import type { NewMessage } from "./session-record.ts";
import type { TeamRecord } from "./team.sql.ts";

/** A message that a user or an external agent posts to a session. */
export interface PostedMessage {
  from: Party;
  to?: Recipient | undefined;
  type?: NewMessage["type"];
  content: MessageContent;
  dedupeKey?: string | undefined;
  /** The first entry of the exchange that the message continues; without it, the message starts another one. */
  continues?: number | undefined;
}

export interface RecipientLookup {
  findTeam(id: string): Promise<TeamRecord | undefined>;
  /** Names of the team's registered agents, by id. */
  agentNames(team: TeamRecord): Promise<Map<string, string>>;
}

/** The last entry of a session that `by` cancels. It starts no exchange. */
export function cancelMessage(by: Party, now: number): NewMessage {
  const entry = { from: by, to: EVERYONE, type: "status" as const, content: { status: "cancelled" } };
  return { ...toNewMessage(entry, now), outside: false };
}

export function toNewMessage(
  {
    from,
    to,
    type = "user_prompt",
    content,
    dedupeKey,
    continues,
  }: Omit<PostedMessage, "to"> & { to: Party },
  now: number,
): NewMessage {
  return {
    id: createId("msg", now),
    from,
    to,
    type,
    content: typeof content === "string" ? { text: content } : content,
    seen: null,
    outside: true,
    ...(continues !== undefined && { continues }),
    dedupeKey: dedupeKey ?? null,
  };
}

/** Resolves an agent by its id or name and an external agent by its name; without a recipient, everyone. */
export async function resolveRecipient(
  teamId: string,
  to: Recipient | undefined,
  { findTeam, agentNames }: RecipientLookup,
): Promise<Party> {
  const id = typeof to === "string" ? to : (to?.id ?? BROADCAST);
  if (id === BROADCAST) return EVERYONE;
  const given = typeof to === "string" ? undefined : to?.type;
  const team = await findTeam(teamId);
  const names = team === undefined ? new Map<string, string>() : await agentNames(team);
  const internalId = [...names].find(
    ([agentId, name]) => agentId === id || name.toLowerCase() === id.toLowerCase(),
  )?.[0];
  const isExternal = team?.externalAgents.some(({ name }) => name === id) ?? false;
  if (internalId !== undefined && given !== "external") return { id: internalId, type: "internal" };
  return { id, type: isExternal ? "external" : (given ?? "internal") };
}
