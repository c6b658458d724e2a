import { describe, expect, test } from "vitest";
import { validateGraph } from "../../contract/graph/validate.ts";
import { convertWorkflow } from "./convert.ts";

type Node = { name: string; type: string; parameters?: object; typeVersion?: number } & Record<
  string,
  unknown
>;
type Lines = Record<string, string[][]>;

function imported(nodes: Node[], lines: Lines = {}, connections: Record<string, string> = {}) {
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
  const result = convertWorkflow({ nodes: full, connections: links }, connections);
  expect(validateGraph(result.workflow.metadata).errors).toEqual([]);
  return result;
}

/** The first step of a node after another one, `Get row`, that gives one object. */
function step(
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

const set = (value: unknown) => ({
  type: "set",
  parameters: { assignments: { assignments: [{ name: "x", value }] } },
});

describe("expressions", () => {
  test.each([
    ["={{ $json.a.b }}", "{{steps.get-row.output.a.b}}", "ready"],
    ['={{ $json["a b"][0] }}', '{{steps.get-row.output["a b"][0]}}', "ready"],
    ['={{ $node["Get row"].json.y }}', "{{steps.get-row.output.y}}", "ready"],
    ["={{ $('Get row').item.json.y }}", "{{steps.get-row.output.y}}", "ready"],
    [
      "=Hello {{ $json.name }}, {{ $json.age }}",
      "Hello {{steps.get-row.output.name}}, {{steps.get-row.output.age}}",
      "ready",
    ],
    ["={{ $now }}", "{{now}}", "ready"],
    ["={{ $today.toISODate() }}", '{{= DateTime.fromISO(now).startOf("day").toISODate() }}', "ready"],
    ["={{ $execution.id }}", "{{task.id}}", "ready"],
    ["={{ $workflow.name }}", "{{workflow.name}}", "ready"],
    ["={{ $vars.API }}", "{{vars.API}}", "check"],
    ["={{ $json.a.toUpperCase() }}", '{{= steps["get-row"].output?.a.toUpperCase() }}', "ready"],
    [
      "={{ [1, 2].map((n) => n * $json.f) }}",
      '{{= [1, 2].map((n) => n * steps["get-row"].output?.f) }}',
      "ready",
    ],
    ["={{ '$json.a' }}", "{{= '$json.a' }}", "ready"],
    ["={{ $jmespath($json, 'a') }}", "\\{{ $jmespath($json, 'a') }}", "check"],
    ["={{ $('Nobody').item.json.y }}", "\\{{ $('Nobody').item.json.y }}", "check"],
    ["={{ $('Next').item.json.y }}", "\\{{ $('Next').item.json.y }}", "check"],
    ["={{ $json.a.isEmpty() }}", '{{= steps["get-row"].output?.a.isEmpty() }}', "check"],
    ["plain {{ $json.a }}", "plain \\{{ $json.a }}", "ready"],
  ])("%s becomes %s", (before, after, result) => {
    const { step: found, report } = step(set(before));
    expect([(found["template"] as { x: unknown }).x, report.result]).toEqual([after, result]);
  });

  test("data of a webhook is the input, its query and its headers", () => {
    const { workflow } = imported(
      [
        { name: "Hook", type: "webhook", parameters: { path: "orders", httpMethod: "POST" } },
        {
          name: "Next",
          ...set("={{ $json.body.id }} {{ $json.query.q }} {{ $('Hook').item.json.headers['X-Shop'] }}"),
        },
      ],
      { Hook: [["Next"]] },
    );
    expect(workflow.metadata.steps).toMatchObject([
      { template: { x: "{{input.id}} {{trigger.query.q}} {{trigger.headers.x-shop}}" } },
    ]);
  });
});

describe("nodes", () => {
  const rule = (operation: string, rightValue?: unknown) => ({
    conditions: {
      combinator: "and",
      conditions: [{ leftValue: "={{ $json.a }}", rightValue, operator: { type: "string", operation } }],
    },
  });
  test.each<[string, Omit<Node, "name">, Record<string, unknown>, string]>([
    [
      "if",
      { type: "if", parameters: rule("equals", "x") },
      { type: "condition", left: "{{steps.get-row.output.a}}", operator: "eq", right: "x" },
      "ready",
    ],
    [
      "if, older",
      {
        type: "if",
        typeVersion: 1,
        parameters: {
          conditions: { number: [{ value1: "={{ $json.a }}", value2: 3, operation: "larger" }] },
        },
      },
      { type: "condition", operator: "gt", right: 3 },
      "ready",
    ],
    [
      "switch",
      { type: "switch", parameters: { rules: { values: [rule("equals", "x"), rule("equals", "y")] } } },
      { type: "switch", value: "{{steps.get-row.output.a}}" },
      "ready",
    ],
    [
      "wait",
      { type: "wait", parameters: { amount: 2, unit: "minutes" } },
      { type: "delay", seconds: 120 },
      "ready",
    ],
    [
      "limit",
      { type: "limit", parameters: { maxItems: 3 } },
      { type: "data", operation: "limit", items: ["{{steps.get-row.output}}"], count: 3 },
      "ready",
    ],
    [
      "sort",
      {
        type: "sort",
        parameters: { sortFieldsUi: { sortField: [{ fieldName: "at", order: "descending" }] } },
      },
      { type: "data", operation: "sort", by: ["-at"] },
      "ready",
    ],
    [
      "split out",
      { type: "splitOut", parameters: { fieldToSplitOut: "lines" } },
      { type: "data", operation: "split_out", field: "lines" },
      "ready",
    ],
    [
      "http",
      {
        type: "httpRequest",
        parameters: {
          method: "POST",
          url: "=https://a.example/{{ $json.id }}",
          sendBody: true,
          specifyBody: "json",
          jsonBody: '={"a": {{ $json.n }}, "b": "x {{ $json.s }}"}',
        },
        retryOnFail: true,
      },
      {
        type: "http",
        method: "POST",
        url: "https://a.example/{{steps.get-row.output.id}}",
        body: { a: "{{steps.get-row.output.n}}", b: "x {{steps.get-row.output.s}}" },
        maxRetries: 2,
      },
      "ready",
    ],
    [
      "http with a login",
      {
        type: "httpRequest",
        parameters: {
          url: "https://a.example",
          authentication: "genericCredentialType",
          genericAuthType: "httpBasicAuth",
        },
      },
      { type: "http", connection: "conn_choose" },
      "ready",
    ],
    [
      "sql",
      {
        type: "postgres",
        parameters: { operation: "executeQuery", query: "=select * from t where id = '{{ $json.id }}'" },
      },
      {
        type: "sql",
        query: "select * from t where id = :v1",
        parameters: { v1: "{{steps.get-row.output.id}}" },
      },
      "check",
    ],
    [
      "slack",
      {
        type: "slack",
        parameters: { select: "channel", channelId: { __rl: true, value: "C1" }, text: "=Hi {{ $json.n }}" },
      },
      {
        type: "app",
        app: "slack",
        action: "send_message",
        input: { channel: "C1", text: "Hi {{steps.get-row.output.n}}" },
      },
      "ready",
    ],
    [
      "slack without a channel",
      { type: "slack", parameters: { text: "Hi" } },
      { type: "app", disabled: true },
      "check",
    ],
    [
      "an operation without a counterpart",
      { type: "slack", parameters: { resource: "file", operation: "upload" } },
      { type: "code", disabled: true },
      "unsupported",
    ],
    [
      "python",
      { type: "code", parameters: { language: "python", pythonCode: "return 1" } },
      { type: "code", disabled: true },
      "unsupported",
    ],
    [
      "chain",
      {
        type: "@n8n/n8n-nodes-langchain.chainLlm",
        parameters: { promptType: "define", text: "=Sum up {{ $json.t }}" },
      },
      { type: "llm", prompt: "Sum up {{steps.get-row.output.t}}" },
      "check",
    ],
    [
      "stop",
      { type: "stopAndError", parameters: { errorMessage: "No order" } },
      { type: "code", code: 'throw new Error("No order");' },
      "ready",
    ],
    ["disabled", { ...set("1"), disabled: true }, { type: "transform", disabled: true }, "ready"],
  ])("%s", (_name, node, expected, result) => {
    const { step: found, report } = step(node);
    expect(found).toMatchObject(expected);
    expect(report.result).toBe(result);
  });

  test("a placeholder keeps the parameters and no credentials", () => {
    const { step: found } = step({
      type: "n8n-nodes-other.fax",
      parameters: { number: "1\u20282" },
      credentials: { fax: { id: "7", name: "Office fax" } },
    });
    expect(
      String(found["code"])
        .split(/[\r\n\u2028\u2029]/)
        .every((each) => each.startsWith("//") || each === "return null;"),
    ).toBe(true);
    expect(found["code"]).toContain("number");
    expect(JSON.stringify(found)).not.toContain("Office");
  });

  test("code runs unchanged and is ready; what is unknown in it is named", () => {
    const code = (jsCode: string) => step({ type: "code", parameters: { jsCode } }, set("1")).report;
    expect(code("return [{ json: { n: $json.x } }];")).toMatchObject({
      result: "ready",
      note: "The code runs unchanged.",
      code: { result: "ready" },
    });
    expect(code('const _ = require("lodash"); return $input.params;')).toMatchObject({
      result: "check",
      note: "Replace what does not exist in code here: require, $input.params.",
    });
  });

  test("a note about other names of fields says whose", () => {
    const { report } = step(set("={{ $json.x }}"), {
      type: "slack",
      parameters: { channelId: "C1", text: "Hi" },
    });
    expect(report.note).toBe("Fields of “Get row” may have other names here.");
  });

  test("a chosen connection is in the step and in the report", () => {
    const { workflow, nodes } = imported(
      [{ name: "Db", type: "postgres", parameters: { operation: "executeQuery", query: "select 1" } }],
      {},
      { Db: "conn_1" },
    );
    expect(workflow.metadata.steps).toMatchObject([{ connection: "conn_1" }]);
    expect(nodes[0]).toMatchObject({ result: "ready", connection: { kind: "database", chosen: "conn_1" } });
  });
});

describe("items", () => {
  const rows = {
    name: "Rows",
    type: "postgres",
    parameters: { operation: "executeQuery", query: "select 1" },
  };
  const mail = { type: "set", parameters: set("={{ $json.email }} {{ $('Rows').item.json.id }}").parameters };

  test("steps that run once per item go into a foreach, up to the step that takes all items", () => {
    const { workflow } = imported(
      [
        rows,
        { name: "Mail", ...mail },
        { name: "Sorted", type: "sort", parameters: { sortFieldsUi: { sortField: [{ fieldName: "x" }] } } },
      ],
      { Rows: [["Mail"]], Mail: [["Sorted"]] },
    );
    expect(workflow.metadata).toMatchObject({
      steps: [
        { stepId: "rows" },
        {
          stepId: "each-rows",
          type: "foreach",
          items: "{{steps.rows.output.rows}}",
          steps: [{ template: { x: "{{item.email}} {{item.id}}" } }],
        },
        { stepId: "sorted", items: "{{steps.each-rows.output}}" },
      ],
      edges: [
        { source: "rows", target: "each-rows" },
        { source: "each-rows", target: "sorted" },
      ],
    });
  });

  test("Loop Over Items is a foreach with its nodes inside, and the line back goes", () => {
    const { workflow, nodes } = imported(
      [
        rows,
        { name: "Loop", type: "splitInBatches", typeVersion: 3, parameters: { batchSize: 10 } },
        { name: "Mail", ...set("={{ $json.email }}") },
        { name: "Done", type: "noOp" },
      ],
      { Rows: [["Loop"]], Loop: [["Done"], ["Mail"]], Mail: [["Loop"]] },
    );
    expect(workflow.metadata).toMatchObject({
      steps: [
        { stepId: "rows" },
        {
          stepId: "loop",
          type: "foreach",
          items: "{{steps.rows.output.rows}}",
          concurrency: 10,
          steps: [{ stepId: "mail", template: { x: "{{item.email}}" } }],
          edges: [],
        },
        { stepId: "done", template: "{{steps.loop.output}}" },
      ],
    });
    expect(nodes.find(({ name }) => name === "Loop")).toMatchObject({ result: "check", stepType: "foreach" });
    expect(nodes.find(({ name }) => name === "Mail")).toMatchObject({ inside: "loop" });
  });

  test("another line back is removed and reported", () => {
    const { workflow, nodes } = imported(
      [
        { name: "Ask", type: "httpRequest", parameters: { url: "https://a.example" } },
        { name: "Wait", type: "wait", parameters: { amount: 1 } },
      ],
      { Ask: [["Wait"]], Wait: [["Ask"]] },
    );
    expect(workflow.metadata.edges).toMatchObject([{ source: "ask", target: "wait" }]);
    expect(nodes[1]).toMatchObject({ result: "check", note: expect.stringContaining("line back") });
  });
});

test("steps have no position, and notes are left of them, the steps to check first", () => {
  const { workflow } = imported(
    [
      { name: "Start", type: "manualTrigger", position: [0, 0] },
      { name: "Paid", type: "webhook", position: [0, 0], parameters: { httpMethod: "POST", path: "paid" } },
      { name: "Fax", type: "n8n-nodes-other.fax", position: [200, 0], notes: "Ask Mia" },
      { name: "Second", type: "stickyNote", position: [0, 900], parameters: { content: "## Later" } },
      {
        name: "First",
        type: "stickyNote",
        position: [0, -900],
        parameters: { content: "Long ".repeat(2000) },
      },
      { name: "Frame", type: "stickyNote", position: [0, 0] },
    ],
    { Start: [["Fax"]] },
  );
  const { steps, notes = [] } = workflow.metadata;
  expect(steps.some((each) => "position" in (each as object))).toBe(false);
  expect(notes.map(({ text }) => text.slice(0, 12))).toEqual([
    "Triggers to ",
    "Long Long Lo",
    "Fax: Ask Mia",
    "## Later",
  ]);
  expect(notes[0]?.text).toBe("Triggers to add\n– Paid: webhook POST paid");
  expect(notes.every(({ position, width = 0 }) => position.x + width < 0 && position.y >= 0)).toBe(true);
  // The long note fills a column of its own.
  expect(new Set(notes.map(({ position }) => position.x)).size).toBe(3);
});

test.each([
  [{ field: "cronExpression", expression: "0 0 8 * * 1" }, "0 8 * * 1"],
  [{ field: "minutes", minutesInterval: 15 }, "*/15 * * * *"],
  [{ field: "hours", hoursInterval: 2, triggerAtMinute: 5 }, "5 */2 * * *"],
  [{ triggerAtHour: 6 }, "0 6 * * *"],
  [{ field: "months", triggerAtDayOfMonth: 3, triggerAtHour: 9 }, "0 9 3 * *"],
])("the schedule %j is %s", (interval, cron) => {
  const { triggers } = imported([
    { name: "Every", type: "scheduleTrigger", parameters: { rule: { interval: [interval] } } },
    { name: "Next", ...set("1") },
  ]);
  expect(triggers).toMatchObject([{ kind: "schedule", cron }]);
});
