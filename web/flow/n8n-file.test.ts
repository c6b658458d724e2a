import { describe, expect, test } from "vitest";
import { readN8n } from "./n8n-file.ts";

const nodes = [{ name: "Start", type: "n8n-nodes-base.manualTrigger", parameters: {} }];
const read = (value: unknown) => readN8n(typeof value === "string" ? value : JSON.stringify(value));

describe("readN8n", () => {
  test.each([
    ["a download", { name: "A", nodes, connections: {}, pinData: { Start: [1] }, versionId: "v" }, ["A"]],
    ["nodes copied from the canvas", { nodes, connections: {}, meta: { instanceId: "1" } }, [undefined]],
    ["a template", { workflow: { name: "T", workflow: { nodes, connections: {} } } }, ["T"]],
    ["an answer of the API", { data: [{ name: "A", nodes, connections: {} }], nextCursor: null }, ["A"]],
    [
      "an export of all workflows",
      [
        { name: "A", nodes },
        { name: "B", nodes },
      ],
      ["A", "B"],
    ],
  ])("finds the workflows in %s", (_name, value, names) => {
    expect(read(value)).toMatchObject({ workflows: names.map((name) => (name ? { name } : { nodes })) });
  });

  test("leaves out pinned data", () => {
    expect(read({ name: "A", nodes, connections: {}, pinData: { Start: ["secret"] } })).toEqual({
      workflows: [{ name: "A", nodes, connections: {} }],
    });
  });

  test.each([
    ["an empty text", " ", "nothing in it"],
    ["a page", "<!doctype html><title>n8n</title>", "web page"],
    ["a text", "Orders", "not JSON"],
    ["half of a file", '{"nodes": [', "damaged or incomplete"],
    ["a workflow of Baton", { name: "A", steps: [], edges: [] }, "workflow of Baton"],
    ["another JSON", { name: "package", version: "1" }, "no nodes of n8n"],
    ["nodes of another tool", { nodes: [{ id: 1, type: "KSampler" }], links: [] }, "no nodes of n8n"],
    ["a workflow without nodes", { nodes: [], connections: {} }, "has no nodes"],
    ["too many nodes", { nodes: Array.from({ length: 501 }, () => nodes[0]), connections: {} }, "501 nodes"],
  ])("says what is wrong with %s", (_name, value, problem) => {
    expect(read(value)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
