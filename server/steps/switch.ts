import type { StepRunner } from "../engine/run/step-runner.ts";

/** Hands on the value; the edges behind it decide by their `caseValue`. */
export function createSwitchRunner(): StepRunner {
  return { run: async ({ fields }) => ({ output: fields["value"] ?? null }) };
}
