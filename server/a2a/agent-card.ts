import type { AgentCard, AgentSkill } from "@a2a-js/sdk";
import type { DiscoveryEntry } from "../../contract/teams.ts";
import type { TeamRecord } from "../teams/team.sql.ts";

const MODES = ["text/plain", "application/json"];

/** A team as one A2A agent; the capabilities of its members are its skills. */
export function agentCardOf(
  { id, name, description }: TeamRecord,
  members: readonly DiscoveryEntry[],
  base: string,
): AgentCard {
  const url = `${base}/a2a/${id}`;
  const binding = (protocolBinding: string) => ({ url, protocolBinding, tenant: "", protocolVersion: "1.0" });
  const header = (header: string, text: string) => ({
    scheme: {
      $case: "apiKeySecurityScheme" as const,
      value: { description: text, location: "header", name: header },
    },
  });
  return {
    name,
    description: description === "" ? `The team ${name}` : description,
    supportedInterfaces: [binding("JSONRPC"), binding("HTTP+JSON")],
    provider: undefined,
    version: "1.0.0",
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {
      secret: header("x-a2a-secret", "The team's A2A secret"),
      agent: header("x-a2a-agent", "Your name as the team lists it"),
    },
    securityRequirements: [{ schemes: { secret: { list: [] }, agent: { list: [] } } }],
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: skillsOf(name, members),
    signatures: [],
  };
}

function skillsOf(teamName: string, members: readonly DiscoveryEntry[]): AgentSkill[] {
  const capabilities = [
    ...new Set(
      members.filter(({ type }) => type === "internal").flatMap(({ capabilities: listed }) => listed),
    ),
  ];
  const skill = (id: string, name: string, description: string): AgentSkill => ({
    id,
    name,
    description,
    tags: [id],
    examples: [],
    inputModes: [],
    outputModes: [],
    securityRequirements: [],
  });
  // A2A requires at least one skill.
  if (capabilities.length === 0) return [skill("objective", teamName, "Works on an objective.")];
  return capabilities.map((capability) => skill(capability, capability, `${teamName} can do ${capability}.`));
}
