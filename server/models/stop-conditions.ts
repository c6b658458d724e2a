import type { StopCondition } from "./language-model.ts";

/** Ends after `count` responses of the model. */
export function stepCount(count: number): StopCondition {
  return ({ steps }) => steps.length >= count;
}

/** Ends once the call has used this many tokens. The step that exceeds the limit is still paid for. */
export function tokenLimit(tokens: number): StopCondition {
  return ({ usage }) => usage.totalTokens >= tokens;
}

/** Ends when the model has called this tool, which means "I am done". */
export function toolCalled(name: string): StopCondition {
  return ({ steps }) => steps.at(-1)?.toolUses.some((use) => use.name === name) ?? false;
}
