import jsonata from "jsonata";
import { AppError, messageOf } from "../lib/errors.ts";
import type { ExpressionJob, ExpressionReply, PatternJob, ProcessJob } from "./expression-message.ts";
import { parseJsonText, UNREADABLE_JSON } from "../lib/untrusted-json.ts";

const KEPT_EXPRESSIONS = 200;
const MAX_KEPT_LENGTH = 10_000;
const MAX_CALL_DEPTH = 2000;
const MAX_RESULT_LENGTH = 64 * 1024 * 1024;
const TIMEOUT_CODE = "D1012";

const compiled = new Map<string, jsonata.Expression>();

lockPrototypes();
process.on("message", (job: ProcessJob) => {
  const reply = job.type === "pattern" ? match(job) : run(job);
  void reply.catch(failure).then(send);
});
// The service has exited, so the child has no more work.
process.on("disconnect", () => process.exit());
send({ type: "ready" });

function send(reply: ExpressionReply): void {
  process.send?.(reply);
}

async function match({ pattern, text }: PatternJob): Promise<ExpressionReply> {
  // Loaded when it is needed, because most processes never run a pattern.
  const { findPattern } = await import("./find-pattern.ts");
  return { type: "found", isFound: findPattern(pattern, text) };
}

async function run({ expression, scope, timeoutMs }: ExpressionJob): Promise<ExpressionReply> {
  const result: unknown = await compile(expression, timeoutMs).evaluate(JSON.parse(scope));
  if (isFunction(result)) throw new Error("The expression returns a function. Return a value.");
  const json = JSON.stringify(result, withoutFunctions) ?? "null";
  if (json.length > MAX_RESULT_LENGTH)
    throw new Error(`The result is larger than ${MAX_RESULT_LENGTH} characters.`);
  return { type: "result", json };
}

function compile(expression: string, timeoutMs: number): jsonata.Expression {
  const known = compiled.get(expression);
  if (known) return known;
  const fresh = jsonata(expression, { timeout: timeoutMs, stack: MAX_CALL_DEPTH });
  // Input must never become code. The common use of $eval is to parse JSON, which $parseJson does.
  fresh.registerFunction("eval", () => {
    throw new Error("$eval is not available. Use $parseJson(text) to parse JSON.");
  });
  fresh.registerFunction("parseJson", parseJson, "<s-:x>");
  if (expression.length <= MAX_KEPT_LENGTH) {
    const [oldest] = compiled.keys();
    if (compiled.size >= KEPT_EXPRESSIONS && oldest !== undefined) compiled.delete(oldest);
    compiled.set(expression, fresh);
  }
  return fresh;
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const value = parseJsonText(text);
  if (value === undefined) throw new Error(`The argument of $parseJson ${UNREADABLE_JSON}.`);
  return value;
}

/** What people who know JavaScript meet first: JSONata adds numbers only. */
const NOT_A_NUMBER = /side of the "\+" operator must evaluate to a number/;

function failure(thrown: unknown): ExpressionReply {
  if (thrown instanceof AppError) return { type: "refused", code: thrown.code, message: thrown.message };
  // JSONata throws plain objects as well as errors.
  const { code, position, message } = (thrown ?? {}) as Partial<jsonata.JsonataError>;
  const text = typeof message === "string" ? message : messageOf(thrown);
  const where = typeof position === "number" ? ` (at character ${position})` : "";
  const hint = NOT_A_NUMBER.test(text) ? ". To join text, use & instead of +" : "";
  return { type: "failed", message: `${text}${where}${hint}`, timedOut: code === TIMEOUT_CODE };
}

function withoutFunctions(_key: string, value: unknown): unknown {
  return isFunction(value) ? null : value;
}

function isFunction(value: unknown): boolean {
  if (typeof value === "function") return true;
  const mark = value as { _jsonata_lambda?: unknown; _jsonata_function?: unknown } | null | undefined;
  return typeof value === "object" && (mark?._jsonata_lambda === true || mark?._jsonata_function === true);
}

/**
 * A second defence behind JSONata's own checks. One process serves all users, so an expression that reached a shared
 * prototype could change the results of the next one. Sealed, not frozen: frozen prototypes would forbid data with a key
 * such as `toString`.
 */
function lockPrototypes(): void {
  const kinds = [Object, Array, String, Number, Boolean, Function, Promise, Date, RegExp];
  const prototypes: object[] = kinds.map((kind) => kind.prototype as object);
  for (const prototype of prototypes) Object.seal(prototype);
}
