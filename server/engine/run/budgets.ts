import { createMeasure, type Measure } from "../../../contract/placeholders/json-size.ts";
import type { AppError } from "../../lib/errors.ts";
import { limitReached, outputTooLarge } from "../../limits/limit-reached.ts";
import type { Limits } from "../../limits/limits.ts";

/** How large values, the outputs of a task and its journal may become. */
export interface Budgets {
  measure: Measure;
  maxValueBytes: number;
  maxTaskOutputBytes: number;
  maxJournalEntries: number;
  /** The errors of a step that would exceed them. */
  valueTooLarge(what: string, size: number): AppError;
  taskOutputsTooLarge(): AppError;
  journalTooLong(entries: number): AppError;
  /** Throws when a run has too many or too long secrets: the time to find them in its outputs grows with each. */
  checkSecrets(secrets: Readonly<Record<string, string>>): void;
}

const MIN_SECRET_SIZE = 1024;

export function createBudgets(limits: Pick<Limits, "max" | "countRefusal">): Budgets {
  const max = (name: Parameters<Limits["max"]>[0]): number => limits.max(name) || Number.MAX_SAFE_INTEGER;
  const maxValueBytes = max("value_bytes");
  const maxTaskOutputBytes = max("task_output_bytes");
  const maxJournalEntries = max("journal_entries");
  const maxSecretBytes = max("secret_bytes");
  return {
    measure: createMeasure(),
    maxValueBytes,
    maxTaskOutputBytes,
    maxJournalEntries,
    valueTooLarge(what, size) {
      limits.countRefusal("value_bytes");
      const fact =
        size === Number.POSITIVE_INFINITY
          ? `${what} would be nested deeper than 1,000 levels. Make it flatter.`
          : `${what} would be larger than ${maxValueBytes} bytes. Insert less, or store it with a file step.`;
      return outputTooLarge("value_bytes", fact);
    },
    taskOutputsTooLarge() {
      limits.countRefusal("task_output_bytes");
      return outputTooLarge(
        "task_output_bytes",
        `With this output the task would hold more than ${maxTaskOutputBytes} bytes. Split the work into several runs.`,
      );
    },
    checkSecrets(secrets) {
      const bytes = Object.values(secrets).reduce(
        (sum, { length }) => sum + Math.max(MIN_SECRET_SIZE, length),
        0,
      );
      if (bytes <= maxSecretBytes) return;
      limits.countRefusal("secret_bytes");
      throw limitReached(
        "secret_bytes",
        `The secrets of the workflow count ${bytes} bytes; at most ${maxSecretBytes} are allowed. Use fewer or shorter ones.`,
      );
    },
    journalTooLong(entries) {
      limits.countRefusal("journal_entries");
      return limitReached(
        "journal_entries",
        `The task would record ${entries} results; at most ${maxJournalEntries} are allowed. Split the list into several runs.`,
      );
    },
  };
}
