import type { Problem } from "../../contract/graph.ts";
import { isDisabled } from "../../contract/graph/disabled.ts";
import { innerGraph } from "../../contract/graph/step-references.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { traitsOf } from "../../contract/steps/catalogue.ts";
import { compileStep } from "../../contract/steps/compile-step.ts";
import type { PartedWork } from "../lib/in-turns.ts";
import { serializeInParts } from "../lib/serialize-json.ts";
import { importAdvice } from "../sandbox/code-errors.ts";
import { type Position, programOf, SourceError } from "../sandbox/program.ts";
import type { LooseGraph } from "./version.sql.ts";

/** Longer code is read when it runs: parsing it would block the event loop for more than 10 ms. */
const MAX_CHECKED_LENGTH = 50_000;
/** Is parsed before an expression. */
const RETURN = "return (";

/**
 * Syntax errors of code and expressions, in parts, one for each step. The parser of types finds most of them; the rest fail
 * when the step runs.
 */
export function* findScriptProblems({ steps }: Pick<LooseGraph, "steps">): PartedWork<Problem[]> {
  let length = 0;
  function* problemsOf(step: unknown): PartedWork<Problem[]> {
    if (!isRecord(step) || isDisabled(step)) return [];
    yield;
    const inner = yield* problemsOfAll(innerGraph(step)?.steps ?? []);
    const { scriptField } = traitsOf(step["type"]);
    const code = scriptField === undefined ? undefined : step[scriptField];
    const own = [
      ...(typeof code === "string" ? [checked(code, `the field "${scriptField}"`)] : []),
      ...(yield* expressionsOf(step)).map((source) =>
        checked(`${RETURN}${source}\n)`, `the expression {{= ${source} }}`, source),
      ),
    ].flatMap((problem) => problem ?? []);
    const stepId = String(step["stepId"]);
    return [
      ...own.map((fact) => ({
        code: "invalid_field" as const,
        message: `Step "${stepId}": ${fact}.`,
        stepId,
      })),
      ...inner,
    ];
  }

  /** `expression`: the part of the source that the user wrote. */
  function checked(source: string, name: string, expression?: string): string | undefined {
    length += source.length;
    if (length > MAX_CHECKED_LENGTH) return undefined;
    try {
      programOf(source, { kind: "code", language: "typescript" });
      return undefined;
    } catch (error) {
      if (!(error instanceof SourceError)) return undefined;
      const position = expression === undefined ? error.position : inside(expression, error.position);
      if (position === "end") return `${name} has a syntax error: it is incomplete`;
      const where = position === undefined ? "" : ` on line ${position.line}, column ${position.column}`;
      const advice = importAdvice(`SyntaxError: ${error.message}`, source);
      return `${name} has a syntax error${where}: ${error.message}${advice && `. ${advice.replace(/\.$/, "")}`}`;
    }
  }

  function* problemsOfAll(all: readonly unknown[]): PartedWork<Problem[]> {
    const found: Problem[] = [];
    for (const step of all) found.push(...(yield* problemsOf(step)));
    return found;
  }

  return yield* problemsOfAll(steps);
}

/** The position in an expression, which is parsed between `RETURN` and a parenthesis on the next line. */
function inside(expression: string, position: Position | undefined): Position | "end" | undefined {
  if (position === undefined) return undefined;
  const { line, column } = position;
  if (line > expression.split("\n").length) return "end";
  return line === 1 ? { line, column: column - RETURN.length } : position;
}

/** Most steps have no expression; their fields are not compiled a second time. */
function* expressionsOf(step: Record<string, unknown>): PartedWork<string[]> {
  const { steps: _inner, ...own } = step;
  return (yield* serializeInParts(own)).includes("{{=") ? compileStep(own).expressions : [];
}
