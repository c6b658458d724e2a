import { DataProblem, DataTooLarge } from "../../contract/data/data-problem.ts";
import { dataWork } from "../../contract/data/operations.ts";
import type { StepRunner } from "../engine/run/step-runner.ts";
import { inTurns } from "../lib/in-turns.ts";
import { outputTooLarge } from "../limits/limit-reached.ts";
import type { Limits } from "../limits/limits.ts";
import { invalidField } from "./step-failure.ts";

export interface DataRunnerDeps {
  limits: Pick<Limits, "max" | "countRefusal">;
}

/** Computes lists in short turns of the event loop: 100,000 items would block it for a second. */
export function createDataRunner({ limits }: DataRunnerDeps): StepRunner {
  const maxBytes = limits.max("value_bytes") || Number.MAX_SAFE_INTEGER;

  return {
    async run({ fields, signal }) {
      try {
        return { output: await inTurns(dataWork(fields, maxBytes), signal) };
      } catch (error) {
        if (error instanceof DataProblem) throw invalidField(error.field, error.message);
        if (!(error instanceof DataTooLarge)) throw error;
        limits.countRefusal("value_bytes");
        throw outputTooLarge(
          "value_bytes",
          `The result would be larger than ${maxBytes} bytes. Filter the lists first, or pick fewer fields.`,
        );
      }
    },
  };
}
