import { expect, test } from "vitest";
import { n8nTriggerProposal } from "./trigger-proposal.ts";

const base = { result: "ready", note: "" } as const;

test("proposes the first trigger of a file that asks before it is created", () => {
  expect(
    n8nTriggerProposal([
      { ...base, node: "Start", kind: "run" },
      { ...base, node: "Sign up", kind: "form", title: "Sign up" },
      { ...base, node: "Fax", kind: "webhook", result: "unsupported" },
      { ...base, node: "Morning", kind: "schedule", cron: "30 7 * * 1-5", timezone: "Europe/Berlin" },
    ]),
  ).toEqual({ kind: "schedule", text: "Morning", cron: "30 7 * * 1-5", timezone: "Europe/Berlin" });
});

test.each([
  ["shop/orders", { path: "shop/orders" }],
  ["6f0d2c1e-8f3b-4f7c-9d0a-0c7a1b2d3e4f", {}],
])("the path %j of a webhook is kept unless n8n has generated it", (path, kept) => {
  const hook = { ...base, node: "Hook", kind: "webhook", path, customResponse: true } as const;
  const proposed = { kind: "webhook", text: "Hook", customResponse: true, ...kept };
  expect(n8nTriggerProposal([hook])).toEqual(proposed);
});
