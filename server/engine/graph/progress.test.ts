import { describe, expect, test } from "vitest";
import { createProgress, handlesFailure, takenEdges } from "./progress.ts";
import { compiledOf } from "../testing/sample-graph.ts";

const done = (output: unknown = null) => ({ status: "completed", output: output as never }) as const;
const condition = { stepId: "c", type: "condition", left: 1, operator: "eq", right: 1 };
const choice = { stepId: "s", type: "switch", value: "{{input.kind}}" };
const yes = { id: "y", source: "c", target: "a", condition: "true" };
const no = { id: "n", source: "c", target: "b", condition: "false" };

describe("settling a step", () => {
  test("begins with the steps that have no dependencies", () => {
    const progress = createProgress(compiledOf(["a", "b", "c"], ["a>c", "b>c"]));
    expect(progress.begin()).toEqual({ final: false, ready: ["a", "b"], skipped: [] });
    expect(progress.open).toBe(3);
  });

  test("a join waits for every incoming edge", () => {
    const progress = createProgress(compiledOf(["a", "b", "c"], ["a>c", "b>c"]));
    progress.begin();
    expect(progress.settle("a", done())).toEqual({ final: false, ready: [], skipped: [] });
    expect(progress.settle("b", done()).ready).toEqual(["c"]);
    expect(progress.settle("c", done())).toEqual({ final: true, ready: [], skipped: [] });
    expect(progress.open).toBe(0);
  });

  test("a join of any starts at the first taken edge and only once", () => {
    const join = { stepId: "c", type: "transform", template: 1, join: "any" };
    const progress = createProgress(compiledOf(["a", "b", join], ["a>c", "b>c"]));
    progress.begin();
    expect(progress.settle("a", done()).ready).toEqual(["c"]);
    expect(progress.settle("b", done())).toEqual({ final: false, ready: [], skipped: [] });
  });

  test("a join of any waits while an edge is undecided, and is skipped when none was taken", () => {
    const join = { stepId: "d", type: "transform", template: 1, join: "any" };
    const progress = createProgress(compiledOf([condition, "a", "b", join], [yes, no, "a>d", "b>d"]));
    progress.begin();
    expect(progress.settle("c", done(true))).toEqual({ final: false, ready: ["a"], skipped: ["b"] });
    expect(progress.isSettled("d")).toBe(false);
    expect(progress.settle("a", done()).ready).toEqual(["d"]);
  });

  test("a disabled step is passed along its edges without a condition", () => {
    const off = { stepId: "b", type: "transform", template: 1, disabled: true };
    const progress = createProgress(compiledOf(["a", off, "c"], ["a>b", "b>c"]));
    progress.begin();
    expect(progress.settle("a", done())).toEqual({ final: false, ready: ["c"], skipped: ["b"] });
    expect(progress.isSettled("b")).toBe(true);
  });

  test("disabled steps at the beginning are passed, and a disabled condition takes neither branch", () => {
    const first = { stepId: "z", type: "transform", template: 1, disabled: true };
    const progress = createProgress(
      compiledOf(
        [first, { ...condition, disabled: true }, "a", "b", "d"],
        ["z>c", yes, no, { id: "p", source: "c", target: "d" }],
      ),
    );
    expect(progress.begin()).toEqual({ final: false, ready: ["d"], skipped: ["z", "c", "a", "b"] });
    expect(progress.open).toBe(1);
  });

  test("a skip cascades to every step that only it leads to, however long the chain", () => {
    const ids = Array.from({ length: 5000 }, (_, i) => `n${i}`);
    const links = ids.slice(1).map((id, i) => `n${i}>${id}`);
    const progress = createProgress(
      compiledOf(
        [condition, "a", ...ids],
        [yes, { id: "x", source: "c", target: "n0", condition: "false" }, ...links],
      ),
    );
    progress.begin();
    const decision = progress.settle("c", done(true));
    expect(decision.ready).toEqual(["a"]);
    expect(decision.skipped).toHaveLength(5000);
    expect(progress.isSettled("n4999")).toBe(true);
    expect(progress.open).toBe(1);
  });

  test("a step that refers to a parallel step waits for it without an edge", () => {
    const reader = { stepId: "r", type: "transform", template: "{{steps.b.output}}" };
    const progress = createProgress(compiledOf(["a", "b", reader], ["a>r"]));
    expect(progress.begin().ready).toEqual(["a", "b"]);
    expect(progress.settle("a", done()).ready).toEqual([]);
    expect(progress.settle("b", done())).toEqual({ final: true, ready: ["r"], skipped: [] });
  });

  test("an ending that is settled twice counts once", () => {
    const progress = createProgress(compiledOf(["a", "b"], ["a>b"]));
    progress.begin();
    expect(progress.settle("a", done()).ready).toEqual(["b"]);
    expect(progress.settle("a", done()).ready).toEqual([]);
    expect(progress.open).toBe(1);
    expect(progress.isSettled("nobody")).toBe(false);
  });
});

describe("which edges are taken", () => {
  test("a condition takes the edge of its outcome and a plain edge", () => {
    const graph = compiledOf([condition, "a", "b", "d"], [yes, no, "c>d"]);
    expect(takenEdges(graph.steps.get("c")!, done(false))).toEqual([false, true, true]);
  });

  test("true and false edges after a step that is not a condition are not taken", () => {
    const graph = compiledOf(["c", "a"], [yes]);
    expect(takenEdges(graph.steps.get("c")!, done(true))).toEqual([false]);
  });

  test("a switch takes the matching case, or else the default edge", () => {
    const graph = compiledOf(
      [choice, "a", "b", "d"],
      [
        { id: "1", source: "s", target: "a", caseValue: "x" },
        { id: "2", source: "s", target: "b", caseValue: 7 },
        "s>d",
      ],
    );
    const step = graph.steps.get("s")!;
    expect(takenEdges(step, done("x"))).toEqual([true, false, false]);
    expect(takenEdges(step, done("7"))).toEqual([false, true, false]);
    expect(takenEdges(step, done("other"))).toEqual([false, false, true]);
    expect(takenEdges(step, done({ x: 1 }))).toEqual([false, false, true]);
    expect(takenEdges(step, { status: "skipped" })).toEqual([false, false, false]);
  });

  test("a case edge after a step that is not a switch is not taken", () => {
    const graph = compiledOf(["s", "a", "b"], [{ id: "1", source: "s", target: "a", caseValue: "s" }, "s>b"]);
    expect(takenEdges(graph.steps.get("s")!, done("s"))).toEqual([false, true]);
  });

  test("a failure takes error edges, and plain edges when the step continues on error", () => {
    const error = { id: "e", source: "a", target: "b", condition: "error" };
    const strict = compiledOf(["a", "b", "d"], [error, "a>d"]).steps.get("a")!;
    expect(takenEdges(strict, { status: "failed" })).toEqual([true, false]);
    expect(takenEdges(strict, done())).toEqual([false, true]);
    const lenient = compiledOf(
      [{ stepId: "a", type: "switch", value: 1, onError: "continue" }, "b", "d", "f"],
      [error, "a>d", { id: "k", source: "a", target: "f", caseValue: 1 }],
    ).steps.get("a")!;
    expect(takenEdges(lenient, { status: "failed" })).toEqual([true, true, false]);
  });

  test("a failure is handled by an error edge or by onError continue, and otherwise ends the run", () => {
    const graph = compiledOf(
      ["a", "b", { stepId: "d", type: "transform", template: 1, onError: "continue" }],
      [{ id: "e", source: "a", target: "b", condition: "error" }],
    );
    expect(["a", "b", "d"].map((id) => handlesFailure(graph.steps.get(id)!))).toEqual([true, false, true]);
  });
});
