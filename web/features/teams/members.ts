import type { Agent } from "../../api/agents.ts";
import type { Team } from "../../api/teams.ts";
import type { Member } from "../../flow/topology-layout.ts";

/** An agent that is not registered yet shows under its id. */
export function membersOf(
  { agents, externalAgents }: Pick<Team, "agents" | "externalAgents">,
  known: readonly Agent[],
): Member[] {
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return [
    ...agents.map((id) => ({ name: names.get(id) ?? id, external: false })),
    ...externalAgents.map(({ name }) => ({ name, external: true })),
  ];
}
