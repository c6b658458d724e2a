import { expect, test } from "vitest";
import { createAppWarnings } from "./app-warnings.ts";

test("a step with an unknown API or action is found behind hundreds of others", async () => {
  const warningsOf = createAppWarnings(() => Promise.resolve(new Set(["api_1", "api_1 list"])));
  const call = (stepId: string, app: string, action: string) => ({ stepId, type: "app", app, action });
  const right = Array.from({ length: 300 }, (_, n) => call(`s${n}`, "api_1", "list"));
  const steps = [...right, call("app", "api_2", "list"), call("action", "api_1", "lst")];
  const warnings = await warningsOf("alice", { steps });
  expect(warnings.map(({ stepId, code }) => [stepId, code])).toEqual([
    ["app", "unknown_app"],
    ["action", "unknown_app_action"],
  ]);
});
