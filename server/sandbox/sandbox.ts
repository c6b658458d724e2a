import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { LogLevel } from "../../contract/step-log.ts";
import { AppError } from "../lib/errors.ts";
import type { FairQueue } from "../lib/fair-queue.ts";
import { serialize } from "../lib/serialize-json.ts";
import { parseAnyJsonText } from "../lib/untrusted-json.ts";
import { codeError, type CodePosition, memoryFull, timeOver, tooLarge } from "./code-errors.ts";
import type { CodeLanguage, SandboxJob } from "./sandbox-message.ts";
import {
  createSandboxThread,
  type DoneReply,
  type SandboxThread,
  startSandboxThread,
  type StartThread,
  type ThreadLimits,
} from "./sandbox-thread.ts";

export interface SandboxLimits {
  timeoutMs: number;
  memoryMb: number;
  /** Characters of a result. */
  maxOutput: number;
}

const threadLimits = { graceMs: 250, idleMs: 60_000 };

/** Global variables of the code. Those that its text does not name are left out. */
type Values = Readonly<Record<string, unknown>>;

export interface CodeCall {
  ownerId: string;
  source: string;
  language: CodeLanguage;
  values: Values;
  signal: AbortSignal;
  log(level: LogLevel, message: string): void;
}

export interface ExpressionsCall {
  ownerId: string;
  /** Each is one JavaScript expression. */
  sources: readonly string[];
  values: Values;
  signal: AbortSignal;
}

/** Code of users, in threads that the owners use in turn. It sees the values it is given and nothing of the service. */
export interface Sandbox {
  run(call: CodeCall): Promise<JsonValue>;
  /** The value of each expression; all of them are one job. */
  evaluate(call: ExpressionsCall): Promise<JsonValue[]>;
  /** The first error of source text that does not compile. */
  check(call: Omit<CodeCall, "values" | "log">): Promise<({ message: string } & CodePosition) | undefined>;
  close(): Promise<void>;
}

export interface SandboxDeps {
  /** Has one slot per thread. */
  queue: FairQueue;
  limits: SandboxLimits & Partial<ThreadLimits>;
  start?: StartThread;
}

export function createSandbox({ queue, limits: given, start = startSandboxThread }: SandboxDeps): Sandbox {
  const limits = { ...threadLimits, ...given };
  const threads: SandboxThread[] = [];
  // The last one that was used is the first to be used again; the others end when they are idle.
  const idle: SandboxThread[] = [];
  const running = new Set<Promise<unknown>>();
  let closed = false;

  function addThread(): SandboxThread {
    const thread = createSandboxThread(limits, start);
    threads.push(thread);
    return thread;
  }

  async function runInThread(createJob: () => Promise<SandboxJob>, signal: AbortSignal): Promise<DoneReply> {
    const job = await createJob();
    if (closed) throw cancelled();
    const thread = idle.pop() ?? addThread();
    const reply = thread.run(job, signal).finally(() => idle.push(thread));
    running.add(reply);
    const done = await reply.finally(() => running.delete(reply));
    if (done === "unresponsive") throw timeOver(limits.timeoutMs);
    if (done === "ended") throw memoryFull(limits.memoryMb);
    return done;
  }

  /** The job is created when its turn comes, because waiting ones would keep their values in memory as text. */
  function take(
    ownerId: string,
    createJob: () => Promise<SandboxJob>,
    signal: AbortSignal,
  ): Promise<DoneReply> {
    return queue
      .run(ownerId, () => runInThread(createJob, signal), { signal })
      .catch((error: unknown) => {
        throw error instanceof AppError || !signal.aborted ? error : cancelled();
      });
  }

  const { timeoutMs, maxOutput } = limits;

  /** The JSON text of the result; throws the failure of the code. */
  async function resultOf(
    { result }: DoneReply,
    describe: (source: number) => string,
    code: "code_failed" | "expression_failed",
    source?: string,
  ) {
    if (result.type === "result") {
      const value = await parseAnyJsonText(result.json);
      if (value !== undefined) return value;
      throw codeError(
        code,
        `${describe(0)} failed: its result is nested too deeply or has a key named __proto__`,
      );
    }
    switch (result.reason) {
      case "time":
        throw timeOver(limits.timeoutMs);
      case "memory":
        throw memoryFull(limits.memoryMb);
      case "output":
        throw tooLarge(result.message);
      case "error":
        throw codeError(code, `${describe(result.source)} failed: ${result.message}`, result, source);
    }
  }

  return {
    async run({ ownerId, source, language, values, signal, log }) {
      const createJob = async (): Promise<SandboxJob> => ({
        kind: "code",
        sources: [source],
        language,
        values: await valuesText(values, [source]),
        timeoutMs,
        maxOutput,
        ownerId,
      });
      const reply = await take(ownerId, createJob, signal);
      for (const { level, message } of reply.logs.lines) log(level, message);
      if (reply.logs.dropped > 0) log("warn", `${reply.logs.dropped} more lines were not kept.`);
      return await resultOf(reply, () => "The code", "code_failed", source);
    },
    async evaluate({ ownerId, sources, values, signal }) {
      const createJob = async (): Promise<SandboxJob> => ({
        kind: "expressions",
        sources,
        language: "javascript",
        values: await valuesText(values, sources),
        timeoutMs,
        maxOutput,
        ownerId,
      });
      const reply = await take(ownerId, createJob, signal);
      const describe = (index: number) => `The expression {{= ${shorten(sources[index] ?? "")} }}`;
      return (await resultOf(reply, describe, "expression_failed")) as JsonValue[];
    },
    async check({ ownerId, source, language, signal }) {
      const createJob = async (): Promise<SandboxJob> => ({
        kind: "check",
        sources: [source],
        language,
        values: "{}",
        timeoutMs,
        maxOutput,
        ownerId,
      });
      const { result } = await take(ownerId, createJob, signal);
      return result.type === "failed" && result.reason === "error" ? result : undefined;
    },
    async close() {
      closed = true;
      for (const thread of threads) thread.end();
      await Promise.allSettled(running);
      for (const thread of threads) thread.end();
    },
  };
}

function valuesText(values: Values, sources: readonly string[]): string | Promise<string> {
  const named = Object.entries(values).filter(([name]) => sources.some((source) => source.includes(name)));
  return serialize(Object.fromEntries(named));
}

const SHOWN_LENGTH = 60;

function shorten(source: string): string {
  const text = source.trim();
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

function cancelled(): AppError {
  return new AppError("aborted", "The code was cancelled.");
}
