import type { StepRunner } from "../engine/run/step-runner.ts";

/** Returns the value. Its outgoing edges decide by their `caseValue`. */
export function createSwitchRunner(): StepRunner {
  return { run: async ({ fields }) => ({ output: fields["value"] ?? null }) };
}
