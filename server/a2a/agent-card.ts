import type { AgentCard, AgentSkill, SecurityScheme } from "@a2a-js/sdk";
import type { DiscoveryEntry } from "../../contract/teams.ts";
import type { ExposedRecord } from "../exposure/exposures.ts";
import type { TeamRecord } from "../teams/team.sql.ts";
import { OUTPUT_MODES } from "./check-request.ts";

const INPUT_MODES = ["text/plain", "application/json"];

/** What a card says about one agent; the rest is the same for all. */
export interface CardContent {
  id: string;
  name: string;
  description: string;
  /** A number that grows with every change of the agent. */
  revision: number;
  skills: AgentSkill[];
  inputModes: string[];
  schemes: Record<string, SecurityScheme>;
  /** Each is a set of schemes that are sent together. */
  requirements: string[][];
}

export function toCard(content: CardContent, base: string): AgentCard {
  const { id, name, description, revision, skills, inputModes, schemes, requirements } = content;
  const url = `${base}/a2a/${id}`;
  const binding = (protocolBinding: string, protocolVersion: string) => ({
    url,
    protocolBinding,
    tenant: "",
    protocolVersion,
  });
  return {
    name,
    description,
    supportedInterfaces: [binding("JSONRPC", "1.0"), binding("HTTP+JSON", "1.0"), binding("JSONRPC", "0.3")],
    provider: undefined,
    version: `1.0.${revision}`,
    capabilities: { streaming: true, pushNotifications: true, extensions: [], extendedAgentCard: true },
    securitySchemes: schemes,
    securityRequirements: requirements.map((names) => ({
      schemes: Object.fromEntries(names.map((scheme) => [scheme, { list: [] }])),
    })),
    defaultInputModes: inputModes,
    defaultOutputModes: OUTPUT_MODES,
    skills,
    signatures: [],
  };
}

/** A team as one agent. The extended card names its members. */
export function teamContent(
  { id, name, description, updatedAt }: TeamRecord,
  members: readonly DiscoveryEntry[],
  isExtended: boolean,
): CardContent {
  return {
    id,
    name,
    description: description === "" ? `The team ${name}` : description,
    revision: updatedAt,
    skills: [...teamSkills(name, members), ...(isExtended ? memberSkills(members) : [])],
    inputModes: INPUT_MODES,
    schemes: {
      secret: headerScheme("x-a2a-secret", "The team's A2A secret"),
      agent: headerScheme("x-a2a-agent", "Your name as the team lists it"),
      bearer: bearerScheme("Created by the owner of the team, with the scope a2a"),
    },
    requirements: [["secret", "agent"], ["bearer"]],
  };
}

/** A workflow as one agent. The extended card lists the fields of its input. */
export function workflowContent(record: ExposedRecord, isExtended: boolean): CardContent {
  const { recordId, name, title, description, inputSchema, workflow } = record;
  const about = description === "" ? `The workflow ${title}` : description;
  return {
    id: recordId,
    name: title,
    description: about,
    revision: workflow?.version ?? 0,
    skills: [skill(name, title, isExtended ? `${about}${fieldsOf(inputSchema)}` : about)],
    inputModes: [...INPUT_MODES, "application/octet-stream"],
    schemes: {
      bearer: bearerScheme("Created by the owner of the workflow, with the scope a2a"),
    },
    requirements: [["bearer"]],
  };
}

function fieldsOf(schema: ExposedRecord["inputSchema"]): string {
  const fields = Object.entries(schema?.properties ?? {});
  if (fields.length === 0) return "";
  const listed = fields.map(([name, { type, description: text }]) =>
    [`${name} (${type}${schema?.required?.includes(name) === true ? ", required" : ""})`, text]
      .filter(Boolean)
      .join(": "),
  );
  return `\n\nInput as data: ${listed.join("; ")}.`;
}

function headerScheme(name: string, description: string): SecurityScheme {
  return { scheme: { $case: "apiKeySecurityScheme", value: { description, location: "header", name } } };
}

function bearerScheme(description: string): SecurityScheme {
  return {
    scheme: { $case: "httpAuthSecurityScheme", value: { description, scheme: "Bearer", bearerFormat: "" } },
  };
}

/** The capabilities of the members; A2A requires at least one skill. */
function teamSkills(teamName: string, members: readonly DiscoveryEntry[]): AgentSkill[] {
  const capabilities = new Set(
    members.filter(({ type }) => type === "internal").flatMap(({ capabilities: listed }) => listed),
  );
  if (capabilities.size === 0) return [skill("objective", teamName, "Works on an objective.")];
  return [...capabilities].map((capability) =>
    skill(capability, capability, `${teamName} can do ${capability}.`),
  );
}

function memberSkills(members: readonly DiscoveryEntry[]): AgentSkill[] {
  return members.map(({ id, name, type, capabilities }) =>
    skill(
      `member-${id}`,
      name,
      `${type === "internal" ? "A member" : "An external member"} of the team${capabilities.length === 0 ? "." : `: ${capabilities.join(", ")}.`}`,
    ),
  );
}

export function skill(id: string, name: string, description: string): AgentSkill {
  return {
    id,
    name,
    description,
    tags: [id],
    examples: [],
    inputModes: [],
    outputModes: [],
    securityRequirements: [],
  };
}
