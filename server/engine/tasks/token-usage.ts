import { isInLoop, type IsLoop, iterationOf, outermostLoop } from "../../../contract/step-path.ts";
import { isRecord } from "../../../contract/placeholders/json-value.ts";
import { addCosts, type Cost } from "../../lib/cost.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";

/** Tokens of language models, as steps report them in `usage`. */
export interface TokenCount {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
}

/** What model calls used. A field is absent when no call reported it. */
export interface Spent {
  usage?: TokenCount;
  cost?: Cost;
}

/** Sums the `usage` and `cost` of step results or of what runners returned with them. */
export function sumSpent(reports: Iterable<object | null>): Spent {
  let usage: TokenCount | undefined;
  const costs: Cost[] = [];
  for (const report of reports) {
    const { usage: tokens, cost } = (report ?? {}) as Record<string, unknown>;
    if (isRecord(tokens))
      usage = {
        inputTokens: (usage?.inputTokens ?? 0) + countOf(tokens["inputTokens"]),
        outputTokens: (usage?.outputTokens ?? 0) + countOf(tokens["outputTokens"]),
        totalTokens: (usage?.totalTokens ?? 0) + countOf(tokens["totalTokens"]),
      };
    if (isRecord(cost)) costs.push({ amount: countOf(cost["amount"]), currency: String(cost["currency"]) });
  }
  const cost = addCosts(costs);
  return { ...(usage === undefined ? {} : { usage }), ...(cost === undefined ? {} : { cost }) };
}

/** What loop iterations used, by the path of their loop, since an iteration has no result of its own. */
export function spentByLoop(entries: readonly JournalEntry[], isLoop: IsLoop): Map<string, Spent> {
  const byPath = new Map<string, Spent>();
  for (const entry of entries) {
    if (entry.kind === "rerun") {
      for (const path of entry.cleared) byPath.delete(path);
      for (const loop of entry.restarted ?? [])
        for (const path of byPath.keys()) if (iterationOf(path, loop) !== undefined) byPath.delete(path);
    } else if (entry.kind === "step" || entry.kind === "attempt") {
      if (entry.extra?.["usage"] !== undefined && isInLoop(entry.path, isLoop))
        byPath.set(entry.path, sumSpent([byPath.get(entry.path) ?? null, entry.extra]));
    }
  }
  const byLoop = new Map<string, Spent>();
  for (const [path, spent] of byPath) {
    const loop = outermostLoop(path, isLoop)!;
    byLoop.set(loop, sumSpent([byLoop.get(loop) ?? null, spent]));
  }
  return byLoop;
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
