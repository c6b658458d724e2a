import type { ChildProcess } from "node:child_process";
import { AppError } from "../lib/errors.ts";
import type { ExpressionReply, ProcessJob } from "./expression-message.ts";
import { permanentFailure } from "./step-failure.ts";

export interface ExpressionLimits {
  timeoutMs: number;
  memoryMb: number;
  /** The process is stopped when it was idle for this long, to save memory. */
  idleMs: number;
}

// JSONata checks its limit between two steps of an expression. A step that blocks (a pattern that backtracks) is ended by
// killing the process, which costs a new one.
const HARD_LIMIT_EXTRA_MS = 250;

/** One warm process, started with the first job and again after it was killed. It runs one job at a time. */
export interface ExpressionChild {
  run(job: ProcessJob, signal: AbortSignal): Promise<ExpressionReply>;
  end(): void;
}

export function createExpressionChild(
  limits: ExpressionLimits,
  start: (memoryMb: number) => Promise<ChildProcess>,
): ExpressionChild {
  let current: ChildProcess | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function end(): void {
    clearTimeout(idleTimer);
    current?.kill("SIGKILL");
    current = undefined;
  }

  function rest(child: ChildProcess): void {
    keepAlive(child, false);
    idleTimer = setTimeout(end, limits.idleMs).unref();
  }

  return {
    end,
    async run(job, signal) {
      if (signal.aborted) throw cancelled();
      clearTimeout(idleTimer);
      // The process may have been killed while it was idle.
      if (!current?.connected) current = await start(limits.memoryMb).catch(notStarted);
      const child = current;
      // The signal may have been aborted while the process started; its event is over.
      if (signal.aborted) {
        rest(child);
        throw cancelled();
      }
      keepAlive(child, true);
      let reply: ExpressionReply;
      try {
        reply = await exchange(child, job, limits, signal);
      } catch (error) {
        // The process ended, failed or is still busy: the next call needs a new one.
        end();
        throw error;
      }
      rest(child);
      return reply;
    },
  };
}

/** One job and its reply; rejects when the process ends, takes too long, or the step is cancelled. */
function exchange(
  child: ChildProcess,
  job: ProcessJob,
  limits: ExpressionLimits,
  signal: AbortSignal,
): Promise<ExpressionReply> {
  return new Promise<ExpressionReply>((resolve, reject) => {
    const timer = setTimeout(
      () => finish(() => reject(timedOut(limits))),
      limits.timeoutMs + HARD_LIMIT_EXTRA_MS,
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

export function expressionFailed(reason: string): AppError {
  return permanentFailure("expression_failed", `The expression failed: ${reason.replace(/\.$/, "")}.`);
}

function outOfMemory({ memoryMb }: ExpressionLimits): AppError {
  return expressionFailed(`it was ended, most likely because it needs more than ${memoryMb} MB of memory`);
}

export function timedOut({ timeoutMs }: ExpressionLimits): AppError {
  return permanentFailure(
    "expression_timeout",
    `The expression took longer than ${timeoutMs} ms and was stopped. Simplify it or reduce its input.`,
  );
}

export function cancelled(): AppError {
  return new AppError("aborted", "The expression was cancelled.");
}

function notStarted(cause: unknown): never {
  throw new AppError("expression_failed", "The process for expressions could not be started. Try again.", {
    cause,
  });
}
