import { expect, test } from "vitest";
import type { Connection } from "../../contract/connections.ts";
import { readGraph } from "./inner-steps.ts";
import { needsSetup, presetConnections, templateNeeds, withConnections } from "./template-needs.ts";

const graph = {
  steps: [
    {
      stepId: "each",
      type: "foreach",
      steps: [{ stepId: "post", type: "app", app: "slack", input: { channel: "{{vars.channel}}" } }],
    },
    { stepId: "again", type: "app", app: "slack", connection: "conn_1" },
    { stepId: "rows", type: "sql", connection: "conn_other" },
    { stepId: "answer", type: "llm", prompt: "{{secrets.tone}} {{vars.channel}}" },
    { stepId: "own", type: "llm", connection: "conn_2" },
    { stepId: "look", type: "document_query" },
    { stepId: "ask", type: "agent", capability: "research" },
    { stepId: "mail", type: "email" },
  ],
};

test("a template names each connection, model, agent, document and variable that it needs once", () => {
  expect(templateNeeds(graph)).toEqual([
    { kind: "connection", key: "app:slack", type: "app", wanted: { app: "slack" }, optional: false },
    expect.objectContaining({ kind: "connection", key: "sql", optional: false, current: "conn_other" }),
    { kind: "model" },
    { kind: "documents" },
    { kind: "agent", capability: "research" },
    expect.objectContaining({ kind: "connection", key: "email", optional: true }),
    { kind: "variable", name: "channel" },
    { kind: "variable", name: "tone" },
  ]);
  expect(templateNeeds({ steps: [{ stepId: "a", type: "transform", template: "vars" }] })).toEqual([]);
});

test("a template that is no valid graph is read as far as it is one", () => {
  const odd = {
    steps: [null, 1, { stepId: 5, type: "sql" }, { stepId: "a", type: 7 }, { stepId: "b", type: "sql" }],
    edges: [null, {}],
  };
  expect(readGraph(odd)).toEqual({ steps: [odd.steps[4]], edges: [] });
  expect(templateNeeds(readGraph(odd))).toMatchObject([{ key: "sql" }]);
});

test("a chosen connection is set in every step that needs it, also inside a loop", () => {
  const [each, again, rows, answer] = withConnections(graph.steps, { "app:slack": "conn_9" });
  expect(each).toMatchObject({ steps: [{ stepId: "post", connection: "conn_9" }] });
  expect(again).toMatchObject({ connection: "conn_9" });
  expect(rows).toMatchObject({ connection: "conn_other" });
  expect(answer).toEqual(graph.steps[3]);
});

const record = (part: Partial<Connection>) => ({ settings: {}, ...part }) as Connection;

test("a connection is preset when the step names it or only one fits", () => {
  const needs = templateNeeds(graph);
  const slack = (id: string) => record({ id, app: "slack", kind: "oauth2" });
  const database = (id: string) => record({ id, kind: "database", settings: { type: "postgres" } });
  const mail = record({ id: "conn_mail", kind: "smtp" });
  const databases = [database("conn_other"), database("conn_third")];
  expect(presetConnections(needs, [slack("conn_1"), ...databases, mail])).toEqual({
    "app:slack": "conn_1",
    sql: "conn_other",
  });
  expect(presetConnections(needs, [slack("conn_1"), slack("conn_2")])).toEqual({});
});

test("a template needs setup when a step or its trigger does", () => {
  const steps = [{ stepId: "a", type: "transform", template: 1 }];
  expect(needsSetup({ steps })).toBe(false);
  expect(needsSetup({ steps, trigger: { kind: "schedule" } })).toBe(false);
  expect(needsSetup({ steps, trigger: { kind: "rss" } })).toBe(true);
  expect(needsSetup(graph)).toBe(true);
});
