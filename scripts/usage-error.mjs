/** Wrong arguments: `scripts/run.mjs` prints the message without a stack trace. */
export class UsageError extends Error {}

/** True also for the errors of `parseArgs`. */
export function isUsageError(error) {
  return (
    error instanceof UsageError ||
    (error instanceof Error && String(error.code).startsWith("ERR_PARSE_ARGS_"))
  );
}
