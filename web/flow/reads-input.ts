import type { Draft } from "./draft.ts";

/** Whether a run needs an input: input fields are declared, or a placeholder, condition, expression or code names `input`. */
export function readsInput({
  inputSchema,
  steps,
  edges,
}: Pick<Draft, "inputSchema" | "steps" | "edges">): boolean {
  return inputSchema !== undefined || namesInput([steps, edges]);
}

function namesInput(value: unknown): boolean {
  if (typeof value === "string") return /\binput\b/.test(value);
  return typeof value === "object" && value !== null && Object.values(value).some(namesInput);
}
