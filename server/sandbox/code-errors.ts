import { AppError } from "../lib/errors.ts";
import { limitReached, outputTooLarge } from "../limits/limit-reached.ts";

/** In the source as the user wrote it, from 1. */
export interface CodePosition {
  line?: number;
  column?: number;
}

/** An error that the code threw. A page marks its line in the source. */
export function codeError(
  code: "code_failed" | "expression_failed",
  message: string,
  { line, column }: CodePosition = {},
  source = "",
): AppError {
  const where = line === undefined ? "" : ` (line ${line}, column ${column ?? 1})`;
  const advice = adviceFor(message) || importAdvice(message, source);
  return new AppError(code, `${message.replace(/\.$/, "")}${where}.${advice && ` ${advice}`}`, {
    ...(line !== undefined && { stepExtra: { details: { line, column: column ?? 1 } } }),
  });
}

const NO_MODULES = "Code has no modules. JavaScript, Luxon and Intl are there; for anything else use a step.";
const IMPORT = /^[ \t]*import\b|\bimport\s*\(/m;
const DATA = "Read the input of the run as input, and the output of a step as steps.<id>.output.";
/** What to do in place of a name that other programs have and the sandbox does not. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["fetch", "Code has no network. Send the request with an http step before it."],
  ["XMLHttpRequest", "Code has no network. Send the request with an http step before it."],
  ["require", NO_MODULES],
  ["module", NO_MODULES],
  ["exports", NO_MODULES],
  ["Buffer", NO_MODULES],
  ["setTimeout", "Code has no timers. Wait with a delay step."],
  ["setInterval", "Code has no timers. Wait with a delay step."],
  [
    "process",
    "Code has no environment variables. Use vars.<name>, or secrets.<name> of a secret that the step lists.",
  ],
  ["$input", DATA],
  ["$json", DATA],
  ["$node", DATA],
  ["items", DATA],
]);

function adviceFor(message: string): string {
  const [, name = ""] = /ReferenceError: '?([\w$]+)'? is not defined/.exec(message) ?? [];
  return ADVICE.get(name) ?? "";
}

/** Modules cannot be loaded. Only a failure is checked for it: a text or comment may have such a line. */
export function importAdvice(message: string, source: string): string {
  return /SyntaxError|module|import/i.test(message) && IMPORT.test(source) ? NO_MODULES : "";
}

export function timeOver(timeoutMs: number): AppError {
  return limitReached("code_time", `The code took longer than ${timeoutMs} ms and was stopped.`);
}

export function memoryFull(memoryMb: number): AppError {
  return limitReached("code_memory", `The code needs more than ${memoryMb} MB of memory and was stopped.`);
}

export function tooLarge(fact: string): AppError {
  return outputTooLarge("value_bytes", `${fact}, which is too large.`);
}
