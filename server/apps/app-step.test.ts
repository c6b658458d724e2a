import { expect, test } from "vitest";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { sampleCall } from "../steps/testing/sample-call.ts";
import { createAppRunner } from "./app-step.ts";
import { createAppCatalogue } from "./catalogue.ts";
import { exampleApp, scriptedVendor } from "./testing/scripted-vendor.ts";

const app = exampleApp({
  actions: { get: { title: "Get", description: "Gets.", input: {}, request: { path: "/x" }, sample: {} } },
});

function runner(connectionApp = "example") {
  const { client, use, sent } = scriptedVendor([{ body: { id: 1 } }], { app: connectionApp });
  const catalogue = createAppCatalogue({ apps: [app], connectedApps: () => Promise.resolve(new Set()) });
  const { run } = createAppRunner({ catalogue, client, useConnection: () => Promise.resolve(use) });
  return { sent, run: (fields: Record<string, JsonValue>) => run(sampleCall(fields)) };
}

test("a step runs an action with its connection", async () => {
  const { output } = await runner().run({ app: "example", action: "get", connection: "conn_1" });
  expect(output).toEqual({ id: 1 });
});

test.each<[Record<string, JsonValue>, string, string, string?]>([
  [{ app: "none", action: "get" }, "app_not_found", 'There is no app "none".'],
  [{ app: "example", action: "toString" }, "app_action_not_found", 'Example has no action "toString".'],
  [
    { app: "example", action: "get", connection: "" },
    "invalid_field",
    'The field "connection" is required. Choose a connection of Example.',
  ],
  [
    { app: "example", action: "get", connection: "conn_2" },
    "invalid_field",
    "The connection belongs to slack, not to Example. Choose another connection.",
    "slack",
  ],
])(
  "an unknown app or action, and a connection of another app, fail the step: %j",
  async (fields, code, message, other) => {
    const { run, sent } = runner(other);
    await expect(run(fields)).rejects.toMatchObject({ code, message, permanent: true });
    expect(sent).toEqual([]);
  },
);
