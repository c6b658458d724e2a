import type { Scope } from "../expressions/accessors.ts";
import type { FieldKeys } from "../data/data.ts";
import type { NodeFlow } from "../plan/node-flow.ts";
import type { SourceNode } from "../source/source.ts";
import { type ArrivingValues, createArrivingValues } from "./arriving-values.ts";
import { createParameterValues, type ParameterValues } from "./parameter-values.ts";
import { createReporter, type NodeReport, type Reporter } from "./reporter.ts";

/** The fields of the step, without its id, its name and what every step has. */
export type StepFields = { type: string } & Record<string, unknown>;

export interface Converted {
  /** Undefined when the node has no counterpart. */
  step: StepFields | undefined;
  /** Where in the output of the step the data is that n8n hands on. */
  output?: {
    path: readonly (string | number)[];
    isExact: boolean;
    /** Where n8n has the value that is the output itself here: the first, and other names of it. */
    fields?: readonly FieldKeys[];
    /** The output may be a text, which n8n puts into the field `data`. */
    mayBeText?: boolean;
    /** The output is a file, which n8n has in this binary property. */
    file?: string;
    /** What a step cannot read of it. */
    doubtOf?: (keys: FieldKeys) => string | undefined;
    /** JavaScript of the items, of JavaScript of the output, where the output itself is not their list. */
    itemsOf?: (output: string) => string;
  };
  /** The output is one object, or a list of items when the service returned one. */
  mayBeList?: boolean;
  /** What an edge from this output of the node says; undefined for an edge without a condition. */
  branches?: (output: number) => Readonly<Record<string, unknown>> | undefined;
  /** All values of a switch that a branch is taken for. */
  cases?: readonly string[];
}

/** How a type of node is converted. */
export interface NodeKind {
  flow: (node: SourceNode) => Partial<NodeFlow>;
  convert: (context: NodeContext) => Converted;
}

/** The node to convert, what arrives at it, and its report, to which everything that is converted is added. */
export interface NodeContext extends ParameterValues, ArrivingValues, Omit<Reporter, "expression"> {
  node: SourceNode;
  parameters: Readonly<Record<string, unknown>>;
  scope: Scope;
  partsOf: (kind: string) => readonly SourceNode[];
  /** A line begins at this output. */
  isConnected: (output: number) => boolean;
}

export function createNodeContext(
  node: SourceNode,
  scope: Scope,
  report: NodeReport,
  {
    chosen,
    partsOf,
    isConnected,
  }: { chosen: string | undefined } & Pick<NodeContext, "partsOf" | "isConnected">,
): NodeContext {
  const { expression, ...reporter } = createReporter(report, { chosen, credential: node.credential });
  return {
    node,
    parameters: node.parameters,
    scope,
    partsOf,
    isConnected,
    ...reporter,
    ...createParameterValues(scope, expression),
    ...createArrivingValues(scope.current, reporter.check),
  };
}
