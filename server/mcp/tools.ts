import { isRecord } from "../../contract/placeholders/json-value.ts";
import { traitsOf } from "../../contract/steps/catalogue.ts";
import type { Graph } from "../../contract/graph.ts";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import type { ExposedRecord, Exposures } from "../exposure/exposures.ts";
import { annotationsOf, hasApproval } from "./annotations.ts";
import type { Handler } from "./call.ts";
import type { Result } from "./protocol.ts";
import { pageOf } from "./paging.ts";
import { SEARCH_INPUT_SCHEMA, SEARCH_OUTPUT_SCHEMA } from "./search-documents.ts";

/** For a workflow that declares no input. */
const ANY_INPUT = { type: "object", properties: {}, additionalProperties: true };

/** What an agent or a team takes: one text. */
export const TEXT_INPUT = { agent: "message", team: "objective" } as const;
const TEXT_DESCRIPTIONS = {
  agent: "What you ask the agent, with all it needs to know.",
  team: "What the team should achieve, with all it needs to know.",
};

/** By name, so that the order is stable: clients cache the list, and models read it in this order. */
export function toolMethods(exposures: Pick<Exposures, "list">): Record<string, Handler> {
  return {
    async "tools/list"({ caller, client, params }) {
      const { items, ...more } = pageOf(await exposures.list(caller.ownerId, "mcp"), params);
      return { tools: items.map((record) => toTool(record, client.isModern)), ...more };
    },
  };
}

function toTool(record: ExposedRecord, isModern: boolean): Result {
  const { name, title, description, kind, workflow } = record;
  const outputSchema = kind === "documents" ? SEARCH_OUTPUT_SCHEMA : outputSchemaOf(workflow);
  return {
    name,
    title,
    ...(description !== "" && { description }),
    inputSchema: inputSchemaOf(record),
    ...(outputSchema !== undefined && { outputSchema }),
    annotations:
      kind === "documents"
        ? { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
        : annotationsOf(title, workflow?.graph),
    // Newer clients declare tasks themselves.
    ...(!isModern && kind !== "documents" && { execution: { taskSupport: "optional" } }),
  };
}

function inputSchemaOf({ kind, inputSchema }: ExposedRecord): object {
  if (kind === "documents") return SEARCH_INPUT_SCHEMA;
  if (kind === "workflow") return inputSchema ?? ANY_INPUT;
  const field = TEXT_INPUT[kind];
  return {
    type: "object",
    properties: { [field]: { type: "string", minLength: 1, description: TEXT_DESCRIPTIONS[kind] } },
    required: [field],
  };
}

/**
 * Known when the output is certain to be that of one model step with a schema. A client may refuse a result that does not
 * match, so a run that may end otherwise, or wait for a person, declares none.
 */
function outputSchemaOf(workflow: RunnableWorkflow | undefined): object | undefined {
  if (workflow === undefined) return undefined;
  const { graph, responseStepId } = workflow;
  if (hasApproval(graph.steps) || graph.steps.some(({ type }) => traitsOf(type).branching !== undefined))
    return undefined;
  const ends = finalSteps(graph);
  const answer = responseStepId === undefined ? ends : ends.filter(({ stepId }) => stepId === responseStepId);
  const [step] = answer;
  if (answer.length !== 1 || step?.type !== "llm" || step["onError"] !== undefined) return undefined;
  const schema = step["schema"];
  return isRecord(schema) && schema["type"] === "object" ? schema : undefined;
}

function finalSteps({ steps, edges }: Graph): Graph["steps"] {
  // Without edges, steps run in the order in which they are listed.
  if (edges.length === 0) return steps.slice(-1);
  const sources = new Set(edges.map(({ source }) => source));
  return steps.filter(({ stepId }) => !sources.has(stepId));
}
