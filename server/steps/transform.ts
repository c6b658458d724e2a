import type { StepRunner } from "../engine/run/step-runner.ts";
import type { Expressions } from "./expressions.ts";

export interface TransformRunnerDeps {
  expressions: Pick<Expressions, "evaluate">;
}

/** Returns the template with its placeholders filled in, or the result of the expression. */
export function createTransformRunner({ expressions }: TransformRunnerDeps): StepRunner {
  return {
    async run(call) {
      const { expression, template } = call.fields;
      if (typeof expression !== "string") return { output: template ?? null };
      return { output: await expressions.evaluate(call.ownerId, expression, call.scope, call.signal) };
    },
  };
}
