import { describeMisuse } from "../../contract/graph/references.ts";
import { isForbiddenName, type Reference } from "../../contract/placeholders/reference.ts";
import { findChips } from "./chips.ts";
import { pathSegment } from "./pickable-values.ts";
import { labelOfPath, scopeOptions, type StepScope } from "./step-scope.ts";

/** Why a placeholder has no value, and the path that was probably meant. */
export interface ReferenceProblem {
  message: string;
  suggestion: { path: string; label: string } | undefined;
}

/** Undefined for a placeholder that can have a value. */
export function referenceProblem(reference: Reference, scope: StepScope): ReferenceProblem | undefined {
  const message = problemOf(reference, scope);
  return message === undefined ? undefined : { message, suggestion: suggestionFor(reference, scope) };
}

function problemOf(reference: Reference, scope: StepScope): string | undefined {
  const { root, path, stepId, source } = reference;
  if (root === "steps" && stepId !== undefined && !scope.titles.has(stepId))
    return `No step before this one is named “${stepId}”.`;
  const misuse = describeMisuse(reference, scope.insideLoop);
  if (misuse !== undefined) return `“${source}” does not exist: ${misuse}.`;
  if (root === "vars" || root === "secrets") {
    const isKnown = scope.variables?.some(
      ({ name, secret }) => name === path[0] && secret === (root === "secrets"),
    );
    if (isKnown === false) return `No ${root === "vars" ? "variable" : "secret"} is named “${path[0]}”.`;
    return undefined;
  }
  return missingField(reference, scope);
}

/** The last value is an object without the field. A field of a value that is missing itself is not reported. */
function missingField({ root, path, stepId }: Reference, scope: StepScope): string | undefined {
  const source = scope.sources.find((entry) =>
    root === "steps" ? entry.stepId === stepId : entry.path === root,
  );
  if (source === undefined || !source.hasValue || (root === "steps" && path[1] !== "output"))
    return undefined;
  let value: unknown = source.value;
  for (const key of root === "steps" ? path.slice(2) : path) {
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value) && typeof key === "number") return undefined;
    if (isForbiddenName(key) || !Object.hasOwn(value, key))
      return `The last value of ${source.title} has no “${key}”.`;
    value = (value as Record<string | number, unknown>)[key];
  }
  return undefined;
}

const MAX_DISTANCE_SHARE = 0.4;

/** The known path whose text is nearest. `get-order.total` counts as `steps.get-order.output.total`. */
function suggestionFor(reference: Reference, scope: StepScope): ReferenceProblem["suggestion"] {
  const written = plain(reference.source);
  const options = scopeOptions(scope).map(({ path, label }) => ({ path, label }));
  const direct = asStepPath(reference, scope);
  if (direct !== undefined && problemIn(direct, scope) === undefined)
    return { path: direct, label: labelOfPath(direct, scope) };
  const ranked = options
    .map((option) => ({
      option,
      distance: Math.min(distance(written, plain(option.path)), distance(written, plain(option.label))),
    }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.max(2, written.length * MAX_DISTANCE_SHARE)
    ? best.option
    : undefined;
}

/** Reads the root as the name or the title of a step. */
function asStepPath({ root, path }: Reference, { titles }: StepScope): string | undefined {
  const [stepId] = [...titles].find(([id, title]) => id === root || plain(title) === plain(root)) ?? [];
  if (stepId === undefined) return undefined;
  const rest = path[0] === "output" ? path.slice(1) : path;
  const keys = rest.map((key) => (typeof key === "number" ? `[${key}]` : pathSegment(key)));
  return `steps${pathSegment(stepId)}.output${keys.join("")}`;
}

function problemIn(path: string, scope: StepScope): string | undefined {
  const [chip] = findChips(`{{${path}}}`);
  return chip === undefined ? "not a path" : problemOf(chip.reference, scope);
}

/** Letters and digits only, without the words that every path of a step has. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^steps[.[]/, "")
    .replace(".output", ".")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Levenshtein distance; long texts are not compared. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 12 || a.length > 80) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(
        Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a.charAt(i - 1) === b.charAt(j - 1) ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length]!;
}
