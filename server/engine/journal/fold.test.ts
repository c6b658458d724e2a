import { describe, expect, test } from "vitest";
import { apply, blankMemory, fold } from "./fold.ts";
import { type NewEntry, numbered } from "./journal-entry.ts";

function journal(...entries: (Partial<NewEntry> & Pick<NewEntry, "kind">)[]) {
  return entries.map((entry, i) =>
    numbered(i + 1, { status: "completed", at: (i + 1) * 10, path: "a", ...entry }),
  );
}

describe("the journal adds up to", () => {
  test("how a step ended, with the output only where it steers the run", () => {
    const memory = fold(
      journal(
        { kind: "step", type: "transform", output: '"big"', final: true },
        { kind: "step", path: "c", type: "condition", output: "true" },
        { kind: "step", path: "s", type: "switch", output: '"x"' },
        {
          kind: "step",
          path: "f",
          type: "http",
          status: "failed",
          error: { code: "http_error", message: "m" },
        },
      ),
    );
    expect(memory.get("a")?.ended).toEqual({ status: "completed", output: null, error: null, final: true });
    expect(memory.get("c")?.ended?.output).toBe("true");
    expect(memory.get("s")?.ended?.output).toBe('"x"');
    expect(memory.get("f")?.ended).toMatchObject({ status: "failed", error: { code: "http_error" } });
  });

  test("how often a step was tried and when it is due", () => {
    const memory = fold(
      journal({ kind: "attempt", attempt: 1, due: 50 }, { kind: "attempt", attempt: 2, due: 90 }),
    );
    expect(memory.get("a")).toEqual({
      ...blankMemory(20),
      attempts: 2,
      waiting: { due: 90, kind: "attempt" },
    });
  });

  test("since when a step waits, however often it was looked at", () => {
    const memory = fold(
      journal(
        { kind: "wait", due: null, startedAt: 7 },
        { kind: "wait", due: 99, startedAt: 8 },
        { kind: "items", path: "each", startedAt: 3 },
        { kind: "items", path: "each", startedAt: 4 },
      ),
    );
    expect(memory.get("a")).toMatchObject({ startedAt: 7, waiting: { due: 99, kind: "wait" } });
    expect(memory.get("each")).toMatchObject({ startedAt: 3, itemsFixed: true });
  });

  test("an ended step waits no longer, and the end of the task is no step", () => {
    const memory = fold(journal({ kind: "wait", due: 1 }, { kind: "step" }, { kind: "status", path: "" }));
    expect(memory.get("a")?.waiting).toBeUndefined();
    expect([...memory.keys()]).toEqual(["a"]);
  });

  test("nothing of what a rerun has cleared, but the list of a foreach stays", () => {
    const memory = fold(
      journal(
        { kind: "items", path: "each" },
        { kind: "attempt", path: "each", attempt: 3, due: 1 },
        { kind: "step", path: "each", status: "failed" },
        { kind: "step", path: "kept" },
        { kind: "rerun", path: "", output: '["each","never"]' },
      ),
    );
    expect(memory.get("each")).toEqual({ ...blankMemory(50), itemsFixed: true });
    expect(memory.get("never")).toEqual(blankMemory(50));
    expect(memory.get("kept")?.ended?.status).toBe("completed");
    apply(memory, journal({ kind: "rerun", output: null })[0]!);
    expect(memory.get("kept")?.ended).toBeDefined();
  });
});
