import type { ChildProcess } from "node:child_process";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import type { FairQueue } from "../lib/fair-queue.ts";
import {
  cancelled,
  createExpressionChild,
  type ExpressionChild,
  expressionFailed,
  type ExpressionLimits,
  timedOut,
} from "./expression-child.ts";
import type { ExpressionReply, ExpressionScope, PatternJob, ProcessJob } from "./expression-message.ts";
import { startExpressionProcess } from "./expression-process.ts";
import { parseAnyJsonText } from "../lib/untrusted-json.ts";
import { permanentFailure } from "./step-failure.ts";

const defaultLimits: ExpressionLimits = { timeoutMs: 5000, memoryMb: 128, idleMs: 60_000 };

/** JSONata and costly patterns in child processes, which the owners use in turn. */
export interface Expressions {
  evaluate(
    ownerId: string,
    expression: string,
    scope: ExpressionScope,
    signal: AbortSignal,
  ): Promise<JsonValue>;
  findPattern(ownerId: string, job: Omit<PatternJob, "type">, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

export interface ExpressionsDeps {
  /** Has one slot per process. */
  queue: FairQueue;
  limits?: Partial<ExpressionLimits>;
  start?: (memoryMb: number) => Promise<ChildProcess>;
}

export function createExpressions({
  queue,
  limits: given,
  start = startExpressionProcess,
}: ExpressionsDeps): Expressions {
  const limits = { ...defaultLimits, ...given };
  const children: ExpressionChild[] = [];
  // The last one that was used is the first to be used again; the others end when they are idle.
  const idle: ExpressionChild[] = [];
  const running = new Set<Promise<unknown>>();
  let closed = false;

  function addChild(): ExpressionChild {
    const child = createExpressionChild(limits, start);
    children.push(child);
    return child;
  }

  async function runInChild(createJob: () => ProcessJob, signal: AbortSignal): Promise<ExpressionReply> {
    if (closed) throw cancelled();
    const child = idle.pop() ?? addChild();
    const reply = child.run(createJob(), signal).finally(() => idle.push(child));
    running.add(reply);
    return reply.finally(() => running.delete(reply));
  }

  /** The job is created when its turn comes, because waiting ones would keep their scopes in memory as text. */
  async function take(ownerId: string, createJob: () => ProcessJob, signal: AbortSignal) {
    const reply = await queue
      .run(ownerId, () => runInChild(createJob, signal), { signal })
      .catch((error: unknown) => {
        throw error instanceof AppError || !signal.aborted ? error : cancelled();
      });
    if (reply.type === "refused") throw permanentFailure(reply.code, reply.message);
    if (reply.type !== "failed") return reply;
    throw reply.timedOut ? timedOut(limits) : expressionFailed(reply.message);
  }

  return {
    async evaluate(ownerId, expression, scope, signal) {
      const { timeoutMs } = limits;
      const createJob = () => ({
        type: "expression" as const,
        expression,
        scope: scopeText(scope),
        timeoutMs,
      });
      return await resultOf(await take(ownerId, createJob, signal));
    },
    async findPattern(ownerId, job, signal) {
      const reply = await take(ownerId, () => ({ type: "pattern", ...job }), signal);
      return reply.type === "found" && reply.isFound;
    },
    async close() {
      closed = true;
      for (const child of children) child.end();
      await Promise.allSettled(running);
      for (const child of children) child.end();
    },
  };
}

async function resultOf(reply: ExpressionReply): Promise<JsonValue> {
  if (reply.type !== "result") throw expressionFailed("it gave no answer");
  const value = await parseAnyJsonText(reply.json);
  if (value === undefined)
    throw expressionFailed("its result is nested too deeply or has a key named __proto__");
  return value;
}

/** `now` is the ISO time of the placeholder `{{now}}`. Secrets are not in the scope. */
function scopeText(scope: ExpressionScope): string {
  const { input, steps, item, index, vars, task, workflow, now } = scope;
  const time = now === undefined ? undefined : new Date(now).toISOString();
  return JSON.stringify({ input, steps, item, index, vars, task, workflow, now: time });
}
