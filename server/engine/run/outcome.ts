import { type ErrorCode, isPermanentError } from "../../../contract/errors.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { WaitEntry } from "../journal/journal-entry.ts";
import type { Failure } from "./retry.ts";
import type { OpenApproval } from "../approval-store.ts";

/** What is recorded when a step begins to wait. */
export type BeginWait = Pick<WaitEntry, "status" | "due"> & { openApproval?: OpenApproval };

/** The result of one execution of a step. The scope records it and decides which steps follow. */
export type Outcome =
  | {
      kind: "completed";
      output: JsonValue;
      extra?: Record<string, unknown> | undefined;
      closedWaits?: string[];
    }
  | { kind: "failed"; failure: Failure; output?: JsonValue; closedWaits?: string[] }
  | {
      kind: "waiting";
      due: number | null;
      /** It waits for a person. */
      forApproval?: boolean;
      /** The entry to record when the wait begins with this execution. */
      begin?: BeginWait;
    };

/** For control steps, which fail without throwing. */
export function failed(code: ErrorCode, message: string): Extract<Outcome, { kind: "failed" }> {
  return {
    kind: "failed",
    failure: {
      error: { code, message },
      permanent: isPermanentError(code),
      retryAfterMs: undefined,
      extra: null,
    },
  };
}
