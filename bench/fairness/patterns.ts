import { type Attack, endOf, saveWorkflow, startRun } from "./attack.ts";

/** About as costly as one pattern may be: 50 ms to compile, and almost the largest allowed work on its text. */
const PATTERN = "(?i)[^\\p{L}]{99}".repeat(9);
const TEXT = "1".repeat(5000);

export const patternAttacks: Attack[] = [
  {
    name: "a loop over 5,000 conditions with a costly pattern, 100 at once",
    async begin({ attacker }) {
      const each = {
        stepId: "each",
        type: "foreach",
        items: "{{input.items}}",
        concurrency: 100,
        steps: [{ stepId: "match", type: "condition", left: TEXT, operator: "matches", right: PATTERN }],
      };
      const id = await saveWorkflow(attacker, [each]);
      const taskId = await startRun(attacker, id, { items: Array.from({ length: 5000 }, (_, i) => i) });
      return { ended: endOf(attacker, taskId, 5000) };
    },
  },
];
