import { isInLoop, type IsLoop, iterationOf, outermostLoop } from "../../../contract/step-path.ts";
import { isRecord } from "../../../contract/placeholders/json-value.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";

/** Tokens of language models, as steps report them in `usage`. */
export interface TokenCount {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
}

/** Sums the numbers; undefined when no usage was reported. */
export function sumUsage(usages: Iterable<unknown>): TokenCount | undefined {
  let sum: TokenCount | undefined;
  for (const usage of usages) {
    if (!isRecord(usage)) continue;
    sum = {
      inputTokens: (sum?.inputTokens ?? 0) + countOf(usage["inputTokens"]),
      outputTokens: (sum?.outputTokens ?? 0) + countOf(usage["outputTokens"]),
      totalTokens: (sum?.totalTokens ?? 0) + countOf(usage["totalTokens"]),
    };
  }
  return sum;
}

/** Usage of loop iterations by the path of their loop, since an iteration has no result of its own. */
export function usageByLoop(entries: readonly JournalEntry[], isLoop: IsLoop): Map<string, TokenCount> {
  const byPath = new Map<string, unknown>();
  for (const entry of entries) {
    if (entry.kind === "rerun") {
      for (const path of entry.cleared) byPath.delete(path);
      for (const loop of entry.restarted ?? [])
        for (const path of byPath.keys()) if (iterationOf(path, loop) !== undefined) byPath.delete(path);
    } else if (entry.kind === "step" || entry.kind === "attempt") {
      const usage = entry.extra?.["usage"];
      if (usage !== undefined && isInLoop(entry.path, isLoop)) byPath.set(entry.path, usage);
    }
  }
  const byLoop = new Map<string, TokenCount>();
  for (const [path, usage] of byPath) {
    const loop = outermostLoop(path, isLoop)!;
    const sum = sumUsage([byLoop.get(loop), usage]);
    if (sum !== undefined) byLoop.set(loop, sum);
  }
  return byLoop;
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
