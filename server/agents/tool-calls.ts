import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { isId } from "../lib/ids.ts";
import type { ModelStep } from "../models/language-model.ts";

const MAX_CALLS = 50;
const MAX_CHARACTERS = 2000;

/** What an agent has called, oldest first, for the result of its step. The task of a call has the whole values. */
export function toolCallsOf(steps: readonly ModelStep[]) {
  return steps
    .flatMap(({ toolUses }) => toolUses)
    .slice(0, MAX_CALLS)
    .map(({ name, input, output, failed }) => ({
      name,
      input: shortened(input),
      output: shortened(output),
      failed,
      ...(isRecord(output) && isId("task", output["taskId"]) && { taskId: output["taskId"] }),
    }));
}

function shortened(value: JsonValue): JsonValue {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= MAX_CHARACTERS ? value : `${text.slice(0, MAX_CHARACTERS)}…`;
}
