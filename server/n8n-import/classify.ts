import type { N8nTrigger } from "../../contract/n8n-import.ts";
import { isPartKind } from "./nodes/ai-nodes.ts";
import { kindOf } from "./nodes/node-kinds.ts";
import { type NodeFlow, UNKNOWN_FLOW } from "./plan/node-flow.ts";
import type { SourceNode, SourceWorkflow } from "./source/source.ts";
import { isTrigger, triggerOf } from "./triggers/triggers.ts";

export interface NodeRoles {
  nodes: ReadonlyMap<string, SourceNode>;
  triggers: ReadonlyMap<string, N8nTrigger>;
  /** The nodes that become steps. */
  steps: ReadonlyMap<string, SourceNode>;
}

/** Tells triggers, steps and parts of steps apart: a model is a part of an agent. */
export function classifyNodes(source: SourceWorkflow): NodeRoles {
  const nodes = new Map(source.nodes.map((node) => [node.name, node]));
  const triggers = new Map(
    source.nodes.filter(isTrigger).map((node) => [node.name, triggerOf(node, source)]),
  );
  const onLines = new Set(source.links.flatMap(({ from, to }) => [from, to]));
  const parts = new Set(source.parts.map(({ from }) => from).filter((name) => !triggers.has(name)));
  const isPart = (node: SourceNode): boolean =>
    parts.has(node.name) || (isPartKind(node) && !onLines.has(node.name));
  const steps = new Map([...nodes].filter(([name, node]) => !triggers.has(name) && !isPart(node)));
  return { nodes, triggers, steps };
}

export function flowOfNode(node: SourceNode): NodeFlow {
  const flow = { ...UNKNOWN_FLOW, ...kindOf(node)?.flow(node) };
  if (node.disabled) return { ...flow, takes: "through", passes: true, isLoop: false };
  return node.once && flow.takes === "item" ? { ...flow, takes: "all" } : flow;
}
