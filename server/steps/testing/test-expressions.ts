import { createFairQueue } from "../../lib/fair-queue.ts";
import { createExpressions, type Expressions, type ExpressionsDeps } from "../expressions.ts";
import { findPattern } from "../find-pattern.ts";

/** Expressions in at most two processes, of which one owner uses one. */
export function createTestExpressions(deps: Partial<ExpressionsDeps> = {}): Expressions {
  const queue = createFairQueue({ slots: 2, slotsPerKey: 1, refuse: () => new Error("The queue is full.") });
  return createExpressions({ queue, ...deps });
}

/** For tests without child processes. */
export const inlinePatterns: Pick<Expressions, "findPattern"> = {
  findPattern: async (_ownerId, { pattern, text }) => findPattern(pattern, text),
};
