import type { N8nTrigger } from "../../contract/n8n-import.ts";
import type { StepIds } from "./draft/step-ids.ts";
import type { NodeReport } from "./nodes/reporter.ts";
import type { Converted } from "./nodes/node-context.ts";
import type { NodeFlow } from "./plan/node-flow.ts";
import type { Plan } from "./plan/plan.ts";
import type { Scopes } from "./plan/scopes.ts";
import type { SourceNode, SourceWorkflow } from "./source/source.ts";

/** What the parts of one import share. */
export interface Conversion extends StepIds {
  source: SourceWorkflow;
  /** Every node by its name. */
  nodes: ReadonlyMap<string, SourceNode>;
  /** The nodes that become steps. */
  steps: ReadonlyMap<string, SourceNode>;
  triggers: ReadonlyMap<string, N8nTrigger>;
  /** Ids of connections that a person chose, by node. */
  connections: Readonly<Record<string, string>>;
  flowOf: (name: string) => NodeFlow;
  plan: Plan;
  scopes: Scopes;
  /** Nodes that n8n runs once for each of several lines, because they do not exclude each other. */
  parallel: ReadonlySet<string>;
  /** Both are filled in the order of the plan, so that a step finds those before it. */
  converted: Map<string, Converted>;
  reports: Map<string, NodeReport>;
}
