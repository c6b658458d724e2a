import type { StepRunner } from "../engine/step-runner.ts";
import { permanentFailure } from "./step-failure.ts";

/** Stands in for a step whose part is not set up, and says what would help. */
export function createMissingPartRunner(code: string, message: string): StepRunner {
  return {
    async run() {
      throw permanentFailure(code, message);
    },
  };
}
