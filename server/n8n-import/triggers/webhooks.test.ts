import { expect, test } from "vitest";
import { imported, type Node, set } from "../testing/import-nodes.ts";

const hook = (parameters: object): Node => ({
  name: "Hook",
  type: "webhook",
  parameters: { httpMethod: "POST", path: "orders", ...parameters },
});
const respond = (parameters: object, more: object = {}): Node => ({
  name: "Respond",
  type: "respondToWebhook",
  parameters,
  ...more,
});
const responding = (parameters: object) => {
  const { workflow, nodes } = imported([hook({ responseMode: "responseNode" }), respond(parameters)], {
    Hook: [["Respond"]],
  });
  const [step] = workflow.metadata.steps as { template: unknown }[];
  return { template: step?.template, result: nodes[1]?.result, note: nodes[1]?.note, workflow };
};

test.each([
  [{ respondWith: "json", responseBody: '={ "id": {{ $json.body.id }} }' }, { body: { id: "{{input.id}}" } }],
  [
    { respondWith: "json", responseBody: "={{ $json.body.text }}" },
    { headers: { "content-type": "application/json; charset=utf-8" }, body: "{{input.text}}" },
  ],
  [{ respondWith: "json" }, { body: { myField: "value" } }],
  [
    { respondWith: "text", responseBody: "=Hi {{ $json.body.name }}" },
    { headers: { "content-type": "text/html; charset=utf-8" }, body: "Hi {{input.name}}" },
  ],
  [{ respondWith: "noData", options: { responseCode: 204 } }, { statusCode: 204 }],
  [
    { respondWith: "redirect", redirectURL: "https://a.example" },
    { statusCode: 307, headers: { location: "https://a.example" } },
  ],
  [
    {
      respondWith: "text",
      responseBody: "<a/>",
      options: { responseHeaders: { entries: [{ name: "Content-Type", value: "text/xml" }] } },
    },
    { headers: { "content-type": "text/xml; charset=utf-8" }, body: "<a/>" },
  ],
])("a node that responds with %j is ready, with the same response", (parameters, template) => {
  expect(responding(parameters)).toMatchObject({ template, result: "ready" });
});

test("the items are the body, in the field that the node names", () => {
  const rows = { name: "Rows", type: "code", parameters: { jsCode: "return items;" } };
  const bodyOf = (parameters: object): unknown => {
    const { workflow } = imported([hook({ responseMode: "responseNode" }), rows, respond(parameters)], {
      Hook: [["Rows"]],
      Rows: [["Respond"]],
    });
    return (workflow.metadata.steps[1] as { template: { body: unknown } }).template.body;
  };
  expect(bodyOf({ respondWith: "allIncomingItems", options: { responseKey: "data.rows" } })).toEqual({
    data: { rows: "{{steps.rows.output}}" },
  });
  expect(bodyOf({})).toBe("{{steps.rows.output[0]}}");
});

test("a header that responses cannot have is left out and named", () => {
  const entries = [{ name: "Access-Control-Allow-Origin", value: "*" }];
  expect(responding({ respondWith: "noData", options: { responseHeaders: { entries } } })).toMatchObject({
    template: {},
    result: "check",
    note: expect.stringContaining("access-control-allow-origin"),
  });
});

test("a response before the end of the run, one of several and one without a webhook are to check", () => {
  const after = imported(
    [hook({ responseMode: "responseNode" }), respond({}), { name: "Next", ...set("1") }],
    { Hook: [["Respond"]], Respond: [["Next"]] },
  );
  expect(after.nodes[1]).toMatchObject({
    result: "check",
    note: expect.stringContaining("when the run ends"),
  });
  expect(after.workflow.responseStepId).toBe("respond");

  const two = imported(
    [hook({ responseMode: "responseNode" }), respond({}), respond({}, { name: "Other" })],
    { Hook: [["Respond", "Other"]] },
  );
  expect(two.nodes.map(({ result }) => result)).toEqual(["check", "check", "check"]);
  expect(two.workflow.responseStepId).toBeUndefined();

  const byHand = imported([{ name: "Start", type: "manualTrigger" }, respond({})], { Start: [["Respond"]] });
  expect(byHand.nodes[1]).toMatchObject({ result: "check", note: expect.stringContaining("no webhook") });
});

test("where n8n responds with the last node, a step makes that response", () => {
  const { workflow, triggers } = imported(
    [
      hook({ responseMode: "lastNode", options: { responseCode: { values: { responseCode: 201 } } } }),
      { name: "Yes", ...set("={{ $json.body.id }}") },
      {
        name: "Check",
        type: "if",
        typeVersion: 1,
        parameters: { conditions: { boolean: [{ value1: true }] } },
      },
      { name: "No", ...set("none") },
    ],
    { Hook: [["Check"]], Check: [["Yes"], ["No"]] },
  );
  expect(triggers).toMatchObject([{ kind: "webhook", customResponse: true }]);
  expect(workflow.responseStepId).toBe("response");
  expect(workflow.metadata.steps.at(-1)).toMatchObject({
    stepId: "response",
    template: { statusCode: 201, body: "{{= (steps.yes.output ?? steps.no.output) }}" },
  });
  expect(workflow.metadata.edges).toMatchObject([
    { source: "check" },
    { source: "check" },
    { source: "yes", target: "response" },
    { source: "no", target: "response" },
  ]);
});

test.each([
  ["={{ $json.headers.authorization }}", "check"],
  ["={{ $json.query.token }}", "check"],
  ["={{ JSON.stringify($json) }}", "check"],
  ["={{ $json.headers['user-agent'] }}", "ready"],
  ["={{ $json.query.page }}", "ready"],
])("what a webhook gives in another way is to check: %s", (value, result) => {
  const { nodes } = imported([hook({}), { name: "Next", ...set(value) }], { Hook: [["Next"]] });
  expect(nodes[1]?.result).toBe(result);
});

test("a webhook for GET has no body, and the methods and paths that do not exist here are named", () => {
  const read = imported([hook({ httpMethod: undefined }), { name: "Next", ...set("={{ $json.body.id }}") }], {
    Hook: [["Next"]],
  });
  expect(read.nodes[1]?.result).toBe("check");
  const { triggers } = imported([hook({ httpMethod: "DELETE", path: "orders/:id" })]);
  expect(triggers[0]?.note).toContain("takes GET and POST");
  expect(triggers[0]?.note).toContain("no parameters");
  const options = { rawBody: true, ipWhitelist: "10.0.0.1", ignoreBots: false };
  const { triggers: limited } = imported([hook({ authentication: "basicAuth", options })]);
  expect(limited[0]?.note).toMatch(/login is not imported.*not its bytes.*addresses of senders/);
  expect(limited[0]?.note).not.toContain("bots");
});
