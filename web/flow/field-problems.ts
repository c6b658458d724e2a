import type { Problem, Step } from "../../contract/graph.ts";
import { findStepType, traitsOf } from "../../contract/steps/catalogue.ts";
import { formFields } from "./form-fields.ts";

/** The sentence of an invalid field, for display at the field. A missing field is not wrong yet: it needs setup. */
export function fieldProblem(problems: readonly Problem[], name: string): string | undefined {
  const found = problems.find((problem) => problem.code === "invalid_field" && fieldOf(problem) === name);
  if (found === undefined) return undefined;
  const sentence = found.message.slice(found.message.indexOf('"', found.message.indexOf(`"${name}`) + 1) + 1);
  const trimmed = sentence.replace(/^[",\s]+/, "");
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
}

/** The validator quotes the field it complains about, with the path inside it: `the field "headers.x"`. */
function fieldOf({ message }: Problem): string | undefined {
  return /the field "([^".[]+)/.exec(message)?.[1];
}

/** The labels of the fields that a step still needs; those of which one is enough are one entry. */
export function missingFields(problems: readonly Problem[], step: Step): string[] {
  const missing = problems.filter(({ code, stepId }) => code === "missing_field" && stepId === step.stepId);
  const alternatives = findStepType(step.type)?.alternatives?.fields ?? [];
  const fields = formFields(step.type).filter(({ name }) =>
    missing.some(({ message }) => message.includes(`"${name}"`)),
  );
  const inputs = missing.flatMap(({ message }) => /the input "[^"]+" \((.*)\) of /.exec(message)?.[1] ?? []);
  const either = fields.filter(({ name }) => alternatives.includes(name));
  const named = fields.flatMap((field) => {
    if (!either.includes(field)) return [field.label];
    return field === either[0] ? [either.map(({ label }) => label).join(" or ")] : [];
  });
  return [...named, ...inputs];
}

/** Problems that no field shows. Fields show unknown references themselves, except in expressions. */
export function generalProblems(problems: readonly Problem[], step: Step): Problem[] {
  const hasExpression = traitsOf(step.type).expressionField !== undefined;
  return problems.filter(({ code, message, stepId }) => {
    if (code === "missing_field" || stepId !== step.stepId) return false;
    if (code === "unknown_reference" || code === "forward_reference") return hasExpression;
    return (
      code !== "invalid_field" || !formFields(step.type).some(({ name }) => message.includes(`"${name}`))
    );
  });
}
