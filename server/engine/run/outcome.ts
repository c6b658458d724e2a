import { type ErrorCode, isPermanentError } from "../../../contract/errors.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { WaitEntry } from "../journal/journal-entry.ts";
import type { Failure } from "./retry.ts";
import type { OpenApproval } from "../store.ts";

/** What an execution of a step came to; the scope runner records it and decides what follows. */
export type Outcome =
  | {
      kind: "completed";
      output: JsonValue;
      extra?: Record<string, unknown> | undefined;
      consumedApprovals?: string[];
    }
  | { kind: "failed"; failure: Failure; output?: JsonValue; consumedApprovals?: string[] }
  | {
      kind: "waiting";
      due: number | null;
      /** A person is what it waits for. */
      forApproval?: boolean;
      /** To be recorded first, when the wait begins here and now. */
      begin?: Pick<WaitEntry, "status" | "due"> & { openApproval?: OpenApproval };
    };

/** A control step's way to fail without throwing. */
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
