import type { StepResult } from "../api/types.ts";

/** The line on which the code of a step failed, with the message without its place. */
export function errorPosition(result: StepResult | undefined): { line: number; message: string } | undefined {
  const details = (result as { details?: { line?: unknown } } | undefined)?.details;
  if (result?.error?.code !== "code_failed" || typeof details?.line !== "number") return undefined;
  const message = result.error.message
    .replace(/^The code failed: /, "")
    .replace(/ \(line \d+, column \d+\)\.$/, "");
  return { line: details.line, message };
}
