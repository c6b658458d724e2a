import { expect, test } from "vitest";
import { chipsOf, readFilter, taskFilterOf } from "./run-filter.ts";

const words = {
  workflowName: () => "Refund requests",
  triggerTitle: (trigger: string) => trigger.toUpperCase(),
  dateTime: (iso: string) => iso.slice(0, 10),
  duration: (ms: number) => `${ms / 1000} s`,
};

test("a range becomes the time at which it begins, and other parameters of the URL are ignored", () => {
  const filter = readFilter(new URLSearchParams("range=24h&status=failed&utm=1&q="));
  expect(filter).toEqual({ range: "24h", status: "failed" });
  expect(taskFilterOf(filter, Date.parse("2030-01-02T00:00:00Z"))).toEqual({
    status: "failed",
    from: "2030-01-01T00:00:00.000Z",
    stepTests: "false",
  });
  expect(taskFilterOf({ range: "forever", trigger: "partial" }, 0)).toEqual({ trigger: "partial" });
});

test("every active filter is a chip with words; status and text are not", () => {
  const chips = chipsOf(
    {
      status: "failed",
      q: "x",
      workflowId: "wf_1",
      trigger: "api",
      version: "3",
      error: "429",
      from: "2030-01-01T00:00:00Z",
      minMs: "5000",
    },
    words,
  );
  expect(chips.map(({ label, value }) => `${label} ${value}`)).toEqual([
    "Time from 2030-01-01",
    "Workflow Refund requests",
    "Trigger API",
    "Version v3",
    "Error 429",
    "Longer than 5 s",
  ]);
});
