import fc from "fast-check";
import { expect, test } from "vitest";
import type { Graph } from "../graph.ts";
import { dependenciesOf } from "./order.ts";
import { findReachable } from "./reachability.ts";
import { validateGraph } from "./validate.ts";

function graph(steps: Record<string, string>, edges: [string, string][]): Graph {
  return {
    steps: Object.entries(steps).map(([stepId, template]) => ({ stepId, type: "transform", template })),
    edges: edges.map(([source, target], i) => ({ id: `e${i}`, source, target })),
  };
}

test("steps without any edge are a sequence in the order of the list", () => {
  const { steps, order } = dependenciesOf(graph({ b: "", a: "", c: "" }, []));
  expect(order).toEqual(["b", "a", "c"]);
  expect(steps.get("a")?.incoming).toEqual([{ source: "b", target: "a" }]);
  expect(steps.get("a")?.outgoing).toEqual([{ source: "a", target: "c" }]);
});

test("a reference to a parallel step adds a wait, one to an earlier step adds nothing, one to a later step is an error", () => {
  const { steps, order } = dependenciesOf(
    graph(
      {
        start: "{{steps.end.output}}",
        left: "{{steps.right.output}}",
        right: "{{steps.start.output}}",
        end: "",
      },
      [
        ["start", "left"],
        ["start", "right"],
        ["left", "end"],
        ["right", "end"],
      ],
    ),
  );
  expect(steps.get("left")?.waitsFor).toEqual(["right"]);
  expect(steps.get("right")?.waitsFor).toEqual([]);
  expect(steps.get("start")?.refersAhead).toEqual(["end"]);
  expect(order).toEqual(["start", "right", "left", "end"]);
});

test("a foreach waits for the outside steps that its inner steps refer to", () => {
  const { steps } = dependenciesOf({
    steps: [
      { stepId: "rates", type: "transform", template: 1 },
      { stepId: "other", type: "transform", template: 2 },
      {
        stepId: "loop",
        type: "foreach",
        items: [1],
        steps: [
          { stepId: "x", type: "transform", template: "{{steps.rates.output}}" },
          { stepId: "y", type: "transform", expression: "steps.x.output + steps.rates.output" },
        ],
      },
    ],
    edges: [{ source: "other", target: "loop" }],
  });
  expect(steps.get("loop")?.waitsFor).toEqual(["rates"]);
});

test("steps that only refer to each other are a cycle", () => {
  const { cycles } = dependenciesOf(
    graph({ s: "", a: "{{steps.b.output}}", b: "{{steps.a.output}}" }, [
      ["s", "a"],
      ["s", "b"],
    ]),
  );
  expect(cycles).toEqual([["a", "b"]]);
});

test("references within a cycle are not reported in addition to the cycle", () => {
  const { steps, cycles } = dependenciesOf(
    graph({ a: "{{steps.c.output}}", b: "{{steps.a.output}}", c: "{{steps.a.output}}" }, [
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
    ]),
  );
  expect(cycles).toEqual([["a", "b", "c"]]);
  for (const { waitsFor, refersAhead } of steps.values()) expect([...waitsFor, ...refersAhead]).toEqual([]);
});

const randomDag = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.record({
    // Shuffled, so that the topological order differs from the order of the list.
    names: fc.shuffledSubarray(
      Array.from({ length: count }, (_, i) => i),
      { minLength: count, maxLength: count },
    ),
    pairs: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { minLength: 1, maxLength: 80 }),
    references: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 40 }),
  }),
);

test("a random graph without cycles validates, and its order respects every edge and every wait", () => {
  fc.assert(
    fc.property(randomDag, ({ names, pairs, references }) => {
      const referred = new Map<number, number[]>();
      for (const [a, b] of references) {
        if (a < b) referred.set(b, [...(referred.get(b) ?? []), a]);
      }
      const dag: Graph = {
        steps: names.map((n) => ({
          stepId: `s${n}`,
          type: "transform",
          template: (referred.get(n) ?? []).map((r) => `{{steps.s${r}.output}}`),
        })),
        edges: pairs
          .filter(([a, b]) => a < b)
          .map(([a, b], i) => ({ id: `e${i}`, source: `s${a}`, target: `s${b}` })),
      };
      fc.pre(dag.edges.length > 0);
      expect(validateGraph(dag).errors).toEqual([]);
      const { order, steps } = dependenciesOf(dag);
      const position = new Map(order.map((id, i) => [id, i]));
      expect([...order].sort()).toEqual(dag.steps.map((step) => step.stepId).sort());
      for (const { source, target } of dag.edges)
        expect(position.get(source)).toBeLessThan(position.get(target)!);
      for (const [id, { waitsFor }] of steps)
        for (const awaited of waitsFor) expect(position.get(awaited)).toBeLessThan(position.get(id)!);
    }),
  );
});

test("reachability agrees with a plain search, also over more sources than one pass holds", () => {
  const count = 1500;
  const links = { from: [] as number[], to: [] as number[] };
  for (let node = 1; node < count; node++) {
    if (node % 7 === 0) continue;
    links.from.push((node * 31) % node);
    links.to.push(node);
  }
  const parents = new Map<number, number>(links.to.map((to, i) => [to, links.from[i]!]));
  const queries = { from: [] as number[], to: [] as number[] };
  for (let from = 0; from < count - 1; from++) {
    queries.from.push(from, from);
    queries.to.push(from + 1, from + 1 + ((from * 17) % (count - 1 - from)));
  }
  const expected = queries.from.map((from, i) => {
    let at: number | undefined = queries.to[i];
    while (at !== undefined && at !== from) at = parents.get(at);
    return at === from;
  });
  expect(findReachable(count, links, queries)).toEqual(expected);
});

test("what is reachable from any of a hundred nodes is what a search finds", () => {
  const count = 100;
  const link = fc.tuple(fc.nat(count - 1), fc.nat(count - 1)).filter(([a, b]) => a !== b);
  fc.assert(
    fc.property(fc.array(link, { minLength: count, maxLength: 3 * count }), (pairs) => {
      const links = {
        from: pairs.map((pair) => Math.min(...pair)),
        to: pairs.map((pair) => Math.max(...pair)),
      };
      const reached = Array.from({ length: count }, (_, from) => {
        const seen = new Set([from]);
        for (const at of seen) links.from.forEach((source, i) => source === at && seen.add(links.to[i]!));
        return seen;
      });
      const all = Array.from({ length: count }, (_, node) => node);
      const queries = { from: all.flatMap((from) => all.map(() => from)), to: all.flatMap(() => all) };
      expect(findReachable(count, links, queries)).toEqual(
        queries.from.map((from, i) => reached[from]!.has(queries.to[i]!)),
      );
    }),
    { numRuns: 20 },
  );
});

test("an edge from or to an unknown step is left out", () => {
  const { steps, order } = dependenciesOf(
    graph({ a: "", b: "" }, [
      ["a", "b"],
      ["gone", "a"],
      ["b", "gone"],
    ]),
  );
  expect(order).toEqual(["a", "b"]);
  expect(steps.get("a")?.incoming).toEqual([]);
  expect(steps.get("b")?.outgoing).toEqual([]);
});
