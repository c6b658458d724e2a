import { expect, test } from "vitest";
import { resultOf } from "./support/run-steps.ts";
import { shareApp } from "./support/shared-app.ts";

const { app, alice } = await shareApp(["alice"]);
const path = "/api/workflows/import-n8n";

const base = (name: string, type: string, parameters: object = {}, more: object = {}) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion: 3.4,
  position: [0, 0],
  parameters,
  ...more,
});
const line = (node: string, index = 0) => ({ node, type: "main", index });

const reminders = {
  name: "Invoice reminders",
  meta: { n8nVersion: "1.98.0" },
  nodes: [
    base("Start", "manualTrigger"),
    base("Every morning", "scheduleTrigger", {
      rule: {
        interval: [{ field: "weeks", triggerAtDay: [1, 2, 3, 4, 5], triggerAtHour: 7, triggerAtMinute: 30 }],
      },
    }),
    base("Open invoices", "code", {
      jsCode:
        "return [{ json: { id: 1, days: 20, total: 128.4 } }, { json: { id: 2, days: 3, total: 5 } }, { json: { id: 3, days: 40, total: 60 } }].map((item) => item);",
    }),
    base("IF overdue", "if", {
      conditions: {
        combinator: "and",
        conditions: [
          { leftValue: "={{ $json.days }}", rightValue: 14, operator: { type: "number", operation: "gt" } },
        ],
      },
    }),
    base("Build message", "set", {
      assignments: {
        assignments: [
          {
            name: "text",
            type: "string",
            value:
              "=Invoice {{ $json.id }} of {{ $now.toISODate() }}: {{ $('Open invoices').item.json.total.toFixed(2) }}",
          },
        ],
      },
    }),
    base(
      "Send to fax",
      "fax",
      { number: "=+{{ $json.fax }}" },
      { type: "n8n-nodes-community.fax", credentials: { fax: { id: "9", name: "Office" } } },
    ),
    base("Totals", "aggregate", { aggregate: "aggregateAllItemData" }, { typeVersion: 1 }),
    base("Note", "stickyNote", { content: "## Reminders" }),
  ],
  connections: {
    Start: { main: [[line("Open invoices")]] },
    "Every morning": { main: [[line("Open invoices")]] },
    "Open invoices": { main: [[line("IF overdue")]] },
    "IF overdue": { main: [[line("Build message")], []] },
    "Build message": { main: [[line("Totals")]] },
    Totals: { main: [[line("Send to fax")]] },
  },
};

test("a workflow of n8n becomes an unpublished draft that publishes and runs, with a result for every node", async () => {
  const preview = await alice.post(path, { workflow: reminders, save: false });
  expect([preview.status, preview.body.workflow.id]).toEqual([200, undefined]);
  expect((await alice.get("/api/workflows")).body.workflows).toEqual([]);

  const { status, body } = await alice.post(path, { workflow: reminders });
  expect([status, body.workflow.published, body.workflow.version, body.workflow.draft.revision]).toEqual([
    201,
    false,
    0,
    1,
  ]);
  expect(body.source).toEqual({
    name: "Invoice reminders",
    n8nVersion: "1.98.0",
    nodes: 7,
    lines: 6,
    notes: 1,
  });
  expect(
    body.nodes.map(({ name, becomes, result }: Record<string, string>) => [name, becomes, result]),
  ).toEqual([
    ["Start", "trigger", "ready"],
    ["Every morning", "trigger", "check"],
    ["Open invoices", "step", "ready"],
    ["IF overdue", "step", "ready"],
    ["Build message", "step", "check"],
    ["Send to fax", "step", "unsupported"],
    ["Totals", "step", "ready"],
  ]);
  expect(body.counts).toEqual({ ready: 4, check: 2, unsupported: 1 });
  expect(body.triggers[1]).toMatchObject({ kind: "schedule", cron: "30 7 * * 1,2,3,4,5" });
  expect((await alice.get("/api/schedules")).body.schedules).toEqual([]);

  const { id } = body.workflow;
  const { draft, errors } = (await alice.get(`/api/workflows/${id}/draft`)).body;
  expect(errors).toEqual([]);
  expect(draft.metadata).toEqual(preview.body.workflow.metadata);
  expect(draft.metadata.notes.map(({ text }: { text: string }) => text)).toEqual([
    "Triggers to add\n– Every morning: schedule 30 7 * * 1,2,3,4,5",
    "Reminders",
  ]);
  const fax = JSON.stringify(draft.metadata);
  expect(fax).toContain("+{{ $json.fax }}");
  expect(fax).not.toContain("Office");

  expect((await alice.post(`/api/workflows/${id}/publish`, {})).status).toBe(200);
  const run = await alice.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const { task } = (await alice.get(`/api/tasks/${run.body.taskId}`)).body;
  expect(task.status).toBe("completed");
  const lines = resultOf(task, "totals").output.data.map(({ text }: { text: string }) =>
    text.replace(/\d{4}-\d\d-\d\d/, "today"),
  );
  expect(lines).toEqual(["Invoice 1 of today: 128.40", "Invoice 3 of today: 60.00"]);
});

test("typed fields of Set convert the values of a run, and fail on those that n8n refuses", async () => {
  const field = (name: string, type: string) => ({ name, type, value: `={{ $json.${name} }}` });
  const fields = [
    field("n", "number"),
    field("b", "boolean"),
    field("l", "array"),
    field("o", "object"),
    field("s", "string"),
  ];
  const run = async (input: object, options = {}) => {
    const nodes = [base("Typed", "set", { assignments: { assignments: fields }, options })];
    const { body } = await alice.post(path, { workflow: { nodes, connections: {} } });
    expect(body.nodes).toMatchObject([{ result: "ready" }]);
    await alice.post(`/api/workflows/${body.workflow.id}/publish`, {});
    const { taskId } = (await alice.post(`/api/workflows/${body.workflow.id}/run?wait=true`, { input })).body;
    const { task } = (await alice.get(`/api/tasks/${taskId}`)).body;
    return task.status === "completed" ? resultOf(task, "typed").output : task.status;
  };
  const texts = { n: "5", b: "TRUE", l: "['a', 1]", o: '{"a":1}', s: { a: 1 } };
  expect(await run(texts)).toEqual({ n: 5, b: true, l: ["a", 1], o: { a: 1 }, s: '{"a":1}' });
  expect(await run({ b: 0 })).toEqual({ n: null, b: false, l: null, o: null, s: null });
  const refused = { n: "five", b: "yes", l: '{"a":1}', o: "none", s: "" };
  for (const [name, value] of Object.entries(refused).slice(0, 4))
    expect([name, await run({ ...texts, [name]: value })]).toEqual([name, "failed"]);
  expect(await run(refused, { ignoreConversionErrors: true })).toEqual(refused);
});

test.each<[string, string, unknown, number, unknown[], boolean[]]>([
  ["string", "contains", "a", 2, [["ab"], "cab", 1, null], [true, true, false, false]],
  ["string", "empty", "", 2, [{}, "", null, 0], [false, true, true, false]],
  ["boolean", "equals", false, 2, ["false", 0, null, [], "no"], [true, true, false, true, false]],
  ["boolean", "true", "", 1, ["false", 0, null, "no"], [true, false, false, true]],
])(
  "a comparison that converts types, %s %s %j of version %i, decides as in n8n",
  async (type, operation, rightValue, version, values, expected) => {
    const conditions = {
      options: { caseSensitive: true, typeValidation: "loose", version },
      combinator: "and",
      conditions: [{ leftValue: "={{ $json.a }}", rightValue, operator: { type, operation } }],
    };
    const nodes = [base("If", "if", { conditions }, { typeVersion: 2.2 })];
    const { body } = await alice.post(path, { workflow: { nodes, connections: {} } });
    expect(body.nodes).toMatchObject([{ result: "ready" }]);
    await alice.post(`/api/workflows/${body.workflow.id}/publish`, {});
    const decided: unknown[] = [];
    for (const a of values) {
      const { taskId } = (
        await alice.post(`/api/workflows/${body.workflow.id}/run?wait=true`, { input: { a } })
      ).body;
      decided.push(resultOf((await alice.get(`/api/tasks/${taskId}`)).body.task, "if").output);
    }
    expect(decided).toEqual(expected);
  },
);

test("a node that responds to a webhook makes the response of its call", async () => {
  const hook = base("Hook", "webhook", { httpMethod: "POST", path: "greet", responseMode: "responseNode" });
  const answer = base("Answer", "respondToWebhook", {
    respondWith: "text",
    responseBody: "=Hi {{ $json.body.name }}",
    options: { responseCode: 201 },
  });
  const connections = { Hook: { main: [[line("Answer"), line("Next")]] } };
  const workflow = { nodes: [hook, answer, base("Next", "noOp")], connections };
  const { body } = await alice.post(path, { workflow });
  expect(body.nodes).toMatchObject([{ result: "check" }, { result: "ready" }, { result: "ready" }]);
  const { id: workflowId, apiSettings } = body.workflow;
  expect(apiSettings).toMatchObject({ enabled: false, responseStepId: "answer" });

  await alice.post(`/api/workflows/${workflowId}/publish`, {});
  const { customResponse } = body.triggers[0];
  const webhook = { name: "Greet", source: "greet-n8n", workflowId, customResponse };
  const { secret } = (await alice.post("/api/webhooks", webhook)).body.webhook;
  const called = await app.anonymous.post(`/webhook/greet-n8n?secret=${secret}`, { name: "Ann" });
  expect([called.status, called.headers["content-type"], called.text]).toEqual([
    201,
    "text/html; charset=utf-8",
    "Hi Ann",
  ]);
});

test("files of any shape are converted or refused with details, never with 500", async () => {
  const node = (name: unknown, more: object = {}) => ({
    name,
    type: "n8n-nodes-base.set",
    parameters: {},
    ...more,
  });
  const deep = JSON.parse(`${'{"a":'.repeat(60)}1${"}".repeat(60)}`);
  const files: [unknown, number][] = [
    [{ nodes: [] }, 400],
    [{ nodes: "none" }, 400],
    [[], 400],
    [{ nodes: Array.from({ length: 501 }, (_, at) => node(`n${at}`)) }, 400],
    [
      {
        nodes: [1, null, "x", [], { type: 5, name: {}, parameters: [], position: "here" }],
        connections: { a: 1 },
      },
      200,
    ],
    [
      {
        nodes: [node("a"), node("a"), node("__proto__"), node("constructor")],
        connections: { a: { main: [[line("a"), line("__proto__")]] } },
      },
      200,
    ],
    [
      {
        nodes: [node("a"), node("b")],
        connections: { a: { main: [[line("b")]] }, b: { main: [[line("a")]] } },
      },
      200,
    ],
    [
      {
        nodes: [
          node("a", {
            parameters: {
              assignments: {
                assignments: [
                  { name: "__proto__", value: deep },
                  { name: "b", value: "={{ {{ $json" },
                  { name: "c", value: "={{ $(`x`).first().json }} }}" },
                ],
              },
            },
          }),
        ],
      },
      200,
    ],
    [
      {
        nodes: [
          node("x".repeat(100_000), { type: "n8n-nodes-base.code", parameters: { jsCode: "return ((((" } }),
        ],
      },
      200,
    ],
  ];
  for (const [workflow, expected] of files) {
    const { status, body } = await alice.post(path, { workflow, save: false });
    expect([JSON.stringify(workflow).slice(0, 80), status]).toEqual([
      JSON.stringify(workflow).slice(0, 80),
      expected,
    ]);
    if (expected === 400) expect([body.error, body.details !== undefined]).toEqual(["invalid_request", true]);
    else
      expect(body.nodes.length).toBe(
        Object.values(body.counts as Record<string, number>).reduce((a, b) => a + b, 0),
      );
  }
});
