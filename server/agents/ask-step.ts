import type { Step } from "../../contract/graph.ts";

/** The approval before a tool call that asks first, for runs that nobody watches. `context` is what the person sees. */
export const askStep = (context: string): Step => ({
  stepId: "ask",
  type: "approval",
  message: "Allow {{input.agent}} to use {{input.title}}?",
  context,
  timeoutMs: 24 * 3_600_000,
});
