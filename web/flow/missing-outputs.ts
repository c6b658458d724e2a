import { compileTemplate } from "../../contract/placeholders/compile.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Draft } from "./draft.ts";

interface MissingOutput {
  /** The step whose placeholder names the output. */
  reader: string;
  source: string;
}

/** The outputs that the placeholders of these steps name, that the run does not compute and that are not known. */
export function outputsMissingFor(
  { steps }: Pick<Draft, "steps">,
  stepIds: readonly string[],
  known: ReadonlyMap<string, unknown>,
): MissingOutput[] {
  const absent = new Set(
    steps.map(({ stepId }) => stepId).filter((id) => !stepIds.includes(id) && !known.has(id)),
  );
  if (absent.size === 0) return [];
  return steps
    .filter(({ stepId }) => stepIds.includes(stepId))
    .flatMap((step) =>
      compileTemplate(step as unknown as JsonValue)
        .references.filter(({ root, stepId }) => root === "steps" && absent.has(stepId ?? ""))
        .map(({ stepId = "" }) => ({ reader: step.stepId, source: stepId })),
    );
}
