import type { StepCall, StepRunner } from "../engine/run/step-runner.ts";
import type { Expressions } from "./expressions.ts";

export interface TransformRunnerDeps {
  expressions: Pick<Expressions, "evaluate">;
}

/** Returns the template with its placeholders filled in, or the result of the expression. */
export function createTransformRunner({ expressions }: TransformRunnerDeps): StepRunner {
  const compute = ({ template }: StepCall["fields"]) => template ?? null;
  return {
    compute,
    async run(call) {
      const { expression } = call.fields;
      if (typeof expression !== "string") return { output: compute(call.fields) };
      return { output: await expressions.evaluate(call.ownerId, expression, call.scope, call.signal) };
    },
  };
}
