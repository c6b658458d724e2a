import { UNNUMBERED, type WaitEntry } from "../journal/journal-entry.ts";
import type { Execution } from "./execute-step.ts";
import type { BeginWait } from "./outcome.ts";
import type { Run } from "./run.ts";
import { redactedInput } from "./settle-step.ts";

/** Records that a step waits, once. */
export async function recordWait(
  run: Run,
  path: string,
  type: string,
  { openApproval, status, due }: BeginWait,
  { input, startedAt }: Execution,
): Promise<void> {
  if (run.memoryOf(path).waiting?.kind === "wait") return;
  const entry: WaitEntry = {
    seq: UNNUMBERED,
    kind: "wait",
    path,
    type,
    status,
    input: redactedInput(run, input),
    due,
    startedAt,
    at: run.deps.clock.now(),
  };
  await run.record([entry], openApproval === undefined ? {} : { openApproval });
}
