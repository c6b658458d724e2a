import type { LogLevel } from "../../contract/step-log.ts";

/** Messages to and from a thread of the sandbox. Values and results are JSON text: only data crosses the boundary. */
export interface SandboxJob {
  /**
   * `code` is the body of an async function or a module with a default export. `expressions` are evaluated one after
   * the other. `check` only compiles.
   */
  kind: "code" | "expressions" | "check";
  sources: readonly string[];
  language: CodeLanguage;
  /** An object; each key becomes a global variable. */
  values: string;
  timeoutMs: number;
  /** Characters of the result, or of all results of expressions. */
  maxOutput: number;
  /** The thread erases the memory of its last call before it runs code of another owner. */
  ownerId: string;
}

export type CodeLanguage = "javascript" | "typescript";

export interface CodeLogs {
  lines: { level: LogLevel; message: string }[];
  /** Lines over the limit. */
  dropped: number;
}

export interface CodeFailure {
  type: "failed";
  /** `error` is an error of the code itself; the others are limits. */
  reason: "error" | "time" | "memory" | "output";
  message: string;
  /** In the source as the user wrote it, from 1. */
  line?: number;
  column?: number;
  /** Which of the sources failed. */
  source: number;
  /** The thread cannot run more code. */
  broken?: boolean;
}

export type SandboxResult = { type: "result"; json: string } | CodeFailure;

export type SandboxReply = { type: "ready" } | { type: "done"; result: SandboxResult; logs: CodeLogs };

export interface ThreadOptions {
  /** Limits the memory of the code, without the thread itself. */
  memoryMb: number;
}
