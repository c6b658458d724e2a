import { expect, test } from "vitest";
import type { Connection } from "../../contract/connections.ts";
import type { N8nNode } from "../../contract/n8n-import.ts";
import { connectionsOfNodes, n8nNeeds, presetN8nConnections } from "./n8n-needs.ts";

const node = (name: string, type: string, connection?: N8nNode["connection"]): N8nNode => ({
  name,
  type: `n8n-nodes-base.${type}`,
  becomes: "step",
  result: "check",
  note: "",
  expressions: [],
  ...(connection !== undefined && { connection }),
});

const nodes = [
  node("Ask", "slack", { kind: "app", app: "slack", credential: "Team" }),
  node("Tell", "slack", { kind: "app", app: "slack", credential: "Team" }),
  node("Rows", "postgres", { kind: "database" }),
  node("Cache", "redis", { kind: "database" }),
  node("Shop", "httpRequest", { kind: "headers" }),
  node("Bank", "httpRequest", { kind: "headers" }),
  node("Set", "set"),
];

const connection = (id: string, more: object): Connection =>
  ({ id, name: id, app: null, kind: "database", settings: {}, ...more }) as unknown as Connection;

test("nodes share a connection by their credential, databases by their kind, and HTTP nodes never", () => {
  expect(n8nNeeds(nodes).map(({ nodes: names }) => names)).toEqual([
    ["Ask", "Tell"],
    ["Rows"],
    ["Cache"],
    ["Shop"],
    ["Bank"],
  ]);
});

test("presets a connection with the name of the credential or the only one that fits, but none for HTTP", () => {
  const needs = n8nNeeds(nodes);
  const known = [
    connection("other-slack", { kind: "oauth2", app: "slack" }),
    connection("team", { name: "team", kind: "oauth2", app: "slack" }),
    connection("pg", { settings: { type: "postgres" } }),
  ];
  const chosen = presetN8nConnections(needs, known);
  expect(connectionsOfNodes(needs, chosen)).toEqual({ Ask: "team", Tell: "team", Rows: "pg" });
  expect(presetN8nConnections(needs, [connection("key", { kind: "headers" })])).toEqual({});
});
