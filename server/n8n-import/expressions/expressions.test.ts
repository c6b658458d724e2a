import { expect, test } from "vitest";
import { imported, set, step } from "../testing/import-nodes.ts";

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
  ["={{ $now }}", "{{now}}", "check"],
  ["={{ $today.toISODate() }}", '{{= DateTime.fromISO(now).startOf("day").toISODate() }}', "check"],
  ["={{ $execution.id }}", "{{task.id}}", "ready"],
  ["={{ $workflow.name }}", "{{workflow.name}}", "ready"],
  ["={{ $vars.API }}", "{{vars.API}}", "check"],
  ["={{ $json.a.toUpperCase() }}", '{{= steps["get-row"].output?.a?.toUpperCase() }}', "ready"],
  [
    "={{ [1, 2].map((n) => n * $json.f) }}",
    '{{= [1, 2].map((n) => n * steps["get-row"].output?.f) }}',
    "ready",
  ],
  ["={{ '$json.a' }}", "{{= '$json.a' }}", "ready"],
  ["={{ $jmespath($json, 'a') }}", "\\{{ $jmespath($json, 'a') }}", "check"],
  ["={{ $('Nobody').item.json.y }}", "\\{{ $('Nobody').item.json.y }}", "check"],
  ["={{ $('Next').item.json.y }}", "\\{{ $('Next').item.json.y }}", "check"],
  ["={{ $json.a.isEmpty() }}", '{{= steps["get-row"].output?.a?.isEmpty() }}', "check"],
  ["plain {{ $json.a }}", "plain \\{{ $json.a }}", "ready"],
])("%s becomes %s", (before, after, result) => {
  const { step: found, report } = step(set(before));
  expect([(found["template"] as { x: unknown }).x, report.result]).toEqual([after, result]);
});

test.each([
  ["={{ $now.plus(1, 'day').toISODate() }}", "{{= DateTime.fromISO(now).plus({ day: 1 }).toISODate() }}"],
  ["={{ $json }}", '{{= ({ "body": input, "query": trigger.query, "headers": trigger.headers }) }}'],
])("after a webhook, %s becomes %s", (before, after) => {
  const { workflow } = imported(
    [
      { name: "Hook", type: "webhook", parameters: { httpMethod: "POST" } },
      { name: "Next", ...set(before) },
    ],
    {
      Hook: [["Next"]],
    },
  );
  expect(workflow.metadata.steps).toMatchObject([{ template: { x: after } }]);
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
