import { type ConditionOperator, conditionOperators } from "../../contract/steps/condition.ts";
import type { StepRunner } from "../engine/run/step-runner.ts";
import { compare } from "./compare.ts";
import { describeValue, invalidField } from "./step-failure.ts";

export function createConditionRunner(): StepRunner {
  return {
    async run({ fields }) {
      const operator = fields["operator"];
      if (!isOperator(operator))
        throw invalidField(
          "operator",
          `must be one of ${conditionOperators.join(", ")}, not ${describeValue(operator)}`,
        );
      return { output: compare(operator, fields["left"] ?? null, fields["right"] ?? null) };
    },
  };
}

function isOperator(value: unknown): value is ConditionOperator {
  return (conditionOperators as readonly unknown[]).includes(value);
}
