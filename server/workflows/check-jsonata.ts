import type { Problem } from "../../contract/graph.ts";
import { isDisabled } from "../../contract/graph/disabled.ts";
import { innerGraph } from "../../contract/graph/step-references.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { traitsOf } from "../../contract/steps/catalogue.ts";
import { inTurns, type PartedWork } from "../lib/in-turns.ts";
import type { LooseGraph } from "./version.sql.ts";

/** The parser takes about 10 µs a character. Longer expressions are parsed when they run, in their own process. */
const MAX_EXPRESSION_LENGTH = 1000;
const MAX_CHECKED_LENGTH = 20_000;

interface Expression {
  stepId: string;
  field: string;
  source: string;
}

/** Syntax errors of JSONata expressions. The parser is loaded only for a graph that has one. */
export async function findJsonataProblems({ steps }: Pick<LooseGraph, "steps">): Promise<Problem[]> {
  const expressions = expressionsOf(steps);
  if (expressions.length === 0) return [];
  const { default: jsonata } = await import("jsonata");
  return inTurns(problemsOf(expressions, (source) => void jsonata(source)));
}

function expressionsOf(steps: readonly unknown[]): Expression[] {
  return steps.flatMap((step) => {
    if (!isRecord(step) || isDisabled(step)) return [];
    const inner = expressionsOf(innerGraph(step)?.steps ?? []);
    const field = traitsOf(step["type"]).expressionField;
    const source = field === undefined ? undefined : step[field];
    if (field === undefined || typeof source !== "string") return inner;
    return [{ stepId: String(step["stepId"]), field, source }, ...inner];
  });
}

function* problemsOf(
  expressions: readonly Expression[],
  parse: (source: string) => void,
): PartedWork<Problem[]> {
  const problems: Problem[] = [];
  let length = 0;
  for (const { stepId, field, source } of expressions) {
    if (source.length > MAX_EXPRESSION_LENGTH) continue;
    length += source.length;
    if (length > MAX_CHECKED_LENGTH) break;
    yield;
    const fact = syntaxErrorOf(source, parse);
    if (fact !== undefined)
      problems.push({
        code: "invalid_field",
        message: `Step "${stepId}": the field "${field}" has a syntax error ${fact}.`,
        stepId,
      });
  }
  return problems;
}

function syntaxErrorOf(source: string, parse: (source: string) => void): string | undefined {
  try {
    parse(source);
    return undefined;
  } catch (error) {
    const { message, position } = error as { message?: string; position?: number };
    // An expression that is nested too deeply has no position: it fails when it runs.
    if (message === undefined || position === undefined) return undefined;
    const where = position >= source.length ? "at its end" : `at character ${position}`;
    return `${where}: ${message.replace(/\.$/, "")}`;
  }
}
