import type { Problem } from "../../contract/graph.ts";
import { allSteps } from "../../contract/graph/all-steps.ts";
import { iterationCheck } from "../../contract/graph/step-references.ts";
import { scanText } from "../../contract/placeholders/scan-text.ts";
import { findStepType } from "../../contract/steps/catalogue.ts";
import { inTurns, type PartedWork } from "../lib/in-turns.ts";

const MAX_WARNINGS = 100;
/** `${name}` of JavaScript and shells: a path, so that code with calculations is left alone. */
const TEMPLATE_LITERAL = /\$\{\s*([a-z_][\w$]*(?:\.[\w$-]+|\[\w+\])*)\s*\}/i;
const ENVIRONMENT = /^(?:process\.)?env\./i;
const OWN_ROOTS: ReadonlySet<string> = new Set([
  "input",
  "steps",
  "item",
  "index",
  "vars",
  "secrets",
  "trigger",
  "task",
  "workflow",
  "now",
]);

/** Warns about text that is a placeholder in other tools and is sent as it is by this one. */
export function foreignPlaceholders(graph: { steps: readonly unknown[] }): Promise<Problem[]> {
  return inTurns(warningsOf(graph));
}

function* warningsOf(graph: { steps: readonly unknown[] }): PartedWork<Problem[]> {
  const warnings: Problem[] = [];
  for (const step of allSteps(graph)) {
    if (warnings.length === MAX_WARNINGS) break;
    const found = findInFields(step) ?? findInFields(iterationCheck(step) ?? {});
    if (found !== undefined) {
      const stepId = String(step["stepId"]);
      const message = `Step "${stepId}" has ${found.text.slice(0, 80)} in the field "${found.field}". It stays as it is: write ${replacementOf(found.path)}.`;
      warnings.push({ code: "template_literal", message, stepId });
    }
    yield;
  }
  return warnings;
}

interface Found {
  field: string;
  text: string;
  path: string;
}

/** In the fields of the step's type, but not in code. */
function findInFields(step: Readonly<Record<string, unknown>>): Found | undefined {
  const stepType = findStepType(step["type"]);
  for (const field of Object.keys(stepType?.fields ?? {})) {
    if (stepType!.literalFields.has(field)) continue;
    const found = findInValue(step[field]);
    if (found !== undefined) return { field, text: found[0], path: found[1]! };
  }
  return undefined;
}

function findInValue(value: unknown): RegExpExecArray | undefined {
  if (typeof value === "string") return findInText(value);
  if (typeof value !== "object" || value === null) return undefined;
  for (const member of Object.values(value)) {
    const found = findInValue(member);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInText(text: string): RegExpExecArray | undefined {
  if (!text.includes("${")) return undefined;
  for (const part of scanText(text).parts) {
    // Template literals inside of {{= … }} are JavaScript.
    const found = typeof part === "string" ? TEMPLATE_LITERAL.exec(part) : null;
    if (found !== null) return found;
  }
  return undefined;
}

function replacementOf(path: string): string {
  const shown = path.slice(0, 80);
  if (ENVIRONMENT.test(path)) {
    const name = shown.replace(ENVIRONMENT, "");
    return `{{vars.${name}}} for a variable, or {{secrets.${name}}} for a secret`;
  }
  const [root = ""] = path.split(/[.[]/);
  return OWN_ROOTS.has(root)
    ? `{{${shown}}}`
    : `{{input.${shown}}} for a value of the input, or {{vars.${root.slice(0, 80)}}} for a variable`;
}
