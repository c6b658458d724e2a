import { expect, test } from "vitest";
import { providerWarnings } from "./provider-warnings.ts";

const models = {
  list: () => [{ provider: "openai", model: "m", isDefault: true, isFallback: false }],
};
const warn = (step: object) => providerWarnings(models, { steps: [{ stepId: "ask", type: "llm", ...step }] });

test.each([
  [{ provider: "opnai" }, '"opnai", which does not exist. Choose one of openai, anthropic,'],
  [{ provider: "opnai", connection: "conn_1" }, "which does not exist."],
  [{ provider: "google" }, "which has no model on this instance."],
])("%j is warned about", (step, message) => {
  expect(warn(step)).toMatchObject([
    { code: "unknown_provider", stepId: "ask", message: expect.stringContaining(message) },
  ]);
});

test.each([
  {},
  { provider: "" },
  { provider: "openai" },
  { provider: "google", connection: "conn_1" },
  { provider: "{{input.provider}}" },
  { type: "transform", provider: "x" },
])("%j is not", (step) => {
  expect(warn(step)).toEqual([]);
});
