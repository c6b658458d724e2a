import type { ChildProcess } from "node:child_process";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import type { ExpressionJob, ExpressionReply, ExpressionScope } from "./expression-message.ts";
import { startExpressionProcess } from "./expression-process.ts";
import { parseJsonText } from "./json-text.ts";
import { permanentFailure } from "./step-failure.ts";

export interface ExpressionLimits {
  timeoutMs: number;
  memoryMb: number;
  /** The process is stopped when it was idle for this long, to save memory. */
  idleMs: number;
}

const defaultLimits: ExpressionLimits = { timeoutMs: 5000, memoryMb: 128, idleMs: 60_000 };
// JSONata checks its limit between two steps of an expression. A step that blocks (a pattern that backtracks) is ended by
// killing the process, which costs a new one.
const HARD_LIMIT_EXTRA_MS = 250;

/** JSONata in one warm child process. Calls run one at a time. */
export interface Expressions {
  evaluate(expression: string, scope: ExpressionScope, signal: AbortSignal): Promise<JsonValue>;
  close(): Promise<void>;
}

export function createExpressions(
  given: Partial<ExpressionLimits> = {},
  start: (memoryMb: number) => Promise<ChildProcess> = startExpressionProcess,
): Expressions {
  const limits = { ...defaultLimits, ...given };
  let current: ChildProcess | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let lastTurn: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function takeProcess(): Promise<ChildProcess> {
    clearTimeout(idleTimer);
    // The process may have been killed while the call waited.
    if (!current?.connected) current = await start(limits.memoryMb).catch(notStarted);
    keepAlive(current, true);
    return current;
  }

  function rest(child: ChildProcess): void {
    keepAlive(child, false);
    idleTimer = setTimeout(end, limits.idleMs).unref();
  }

  function end(): void {
    clearTimeout(idleTimer);
    current?.kill("SIGKILL");
    current = undefined;
  }

  async function runAlone(job: ExpressionJob, signal: AbortSignal): Promise<JsonValue> {
    if (signal.aborted || closed) throw cancelled();
    const child = await takeProcess();
    let reply: ExpressionReply;
    try {
      reply = await exchange(child, job, limits, signal);
    } catch (error) {
      // The process ended, failed or is still busy: the next call needs a new one.
      end();
      throw error;
    }
    rest(child);
    return resultOf(reply, limits);
  }

  return {
    evaluate(expression, scope, signal) {
      const job = { expression, scope: scopeText(scope), timeoutMs: limits.timeoutMs };
      const turn = lastTurn.then(() => runAlone(job, signal));
      lastTurn = turn.catch(() => {});
      return turn;
    },
    async close() {
      closed = true;
      end();
      await lastTurn;
      end();
    },
  };
}

/** One job and its reply; rejects when the process ends, takes too long, or the step is cancelled. */
function exchange(
  child: ChildProcess,
  job: ExpressionJob,
  limits: ExpressionLimits,
  signal: AbortSignal,
): Promise<ExpressionReply> {
  return new Promise<ExpressionReply>((resolve, reject) => {
    const timer = setTimeout(
      () => finish(() => reject(timedOut(limits))),
      job.timeoutMs + HARD_LIMIT_EXTRA_MS,
    );
    const onMessage = (reply: ExpressionReply) => finish(() => resolve(reply));
    const onAbort = () => finish(() => reject(cancelled()));
    const onEnd = () => finish(() => reject(outOfMemory(limits)));
    function finish(settle: () => void): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      child.off("message", onMessage).off("exit", onEnd);
      settle();
    }
    signal.addEventListener("abort", onAbort, { once: true });
    child.on("message", onMessage).on("exit", onEnd);
    child.send(job, (error) => error && onEnd());
  });
}

/** An idle child process must not keep the service running. */
function keepAlive(child: ChildProcess, alive: boolean): void {
  if (alive) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function resultOf(reply: ExpressionReply, limits: ExpressionLimits): JsonValue {
  if (reply.type === "result") {
    const value = parseJsonText(reply.json);
    if (value === undefined)
      throw expressionFailed("its result is nested too deeply or has a key named __proto__");
    return value;
  }
  if (reply.type === "failed" && reply.timedOut) throw timedOut(limits);
  throw expressionFailed(reply.type === "failed" ? reply.message : "it gave no answer");
}

/** `now` is the ISO time of the placeholder `{{now}}`. Secrets are not in the scope. */
function scopeText(scope: ExpressionScope): string {
  const { input, steps, item, index, vars, task, workflow, now } = scope;
  const time = now === undefined ? undefined : new Date(now).toISOString();
  return JSON.stringify({ input, steps, item, index, vars, task, workflow, now: time });
}

function expressionFailed(reason: string): AppError {
  return permanentFailure("expression_failed", `The expression failed: ${reason.replace(/\.$/, "")}.`);
}

function outOfMemory({ memoryMb }: ExpressionLimits): AppError {
  return expressionFailed(`it was ended, most likely because it needs more than ${memoryMb} MB of memory`);
}

function timedOut({ timeoutMs }: ExpressionLimits): AppError {
  return permanentFailure(
    "expression_timeout",
    `The expression took longer than ${timeoutMs} ms and was stopped. Simplify it or reduce its input.`,
  );
}

function cancelled(): AppError {
  return new AppError("aborted", "The expression was cancelled.");
}

function notStarted(cause: unknown): never {
  throw new AppError("expression_failed", "The process for expressions could not be started. Try again.", {
    cause,
  });
}
