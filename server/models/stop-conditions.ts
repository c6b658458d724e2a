import type { StopCondition } from "./language-model.ts";

/** Ends after so many answers of the model, whatever they were. */
export function stepCount(count: number): StopCondition {
  return ({ steps }) => steps.length >= count;
}

/** Ends once the call has used so many tokens; the step that crosses the line is still paid for. */
export function tokenLimit(tokens: number): StopCondition {
  return ({ usage }) => usage.totalTokens >= tokens;
}

/** Ends when the model has called this tool: a tool that means "I am done". */
export function toolCalled(name: string): StopCondition {
  return ({ steps }) => steps.at(-1)?.toolUses.some((use) => use.name === name) ?? false;
}
