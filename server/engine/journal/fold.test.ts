import { describe, expect, test } from "vitest";
import { apply, blankMemory, fold, WHOLE_TASK } from "./fold.ts";
import type { JournalEntry } from "./journal-entry.ts";
import {
  attemptEntry,
  itemsEntry,
  rerunEntry,
  statusEntry,
  stepEntry,
  waitEntry,
} from "../testing/entry-samples.ts";

/** Entry 1 at 10, entry 2 at 20 … */
function journal(...entries: JournalEntry[]): JournalEntry[] {
  return entries.map((entry, index) => ({ ...entry, seq: index + 1, at: (index + 1) * 10 }));
}

describe("the journal adds up to", () => {
  test("how a step ended, with the output only of branching steps", () => {
    const memory = fold(
      journal(
        stepEntry({ type: "transform", output: '"big"', final: true }),
        stepEntry({ path: "c", type: "condition", output: "true" }),
        stepEntry({ path: "s", type: "switch", output: '"x"' }),
        stepEntry({ path: "f", type: "http", status: "failed", error: { code: "http_error", message: "m" } }),
      ),
    );
    expect(memory.get("a")?.ended).toEqual({ status: "completed", output: null, error: null, final: true });
    expect(memory.get("c")?.ended?.output).toBe("true");
    expect(memory.get("s")?.ended?.output).toBe('"x"');
    expect(memory.get("f")?.ended).toMatchObject({ status: "failed", error: { code: "http_error" } });
  });

  test("the number of attempts and when the next one is due", () => {
    const memory = fold(
      journal(attemptEntry({ attempt: 1, due: 50 }), attemptEntry({ attempt: 2, due: 90 })),
    );
    expect(memory.get("a")).toEqual({
      ...blankMemory(20),
      attempts: 2,
      answeredFailures: 2,
      waiting: { due: 90, kind: "attempt" },
    });
  });

  test("when a step first began to wait, however often it was resumed", () => {
    const memory = fold(
      journal(
        waitEntry({ due: null, startedAt: 7 }),
        waitEntry({ due: 99, startedAt: 8 }),
        itemsEntry({ startedAt: 3 }),
        itemsEntry({ startedAt: 4 }),
      ),
    );
    expect(memory.get("a")).toMatchObject({ startedAt: 7, waiting: { due: 99, kind: "wait" } });
    expect(memory.get("each")).toMatchObject({ startedAt: 3, itemsFixed: true });
  });

  test("an ended step no longer waits, and the end of the task is not a step", () => {
    const memory = fold(journal(waitEntry({ due: 1 }), stepEntry(), statusEntry()));
    expect(memory.get("a")?.waiting).toBeUndefined();
    expect([...memory.keys()]).toEqual(["a"]);
  });

  test("nothing of the paths that a rerun has cleared, except the list of a foreach", () => {
    const memory = fold(
      journal(
        itemsEntry(),
        attemptEntry({ path: "each", attempt: 3, due: 1 }),
        stepEntry({ path: "each", status: "failed" }),
        stepEntry({ path: "kept" }),
        rerunEntry({ cleared: ["each", "never"] }),
      ),
    );
    expect(memory.get("each")).toEqual({ ...blankMemory(50), itemsFixed: true, answeredFailures: 1 });
    expect(memory.get("never")).toEqual(blankMemory(50));
    expect(memory.get("kept")?.ended?.status).toBe("completed");
    apply(memory, journal(rerunEntry({ status: "waiting" }))[0]!);
    expect(memory.get("kept")?.ended).toBeDefined();
  });

  test("when the whole task was last rerun, which an iteration that runs again is not", () => {
    const memory = fold(journal(stepEntry(), rerunEntry({ status: "queued", cleared: ["a"] })));
    expect(memory.get(WHOLE_TASK)).toEqual(blankMemory(20));
    expect(fold(journal(stepEntry(), rerunEntry({ status: "waiting" }))).has(WHOLE_TASK)).toBe(false);
  });

  test("how many failures were answered, also when a rerun has cleared or restarted their paths", () => {
    const error = { code: "http_error", message: "500" } as const;
    const lost = { code: "connection_failed", message: "no answer" } as const;
    const memory = fold(
      journal(
        attemptEntry({ path: "a", error }),
        attemptEntry({ path: "a", error: lost }),
        stepEntry({ path: "a", status: "failed", error }),
        stepEntry({ path: "each[0]/x", status: "failed", error }),
        rerunEntry({ cleared: ["a", "each[0]/x"] }),
        stepEntry({ path: "a", status: "failed", error: lost }),
        rerunEntry({ cleared: ["a"], restarted: ["each"] }),
      ),
    );
    expect(memory.get("a")).toMatchObject({ attempts: 0, ended: undefined, answeredFailures: 2 });
    expect(memory.get("each[0]/x")).toMatchObject({ ended: undefined, answeredFailures: 1 });
  });

  test("nothing of a loop that a rerun has restarted: neither its list nor its iterations", () => {
    const memory = fold(
      journal(
        itemsEntry(),
        stepEntry({ path: "each[0]/a" }),
        stepEntry({ path: "each[a]" }),
        rerunEntry({ cleared: ["each"], restarted: ["each"] }),
      ),
    );
    expect(memory.get("each")).toMatchObject({ itemsFixed: false, ended: undefined });
    expect(memory.has("each[0]/a")).toBe(false);
    expect(memory.get("each[a]")?.ended?.status).toBe("completed");
  });
});
