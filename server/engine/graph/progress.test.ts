import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createProgress, handlesFailure, takenEdges } from "./progress.ts";
import { compiledOf } from "../testing/sample-graph.ts";

const done = (output: unknown = null) => ({ status: "completed", output: output as never }) as const;
const condition = { stepId: "c", type: "condition", left: 1, operator: "eq", right: 1 };
const choice = { stepId: "s", type: "switch", value: "{{input.kind}}" };
const yes = { id: "y", source: "c", target: "a", condition: "true" };
const no = { id: "n", source: "c", target: "b", condition: "false" };

const FIRST = { stepId: "j", type: "transform", template: 1, join: "first" };

/** Graphs with joins of every kind, an order in which steps end, and the steps that fail. */
const raceArbitrary = fc
  .record({
    shapes: fc.array(
      fc.record({
        join: fc.constantFrom("all", "any", "first", "first"),
        before: fc.array(fc.nat(20), { maxLength: 3 }),
        fails: fc.integer({ min: 0, max: 3 }),
      }),
      { minLength: 3, maxLength: 10 },
    ),
    order: fc.array(fc.nat(10), { minLength: 1, maxLength: 10 }),
  })
  .map(({ shapes, order }) => {
    const steps = shapes.map(({ join }, i) => ({ stepId: `s${i}`, type: "transform", template: 1, join }));
    const edges = shapes.flatMap(({ before }, i) =>
      i === 0 ? [] : [...new Set(before.map((n) => n % i))].map((n) => `s${n}>s${i}`),
    );
    const fails = new Set(shapes.flatMap((shape, i) => (shape.fails === 0 ? [`s${i}`] : [])));
    return { graph: compiledOf(steps, edges), order, fails };
  });

describe("settling a step", () => {
  test("begins with the steps that have no dependencies", () => {
    const progress = createProgress(compiledOf(["a", "b", "c"], ["a>c", "b>c"]));
    expect(progress.begin()).toEqual({ final: false, ready: ["a", "b"], skipped: [] });
    expect(progress.open()).toBe(3);
  });

  test("a join waits for every incoming edge", () => {
    const progress = createProgress(compiledOf(["a", "b", "c"], ["a>c", "b>c"]));
    progress.begin();
    expect(progress.settle("a", done())).toEqual({ final: false, ready: [], skipped: [] });
    expect(progress.settle("b", done()).ready).toEqual(["c"]);
    expect(progress.settle("c", done())).toEqual({ final: true, ready: [], skipped: [] });
    expect(progress.open()).toBe(0);
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

  test("a join on the first success skips the other branches, also the steps that run", () => {
    const progress = createProgress(compiledOf(["a", "b", "b2", FIRST], ["a>j", "b>b2", "b2>j"]));
    progress.begin();
    const decision = progress.settle("a", done());
    expect(decision).toMatchObject({ final: false, ready: ["j"], lost: ["b", "b2"] });
    expect(decision.skipped).toEqual(["b", "b2"]);
    expect([progress.isSettled("b"), progress.isSettled("b2"), progress.open()]).toEqual([true, true, 1]);
  });

  test("a join on the first success waits after a failure, and fails when no branch is left", () => {
    const graph = compiledOf(["a", "a2", "b", FIRST], ["a>a2", "a2>j", "b>j"]);
    const won = createProgress(graph);
    won.begin();
    expect(won.settle("a", { status: "failed" })).toEqual({ final: false, ready: [], skipped: ["a2"] });
    expect(won.settle("b", done()).ready).toEqual(["j"]);
    const lost = createProgress(graph);
    lost.begin();
    lost.settle("a", { status: "failed" });
    expect(lost.settle("b", { status: "failed" })).toMatchObject({ ready: [], failedJoin: "j" });
  });

  test("a branch that continues after a failure starts the join only when no other branch succeeds", () => {
    const soft = { stepId: "a", type: "transform", template: 1, onError: "continue" };
    const progress = createProgress(compiledOf([soft, "b", FIRST], ["a>j", "b>j"]));
    progress.begin();
    expect(progress.settle("a", { status: "failed" }).ready).toEqual([]);
    expect(progress.settle("b", { status: "failed" }).ready).toEqual(["j"]);
  });

  test("a join on the first success is skipped when no branch was taken and none failed", () => {
    const progress = createProgress(compiledOf([condition, "a", FIRST], [yes, "a>j"]));
    progress.begin();
    const decision = progress.settle("c", done(false));
    expect(decision).toEqual({ final: true, ready: [], skipped: ["a", "j"] });
  });

  test("of joins on the first success behind each other, the last one decides whether a failure counts", () => {
    const last = { ...FIRST, stepId: "k" };
    const graph = compiledOf(["a", "b", "c", FIRST, last], ["a>j", "b>j", "j>k", "c>k"]);
    const progress = createProgress(graph);
    progress.begin();
    progress.settle("a", { status: "failed" });
    const second = progress.settle("b", { status: "failed" });
    expect([second.failedJoin, second.skipped]).toEqual([undefined, ["j"]]);
    expect(progress.settle("c", { status: "failed" }).failedJoin).toBe("k");
  });

  test("only steps that lead to the join and to nothing else are a branch of it", () => {
    const reader = { stepId: "r", type: "transform", template: "{{steps.b.output}}" };
    const graph = compiledOf(["a", "b", "c", "x", reader, FIRST], ["a>j", "b>j", "c>j", "c>x"]);
    expect([...graph.steps.values()].filter(({ racesTo }) => racesTo.length > 0).map(({ id }) => id)).toEqual(
      ["a"],
    );
  });

  /** What a run keeps of its endings: the journal has no skips of other branches that count. */
  test("endings in the order of the journal lead to the state that they led to in the order of time", () => {
    fc.assert(
      fc.property(raceArbitrary, ({ graph, order, fails }) => {
        const live = createProgress(graph);
        const ready = new Set(live.begin().ready);
        const ended = new Map<string, "completed" | "failed">();
        let failedJoin: string | undefined;
        for (let turn = 0; ready.size > 0 && failedJoin === undefined; turn += 1) {
          const id = [...ready][order[turn % order.length]! % ready.size]!;
          const status = fails.has(id) ? "failed" : "completed";
          if (status === "failed" && !handlesFailure(graph.steps.get(id)!)) break;
          ended.set(id, status);
          const decision = live.settle(id, status === "failed" ? { status } : done());
          ({ failedJoin } = decision);
          ready.delete(id);
          for (const next of decision.ready) ready.add(next);
          for (const skipped of decision.skipped) ready.delete(skipped);
          expect(new Set(decision.skipped).size).toBe(decision.skipped.length);
        }
        const replay = createProgress(graph);
        const restored = new Set(replay.begin().ready);
        let failedAgain: string | undefined;
        for (const id of graph.steps.keys()) {
          const status = ended.get(id);
          if (status === undefined || replay.isSettled(id)) continue;
          const decision = replay.settle(id, status === "failed" ? { status } : done());
          failedAgain ??= decision.failedJoin;
          for (const next of decision.ready) restored.add(next);
        }
        expect(failedAgain).toBe(failedJoin);
        if (failedJoin !== undefined) return;
        expect([...restored].filter((id) => !replay.isSettled(id)).toSorted()).toEqual([...ready].toSorted());
        for (const id of graph.steps.keys()) expect(replay.isSettled(id)).toBe(live.isSettled(id));
      }),
      { numRuns: 500 },
    );
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
    expect(progress.open()).toBe(1);
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
    expect(progress.open()).toBe(1);
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
    expect(progress.open()).toBe(1);
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
