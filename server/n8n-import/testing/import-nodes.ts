import { expect } from "vitest";
import { validateGraph } from "../../../contract/graph/validate.ts";
import { atOnce } from "../../lib/in-turns.ts";
import { convertWorkflow } from "../convert.ts";

export type Node = { name: string; type: string; parameters?: object; typeVersion?: number } & Record<
  string,
  unknown
>;
type Lines = Record<string, string[][]>;

/** The draft of n8n nodes, which could be published. */
export function imported(nodes: Node[], lines: Lines = {}, connections: Record<string, string> = {}) {
  const full = nodes.map((node) => ({
    position: [0, 0],
    typeVersion: 4,
    parameters: {},
    ...node,
    type: node.type.includes(".") ? node.type : `n8n-nodes-base.${node.type}`,
  }));
  const links = Object.fromEntries(
    Object.entries(lines).map(([from, outputs]) => [
      from,
      { main: outputs.map((ends) => ends.map((node) => ({ node, type: "main", index: 0 }))) },
    ]),
  );
  const result = atOnce(convertWorkflow({ nodes: full, connections: links }, connections));
  expect(validateGraph(result.workflow.metadata).errors).toEqual([]);
  return result;
}

/** The first step of a node after another one, `Get row`, that gives one object. */
export function step(
  node: Omit<Node, "name">,
  before: Omit<Node, "name"> = { type: "httpRequest", parameters: { url: "https://a.example" } },
) {
  const { workflow, nodes } = imported(
    [{ name: "Get row", ...before } as Node, { name: "Next", ...node } as Node],
    {
      "Get row": [["Next"]],
    },
  );
  const [, second] = workflow.metadata.steps as Record<string, unknown>[];
  return { step: second ?? {}, report: nodes[1]! };
}

/** A node that sets the field x. */
export const set = (value: unknown) => ({
  type: "set",
  parameters: { assignments: { assignments: [{ name: "x", value }] } },
});
