import type { ExternalAgent } from "../../../contract/teams.ts";
import type { AgentRecord } from "../../agents/agent.sql.ts";
import type { TeamRecord } from "../team.sql.ts";
import type { Member, Room } from "./topology.ts";

export interface TeamRoom {
  room: Room;
  agents: Map<string, AgentRecord>;
  externals: Map<string, ExternalAgent>;
}

/** The members of a team's sessions: registered agents, and external agents with a URL. */
export function buildTeamRoom(team: TeamRecord, registered: readonly AgentRecord[]): TeamRoom {
  const agents = new Map(registered.map((agent) => [agent.id, agent]));
  const internal = team.agents.flatMap((id): Member[] => {
    const agent = agents.get(id);
    return agent === undefined ? [] : [{ id, name: agent.name, type: "internal" }];
  });
  const external = team.externalAgents.map((agent) => ({ agent, member: toMember(agent) }));
  return {
    room: {
      topology: team.topology,
      members: [
        ...internal,
        ...external.filter(({ agent }) => agent.url !== undefined).map(({ member }) => member),
      ],
      webhookOnly: external.filter(({ agent }) => agent.url === undefined).map(({ member }) => member),
    },
    agents,
    externals: new Map(team.externalAgents.map((agent) => [agent.name, agent])),
  };
}

function toMember({ name }: ExternalAgent): Member {
  return { id: name, name, type: "external" };
}
