import { expect, test } from "vitest";
import type { StopCondition } from "./language-model.ts";
import { createScriptedModel } from "./testing/scripted-model.ts";
import { stepCount, tokenLimit, toolCalled } from "./stop-conditions.ts";

const tools = ["look", "finish"].map((name) => ({
  name,
  description: name,
  inputSchema: { type: "object" },
  execute: async () => "ok",
}));
const looking = { toolCalls: [{ name: "look" }] };

test("a call ends at the first stop condition that is true", async () => {
  const ask = async (...stopWhen: StopCondition[]) =>
    (
      await createScriptedModel([
        looking,
        looking,
        { toolCalls: [{ name: "finish" }] },
        looking,
        "end",
      ]).generateText({ prompt: "?", tools, stopWhen })
    ).steps.length;
  expect(await ask(stepCount(2))).toBe(2);
  expect(await ask(tokenLimit(20))).toBe(2);
  expect(await ask(toolCalled("finish"))).toBe(3);
  expect(await ask(stepCount(9), tokenLimit(1))).toBe(1);
  expect(await ask()).toBe(5);
});
