import { expect, test } from "vitest";
import type { Graph } from "../../contract/graph.ts";
import type { ExposedRecord } from "../exposure/exposures.ts";
import { annotationsOf, maybeSlow } from "./annotations.ts";
import type { Call } from "./call.ts";
import { toolMethods } from "./tools.ts";

const graphOf = (...steps: Graph["steps"]): Graph => ({ steps, edges: [] });

function workflowTool(name: string, graph: Graph = graphOf()): ExposedRecord {
  const workflow = { id: "wf_1", ownerId: "user_1", name, version: 1, graph };
  const common = { ownerId: "user_1", recordId: "wf_1", title: name, description: "", exposedAt: 0 };
  return { ...common, kind: "workflow", name, inputSchema: undefined, workflow };
}

async function listTools(exposed: readonly ExposedRecord[], params: Call["params"] = {}) {
  const methods = toolMethods({ list: () => Promise.resolve([...exposed]) });
  const client = { isModern: true, elicits: false, hasTasks: false };
  const result = await methods["tools/list"]!({ caller: { ownerId: "user_1" }, client, params } as Call);
  return result as { tools: Record<string, unknown>[]; nextCursor?: string };
}

test("tools are paged in the order of their names, and a cursor of no page is refused", async () => {
  const exposed = Array.from({ length: 150 }, (_, index) =>
    workflowTool(`tool-${String(index).padStart(3, "0")}`),
  );
  const first = await listTools(exposed);
  expect(first.tools).toHaveLength(100);
  expect(first.nextCursor).toBe("tool-099");
  const second = await listTools(exposed, { cursor: first.nextCursor! });
  expect(second.tools.map(({ name }) => name)).toEqual(exposed.slice(100).map(({ name }) => name));
  expect(second.nextCursor).toBeUndefined();
  await expect(listTools(exposed, { cursor: "unknown" })).rejects.toMatchObject({ error: { code: -32_602 } });
});

test("annotations say what the steps may do", () => {
  const hints = (...steps: Graph["steps"]) => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotationsOf(
      "",
      graphOf(...steps),
    );
    return [readOnlyHint, destructiveHint, idempotentHint, openWorldHint].map(Number).join("");
  };
  const step = (type: string, fields: object = {}) => ({ stepId: type, type, ...fields });
  expect(hints(step("transform"), step("approval"), step("document_query"))).toBe("1010");
  expect(hints(step("http"))).toBe("1011");
  expect(hints(step("http", { method: "post" }))).toBe("0101");
  expect(hints(step("http", { method: "PUT" }))).toBe("0111");
  expect(hints(step("http", { method: "{{input.method}}" }))).toBe("0101");
  expect(hints(step("file", { action: "append" }))).toBe("0000");
  expect(hints(step("file", { action: "write" }))).toBe("0110");
  expect(hints(step("data"), step("store", { action: "get" }))).toBe("1010");
  expect(hints(step("store", { action: "increment" }))).toBe("0000");
  expect(hints(step("store", { action: "set" }))).toBe("0110");
  expect(hints(step("email"))).toBe("0001");
  expect(hints(step("llm"))).toBe("1011");
  expect(hints(step("foreach", { steps: [step("file", { action: "delete" })] }))).toBe("0110");
  expect(hints(step("foreach", { workflowId: "wf_2" }))).toBe("0101");
  expect(hints(step("agent_call"))).toBe("0101");
  expect(hints(step("a-type-of-tomorrow"))).toBe("0101");
});

test("a run may be slow when it waits, asks a model or starts other runs", () => {
  const isSlow = (type: string) =>
    maybeSlow(graphOf({ stepId: "a", type: "transform" }, { stepId: "b", type }));
  for (const type of ["delay", "approval", "llm", "agent", "mcp", "workflow", "foreach"])
    expect(isSlow(type), type).toBe(true);
  for (const type of ["transform", "condition", "http", "file"]) expect(isSlow(type), type).toBe(false);
});

test("the output schema is known only when the output is certain to be that of a model step", async () => {
  const schema = { type: "object", properties: { total: { type: "number" } } };
  const model = { stepId: "extract", type: "llm", prompt: "…", schema };
  const schemaOf = async (...steps: Graph["steps"]) =>
    (await listTools([workflowTool("x", graphOf(...steps))])).tools[0]!["outputSchema"];
  expect(await schemaOf(model)).toEqual(schema);
  expect(await schemaOf({ stepId: "ask", type: "approval" }, model)).toBeUndefined();
  expect(await schemaOf({ stepId: "if", type: "condition" }, model)).toBeUndefined();
  expect(await schemaOf({ ...model, onError: "continue" })).toBeUndefined();
  expect(await schemaOf(model, { stepId: "end", type: "transform" })).toBeUndefined();
});
