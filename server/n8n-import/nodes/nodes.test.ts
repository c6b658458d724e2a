import { expect, test } from "vitest";
import { imported, type Node, set, step } from "../testing/import-nodes.ts";

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
    "wait, with a unit of every object",
    { type: "wait", parameters: { amount: 2, unit: "constructor" } },
    { type: "delay", seconds: 2 },
    "ready",
  ],
  [
    "limit",
    { type: "limit", parameters: { maxItems: 3 } },
    {
      type: "data",
      operation: "limit",
      // The response may be a list, one object, nothing or a text.
      items:
        '{{= [steps["get-row"].output].flat().map((each) => (typeof each === "string" ? { data: each } : (each ?? {}))) }}',
      count: 3,
    },
    "ready",
  ],
  [
    "sort",
    {
      type: "sort",
      parameters: { sortFieldsUi: { sortField: [{ fieldName: "at", order: "descending" }] } },
    },
    { type: "code", code: expect.stringContaining('const by = [[["at"], -1]];') },
    "ready",
  ],
  [
    "split out",
    { type: "splitOut", parameters: { fieldToSplitOut: "lines" } },
    { type: "code", code: expect.stringContaining('"name":"lines"') },
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

test("an HTTP response that may be a list is to check when the next node runs per item", () => {
  const get = { name: "Get", type: "httpRequest", parameters: { url: "https://a.example" } };
  const { nodes } = imported([get, { name: "Next", ...set("1") }], { Get: [["Next"]] });
  expect(nodes[0]).toMatchObject({
    result: "check",
    note: expect.stringContaining("If the response is a list"),
  });
  expect(imported([get]).nodes[0]).toMatchObject({ result: "ready" });
});

test.each([
  ["https://api.openai.com/v1/chat/completions", "ready"],
  ["=https://api.notion.com/v1/databases/{{ $json.id }}/query", "ready"],
  ["https://api.openai.com/v1/files/f1/content", "check"],
  ["=https://api.openai.com{{ $json.path }}", "check"],
  ["https://api.openai.com.evil.example/v1", "check"],
  ["=https://{{ $json.host }}/v1", "check"],
])("a response of %s, which is known to be one object or not, is %s", (url, result) => {
  const { nodes } = imported(
    [
      { name: "Get", type: "httpRequest", parameters: { url } },
      { name: "Next", ...set("1") },
    ],
    { Get: [["Next"]] },
  );
  expect(nodes[0]?.result).toBe(result);
});

test("data of Telegram has the fields that n8n has", () => {
  const start = { name: "Bot", type: "telegramTrigger" };
  const next = { name: "Next", ...set("={{ $json.message.chat.id }}") };
  const { workflow, nodes } = imported([start, next], { Bot: [["Next"]] });
  expect(workflow.metadata.steps).toMatchObject([{ template: { x: "{{input.message.chat.id}}" } }]);
  expect(nodes[1]?.result).toBe("ready");
});

test("a disabled node hands on to its first output only, and an error output gives the message", () => {
  const { workflow } = imported(
    [
      { name: "If", type: "if", disabled: true },
      {
        name: "Get",
        type: "httpRequest",
        parameters: { url: "https://a.example" },
        onError: "continueErrorOutput",
      },
      { name: "No", ...set("2") },
      { name: "Failed", ...set("={{ $json.error }}") },
    ],
    { If: [["Get"], ["No"]], Get: [[], ["Failed"]] },
  );
  expect(workflow.metadata.edges).toMatchObject([
    { source: "if", target: "get" },
    { source: "get", target: "failed", condition: "error" },
  ]);
  expect(workflow.metadata.steps).toContainEqual(
    expect.objectContaining({ stepId: "failed", template: { x: "{{steps.get.error.message}}" } }),
  );
});

test("code with a return of several items gives a list", () => {
  const jsCode = "if (items.length > 1) return items;\nreturn { json: { n: 1 } };";
  const { workflow } = imported(
    [
      { name: "Code", type: "code", parameters: { jsCode } },
      { name: "Next", ...set("={{ $json.n }}") },
    ],
    {
      Code: [["Next"]],
    },
  );
  expect(workflow.metadata.steps).toMatchObject([{ stepId: "code" }, { type: "foreach" }]);
});

test.each([
  [undefined, 2],
  [1, 1],
  [4, 3],
  [20, 4],
])("with %j tries, a step is retried %i times", (maxTries, maxRetries) => {
  const node = { ...set("1"), retryOnFail: true, maxTries };
  expect(step(node).step["maxRetries"]).toBe(maxRetries);
});

test("a node that runs for the first item only is ready where one object arrives", () => {
  const once = { ...set("={{ $json.a }}"), executeOnce: true };
  const code = (jsCode: string) => ({ type: "code", parameters: { jsCode } });
  expect(step(once, code("return { a: 1 };")).report.result).toBe("ready");
  expect(step(once, code("return items;")).report).toMatchObject({
    result: "check",
    note: expect.stringContaining("first item only"),
  });
});
