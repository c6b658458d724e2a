import { blocksAround, read } from "./proofs.ts";
import type { Section } from "./promises/section.ts";
import { a2aAndWarRoom } from "./promises/a2a-and-war-room.ts";
import { accounts } from "./promises/accounts.ts";
import { apiKeys } from "./promises/api-keys.ts";
import { auditLog } from "./promises/audit-log.ts";
import { apps } from "./promises/apps.ts";
import { clients } from "./promises/clients.ts";
import { documents } from "./promises/documents.ts";
import { durability } from "./promises/durability.ts";
import { endpoints } from "./promises/endpoints.ts";
import { events } from "./promises/events.ts";
import { graph } from "./promises/graph.ts";
import { groundRules } from "./promises/ground-rules.ts";
import { connections } from "./promises/connections.ts";
import { mcpServers } from "./promises/mcp-servers.ts";
import { models } from "./promises/models.ts";
import { notifications } from "./promises/notifications.ts";
import { operatorSettings } from "./promises/operator-settings.ts";
import { oauth } from "./promises/oauth.ts";
import { overview } from "./promises/overview.ts";
import { placeholders } from "./promises/placeholders.ts";
import { retries } from "./promises/retries.ts";
import { schedules } from "./promises/schedules.ts";
import { triggers } from "./promises/triggers.ts";
import { security } from "./promises/security.ts";
import { steps } from "./promises/steps.ts";
import { tasks } from "./promises/tasks.ts";
import { teams } from "./promises/teams.ts";
import { templates } from "./promises/templates.ts";
import { webhooks } from "./promises/webhooks.ts";
import { workflows } from "./promises/workflows.ts";
import { workspaces } from "./promises/workspaces.ts";

/** What the API promises. Every route, error code, step type and graph problem is named in one of these lines. */
export const apiSections: Section[] = [
  overview,
  groundRules,
  accounts,
  workflows,
  templates,
  graph,
  steps,
  placeholders,
  retries,
  tasks,
  endpoints,
  apiKeys,
  webhooks,
  teams,
  a2aAndWarRoom,
  models,
  documents,
  schedules,
  triggers,
  events,
  notifications,
  operatorSettings,
  clients,
  mcpServers,
  apps,
  connections,
  oauth,
  workspaces,
  auditLog,
];

/** Guards whose ids (`S13`, `R17`) are also in the titles of their tests. */
export const guardSections: Section[] = [security, durability];

export const REGISTER_FILE = "test/conformance/register.md";

const INTRODUCTION = `<!-- Generated from test/conformance/promises by \`npm run conformance -- --write\`. Do not edit. -->

# Conformance register

Every line is a promise of the service and the tests that fail when it is broken. \`npm run conformance\`, part of
\`npm test\`, fails when a line names no test, when a named test does not exist, and when a route, an error code, a step
type or a graph problem is in no line. Routes are written as in the OpenAPI document.
`;

export function renderRegister(): string {
  return [INTRODUCTION, ...apiSections.map(renderNumbered), ...guardSections.map(render)].join("\n");
}

function renderNumbered(section: Section, index: number): string {
  return render({ ...section, title: `${index + 1}. ${section.title}` });
}

/** One proof a line, so that two renamed tests of one promise merge without a conflict. */
function render({ title, promises, notApplicable = [] }: Section): string {
  const lines = promises.flatMap(({ id, text, proofs }) => [
    `- **${id}** ${text}`,
    ...proofs.map((proof) => `  - ${renderProof(proof)}`),
  ]);
  const reserved = notApplicable.map(({ id, reason }) => `- **${id}** does not apply: ${reason}`);
  return [`## ${title}`, "", ...lines, ...reserved, ""].join("\n");
}

/** Includes the `describe` blocks: many titles are a sentence only together with them. */
function renderProof(proof: string): string {
  const [file = "", title = ""] = proof.split(/ › (.*)/s);
  return [`\`${file}\``, ...blocksAround(read(file), title), title].join(" › ");
}
