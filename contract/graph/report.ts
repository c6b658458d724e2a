import type { errorCodes, Problem, Validation, warningCodes } from "../graph.ts";

export type GraphErrorCode = (typeof errorCodes)[number];
export type GraphWarningCode = (typeof warningCodes)[number];
export type ProblemLocation = { stepId?: string; edgeId?: string };

export interface Report {
  error(code: GraphErrorCode, message: string, location?: ProblemLocation): void;
  warning(code: GraphWarningCode, message: string, location?: ProblemLocation): void;
  result(): Validation;
}

// Two megabytes of `0,0,0` would otherwise become a response of a hundred megabytes.
const MAX_SHOWN = 1000;

export function createReport(): Report {
  const errors = createProblems("fix these first");
  const warnings = createProblems("review these first");
  return {
    error: (code, message, location) => errors.add({ code, message, ...location }),
    warning: (code, message, location) => warnings.add({ code, message, ...location }),
    result: () => ({ valid: errors.count() === 0, errors: errors.list(), warnings: warnings.list() }),
  };
}

function createProblems(advice: string) {
  const shown: Problem[] = [];
  let firstHidden: Problem | undefined;
  let hidden = 0;
  return {
    add(problem: Problem): void {
      if (shown.length < MAX_SHOWN) shown.push(problem);
      else {
        firstHidden ??= problem;
        hidden += 1;
      }
    },
    count: () => shown.length,
    list: (): Problem[] =>
      firstHidden === undefined
        ? shown
        : [...shown, { code: firstHidden.code, message: `There are ${hidden} more problems; ${advice}.` }],
  };
}

const NAME_LENGTH = 80;

/** A name in quotes, shortened so that a message stays readable. */
export function quote(name: unknown): string {
  const text = String(name);
  return `"${text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH)}…` : text}"`;
}

/** `"a", "b" and "c"`; a long list ends with the number of the others. */
export function quoteAll(names: readonly string[], most = 10): string {
  const shown = names.slice(0, most).map(quote);
  if (names.length > most) return `${shown.join(", ")} and ${names.length - most} more`;
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}
