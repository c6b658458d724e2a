import type { StepRunner } from "../engine/run/step-runner.ts";

/** Returns the value. Its outgoing edges decide by their `caseValue`. */
export function createSwitchRunner(): StepRunner {
  const compute: NonNullable<StepRunner["compute"]> = ({ value }) => value ?? null;
  return { compute, run: async ({ fields }) => ({ output: compute(fields) }) };
}
