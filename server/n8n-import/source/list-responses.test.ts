import { expect, test } from "vitest";
import { atOnce } from "../../lib/in-turns.ts";
import { convertWorkflow } from "../convert.ts";
import { imported, type Node, set } from "../testing/import-nodes.ts";

const get = (url: string, more: object = {}): Node => ({
  name: "Get",
  type: "httpRequest",
  parameters: { url },
  ...more,
});
const mail = { name: "Mail", ...set("={{ $json.email }}") };
const stepsOf = ({ workflow }: ReturnType<typeof imported>) => workflow.metadata.steps;
const ofGet =
  '[steps["get"].output].flat().map((each) => (typeof each === "string" ? { data: each } : (each ?? {})))';

test("the steps after a request for a list go into a foreach that also takes one object or a text", () => {
  const result = imported([get("https://a.example/v1/customers?limit=5"), mail], { Get: [["Mail"]] });
  expect(result.nodes).toMatchObject([
    { result: "ready", note: "The next steps run once for each entry of the response." },
    { result: "ready" },
  ]);
  expect(stepsOf(result)).toMatchObject([
    { stepId: "get", type: "http" },
    {
      stepId: "each-get",
      type: "foreach",
      items: `{{= ${ofGet.replace('steps["get"]', "steps.get")} }}`,
      steps: [{ stepId: "mail", template: { x: "{{item.email}}" } }],
    },
  ]);
});

test.each<[string, Node, Node]>([
  ["of one object", get("https://a.example/v1/customers/7"), mail],
  [
    "whose list is in a field",
    get("https://a.example/v1/customers"),
    { name: "Mail", ...set("={{ $json.data[0] }}") },
  ],
  [
    "whose list has the name of the address",
    get("https://a.example/v1/customers"),
    { name: "Mail", ...set("={{ $json.customers }}") },
  ],
  ["that is sent", get("", { parameters: { method: "POST", url: "https://a.example/v1/customers" } }), mail],
  ["of a status", get("https://a.example/v1/status"), mail],
])("a request %s has a line to check and no foreach", (_title, request, next) => {
  const result = imported([request, next], { Get: [["Mail"]] });
  expect(stepsOf(result)).toMatchObject([{ type: "http" }, { type: "transform" }]);
  expect(result.nodes[0]).toMatchObject({
    result: "check",
    note: "If the response is a list, n8n runs the next nodes once for each entry. Here it is one value: put the next steps into a For each over it.",
  });
});

test("pinned data with several items, a node for several items and a dataset of Apify show a list", () => {
  const nodes = [get("https://a.example/x"), mail].map((node) => ({
    ...node,
    typeVersion: 4.2,
    type: node.type.includes(".") ? node.type : `n8n-nodes-base.${node.type}`,
  }));
  const connections = { Get: { main: [[{ node: "Mail", type: "main", index: 0 }]] } };
  const typeOf = (pinData: object): unknown =>
    atOnce(convertWorkflow({ nodes, connections, pinData }, {})).workflow.metadata.steps[1];
  expect(typeOf({ Get: [{ json: {} }, { json: {} }] })).toMatchObject({ type: "foreach" });
  expect(typeOf({ Get: [{ json: {} }] })).toMatchObject({ type: "transform" });
  expect(typeOf({ constructor: [1, 2] })).toMatchObject({ type: "transform" });

  const limited = imported([get("https://a.example/x"), mail, { name: "Top", type: "limit" }], {
    Get: [["Mail", "Top"]],
  });
  expect(stepsOf(limited)).toMatchObject([{ type: "http" }, { type: "foreach" }, { type: "data" }]);

  const url = "=https://api.apify.com/v2/acts/{{ $json.id }}/run-sync-get-dataset-items";
  const apify = imported([get("", { parameters: { method: "POST", url } }), mail], { Get: [["Mail"]] });
  expect(stepsOf(apify)).toMatchObject([{ type: "http" }, { type: "foreach" }]);
});

test("a request that goes on after a failure or gives the whole response is no list", () => {
  const url = "https://a.example/v1/customers";
  const lists = [
    get(url, { onError: "continueRegularOutput" }),
    get(url, { parameters: { url, options: { response: { response: { fullResponse: true } } } } }),
    get(url, { parameters: { url, options: { response: { response: { responseFormat: "file" } } } } }),
    get(url, { typeVersion: 2 }),
  ].map((request) =>
    stepsOf(imported([request, mail], { Get: [["Mail"]] })).map((step) => (step as Node).type),
  );
  expect(lists).toEqual(Array.from({ length: 4 }, () => ["http", "transform"]));
});
