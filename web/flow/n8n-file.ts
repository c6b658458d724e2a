import { isRecord } from "../../contract/placeholders/json-value.ts";
import { MAX_N8N_NODES } from "../../contract/n8n-node-limit.ts";

/** The parts of a workflow of n8n that an import reads. Pinned data and settings of the instance are left out. */
export interface N8nWorkflow {
  name?: string;
  nodes: unknown[];
  connections?: Record<string, unknown>;
  settings?: unknown;
  meta?: unknown;
}

export type N8nText = { workflows: N8nWorkflow[] } | { problem: string };

/** Templates of n8n wrap a workflow twice, its API and its command line once, and in a list. */
const MAX_DEPTH = 4;
const WRAPPERS = ["workflow", "workflows", "data"] as const;

const GET_JSON = "In n8n, choose Download in the menu of the workflow, or select its nodes and copy them.";

/** Reads what n8n downloads, copies from its canvas or exports. The problem is a sentence for the person. */
export function readN8n(text: string): N8nText {
  const trimmed = text.trim();
  if (trimmed === "") return { problem: `There is nothing in it. ${GET_JSON}` };
  if (trimmed.startsWith("<")) return { problem: `This is a web page, not the workflow. ${GET_JSON}` };
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return {
      problem: /^[{[]/.test(trimmed)
        ? `The JSON is damaged or incomplete. ${GET_JSON}`
        : `This is not JSON. ${GET_JSON}`,
    };
  }
  const workflows = workflowsIn(value, undefined, 0);
  const [first] = workflows;
  if (first === undefined) return { problem: describeOther(value) };
  if (workflows.length === 1) {
    const count = first.nodes.length;
    if (count === 0) return { problem: "The workflow has no nodes." };
    if (count > MAX_N8N_NODES)
      return {
        problem: `The workflow has ${count} nodes, and an import takes at most ${MAX_N8N_NODES}. Split it in n8n and import the parts.`,
      };
  }
  return { workflows };
}

function workflowsIn(value: unknown, name: string | undefined, depth: number): N8nWorkflow[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => workflowsIn(one, name, depth + 1));
  if (!isRecord(value)) return [];
  const ownName = typeof value["name"] === "string" && value["name"] !== "" ? value["name"] : name;
  if (isN8n(value)) return [partsOf(value, ownName)];
  return WRAPPERS.flatMap((key) => workflowsIn(value[key], ownName, depth + 1));
}

/** Other tools have `nodes`, too: the types of n8n name their package, and its lines are by the name of a node. */
function isN8n({ nodes, connections }: Record<string, unknown>): boolean {
  if (!Array.isArray(nodes) || !nodes.every(isRecord)) return false;
  return (
    isRecord(connections) ||
    nodes.some(({ type, name }) => typeof type === "string" && type.includes(".") && typeof name === "string")
  );
}

function partsOf(value: Record<string, unknown>, name: string | undefined): N8nWorkflow {
  const { nodes, connections, settings, meta } = value;
  return {
    ...(name !== undefined && { name }),
    nodes: nodes as unknown[],
    ...(isRecord(connections) && { connections }),
    ...(settings !== undefined && { settings }),
    ...(meta !== undefined && { meta }),
  };
}

function describeOther(value: unknown): string {
  if (isRecord(value) && ("steps" in value || isRecord(value["metadata"])))
    return "This is a workflow of Baton. Choose Import on the Workflows screen.";
  return `This JSON has no nodes of n8n. ${GET_JSON}`;
}
