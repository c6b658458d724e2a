import type { Template } from "../placeholders/compile.ts";
import { EXPRESSION_ROOT, type Reference } from "../placeholders/reference.ts";
import { expressionReferences } from "../steps/expression-references.ts";
import { labelOf, type ParsedStep } from "./identity.ts";
import { quote, type Report } from "./report.ts";
import { expressionOf, scriptsOf } from "./step-references.ts";

const stepProperties: ReadonlySet<unknown> = new Set(["output", "status", "error"]);
const CAPITALS = /[A-Z]/;

/** The problem of a single reference: an unknown root, or an invalid path below a known one. */
export function describeMisuse(reference: Reference, insideLoop: boolean): string | undefined {
  const { root, path } = reference;
  const [first, second] = path;
  switch (root) {
    case "input":
    case EXPRESSION_ROOT:
      return undefined;
    case "item":
    case "index":
      return insideLoop ? undefined : `${root} exists only in the steps inside a foreach step`;
    case "now":
      return path.length === 0 ? undefined : "now is a time without fields; write {{now}}";
    case "vars":
    case "secrets":
      return path.length > 0 ? undefined : `add a name, such as ${root}.name`;
    case "trigger":
      return describeTriggerMisuse(path);
    case "task":
      if (first === "resumeUrls")
        return path.length === 2 ? undefined : "write task.resumeUrls.<id of a wait_event step>";
      return first === "id" && path.length === 1 ? undefined : "a task has only task.id and task.resumeUrls";
    case "workflow":
      return (first === "id" || first === "name") && path.length === 1
        ? undefined
        : "a workflow has only workflow.id and workflow.name";
    case "steps":
      return path.length >= 2 && stepProperties.has(second)
        ? undefined
        : `write steps.<id>.output, steps.<id>.status or steps.<id>.error`;
    default:
      return "a placeholder begins with input, steps, item, index, vars, secrets, trigger, task, workflow or now";
  }
}

function describeTriggerMisuse([first, second, ...rest]: Reference["path"]): string | undefined {
  if (first === "kind" || first === "method")
    return second === undefined ? undefined : `trigger.${first} is a text without fields`;
  if (first === "query" || first === "event") return undefined;
  if (first !== "headers")
    return "a trigger has only trigger.kind, trigger.method, trigger.headers, trigger.query and trigger.event";
  if (CAPITALS.test(String(second ?? "")))
    return `names of headers are in lower case; write trigger.headers.${String(second).toLowerCase()}`;
  return rest.length === 0 ? undefined : "a header is a text without fields";
}

export function checkPlaceholders(
  step: ParsedStep,
  references: readonly Reference[],
  insideLoop: boolean,
  report: Report,
): void {
  for (const reference of references) {
    const misuse = describeMisuse(reference, insideLoop);
    if (misuse !== undefined)
      report.error(
        "unknown_reference",
        `${labelOf(step)} refers to ${quote(`{{${reference.source}}}`)}, which does not exist: ${misuse}.`,
        step.location,
      );
  }
}

export function checkExpression(step: ParsedStep, report: Report): void {
  const expression = expressionOf(step.fields);
  if (expression === undefined || !expressionReferences(expression).unnamed) return;
  report.error(
    "unknown_reference",
    `${labelOf(step)}: the expression uses "steps" without a step id. Write steps.name or steps.\`any name\`; for a field of your own data named steps, write $.steps.`,
    step.location,
  );
}

export function checkScripts(step: ParsedStep, template: Template, report: Report): void {
  if (!scriptsOf(step.fields, template).some(({ unnamedVars }) => unnamedVars)) return;
  report.error(
    "unknown_reference",
    `${labelOf(step)}: the code uses "vars" without the name of a variable. Write vars.name or vars["any name"].`,
    step.location,
  );
}
