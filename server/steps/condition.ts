import { asText, compare } from "../../contract/compare.ts";
import { type ConditionOperator, conditionOperators } from "../../contract/steps/condition.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { StepCall, StepRunner } from "../engine/run/step-runner.ts";
import type { Expressions } from "./expressions.ts";
import { findPattern, invalidPattern, isCheap } from "./find-pattern.ts";
import { describeValue, invalidField } from "./step-failure.ts";

export interface ConditionRunnerDeps {
  expressions: Pick<Expressions, "findPattern">;
}

export function createConditionRunner({ expressions }: ConditionRunnerDeps): StepRunner {
  /** Costly patterns run in another process: on the event loop they would delay every request. */
  async function matches(
    left: JsonValue,
    pattern: JsonValue,
    { ownerId, signal }: StepCall,
  ): Promise<boolean> {
    if (typeof pattern !== "string") throw invalidPattern(`it must be text, not ${describeValue(pattern)}`);
    const text = asText(left);
    if (isCheap(pattern, text ?? "")) return findPattern(pattern, text ?? "") && text !== undefined;
    return (
      (await expressions.findPattern(ownerId, { pattern, text: text ?? "" }, signal)) && text !== undefined
    );
  }

  return {
    compute,
    async run(call) {
      const { operator, left = null, right = null } = call.fields;
      return { output: operator === "matches" ? await matches(left, right, call) : compute(call.fields) };
    },
  };
}

function compute({ operator, left = null, right = null }: StepCall["fields"]): boolean {
  if (isOperator(operator) && operator !== "matches") return compare(operator, left, right);
  throw invalidField(
    "operator",
    `must be one of ${conditionOperators.join(", ")}, not ${describeValue(operator)}`,
  );
}

function isOperator(value: unknown): value is ConditionOperator {
  return (conditionOperators as readonly unknown[]).includes(value);
}
