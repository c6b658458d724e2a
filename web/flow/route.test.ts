import fc from "fast-check";
import { expect, test } from "vitest";
import type { Edge, Step } from "../../contract/graph.ts";
import { autoLayout, effectiveEdges, sizeOf } from "./layout.ts";
import { insertPoint, labelPoint, linePath } from "./line-path.ts";
import { type Box, routeLines } from "./route.ts";

/** A random graph without cycles, some of whose steps are loops of different sizes, possibly nested. */
const graphs = fc
  .record({
    // The default size would make nearly all graphs too small for a step to be in the way of a line.
    sizes: fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 24, size: "max" }),
    links: fc.array(fc.tuple(fc.nat({ max: 23 }), fc.nat({ max: 23 })), { maxLength: 40, size: "max" }),
  })
  .map(({ sizes, links }) => {
    const steps = sizes.map((size, index): Step => {
      const inner = Array.from({ length: size - 6 }, (_, at) => ({
        stepId: `s${index}-${at}`,
        type: at === 1 ? "foreach" : "transform",
      }));
      return { stepId: `s${index}`, type: size > 5 ? "foreach" : "transform", steps: inner };
    });
    const edges: Edge[] = links
      .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
      .filter(([a, b]) => a !== b && b < steps.length)
      .map(([a, b], index) => ({ id: `e${index}`, source: `s${a}`, target: `s${b}` }));
    return { steps, edges };
  });

function boxesOf(graph: { steps: Step[]; edges: Edge[] }): Box[] {
  const positions = autoLayout(graph);
  return graph.steps.map((step) => ({ id: step.stepId, ...positions.get(step.stepId)!, ...sizeOf(step) }));
}

test("in a tidy graph no line runs behind a step, and no two steps overlap", () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const boxes = boxesOf(graph);
      for (const [index, a] of boxes.entries())
        for (const b of boxes.slice(index + 1)) expect(overlap(a, b)).toBe(false);
      const lines = effectiveEdges(graph).map(({ id = "", source, target }) => ({ id, source, target }));
      const routes = routeLines(boxes, lines);
      for (const { id } of lines) {
        const points = routes.get(id)!;
        for (const [index, to] of points.slice(1).entries()) {
          const from = points[index]!;
          expect(from.x === to.x || from.y === to.y).toBe(true);
          const part = {
            x: Math.min(from.x, to.x),
            y: Math.min(from.y, to.y),
            width: Math.abs(from.x - to.x),
            height: Math.abs(from.y - to.y),
          };
          for (const box of boxes) expect(overlap(part, box)).toBe(false);
        }
      }
    }),
    { numRuns: 50, endOnFailure: true },
  );
});

function overlap(a: Omit<Box, "id">, b: Omit<Box, "id">): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const box = (id: string, x: number, y: number): Box => ({ id, x, y, width: 236, height: 52 });

test("a line passes beside a step that is in its way", () => {
  const boxes = [box("a", 0, 0), box("b", 0, 100), box("c", 0, 200)];
  const points = routeLines(boxes, [{ id: "l", source: "a", target: "c" }]).get("l")!;
  expect(points[0]).toEqual({ x: 118, y: 52 });
  expect(points.at(-1)).toEqual({ x: 118, y: 200 });
  const beside = points.filter(({ y }) => y > 60 && y < 190).map(({ x }) => x);
  expect(beside.some((x) => x < 0 || x > 236)).toBe(true);
});

test("a line to a step above leaves downwards and arrives from above", () => {
  const boxes = [box("a", 0, 0), box("b", 0, 100)];
  const points = routeLines(boxes, [{ id: "l", source: "b", target: "a" }]).get("l")!;
  expect(points[1]!.y).toBeGreaterThan(152);
  expect(points.at(-2)!.y).toBeLessThan(0);
});

test("unrelated lines between two rows are apart; lines of one step share their way", () => {
  const boxes = [box("a", 0, 0), box("b", 300, 0), box("c", 300, 120), box("d", 600, 120), box("e", 0, 120)];
  const routes = routeLines(boxes, [
    { id: "a-c", source: "a", target: "c" },
    { id: "a-d", source: "a", target: "d" },
    { id: "b-e", source: "b", target: "e" },
  ]);
  const height = (id: string): number => routes.get(id)![1]!.y;
  expect(height("a-c")).toBe(height("a-d"));
  expect(height("b-e")).not.toBe(height("a-c"));
});

test("the path has rounded corners, and label and button are on the line and apart", () => {
  const straight = [
    { x: 0, y: 0 },
    { x: 0, y: 64 },
  ];
  expect(linePath(straight)).toBe("M0 0L0 64");
  expect(insertPoint(straight).y - labelPoint(straight).y).toBeGreaterThanOrEqual(18);
  const bent = [
    { x: 0, y: 0 },
    { x: 0, y: 32 },
    { x: 100, y: 32 },
    { x: 100, y: 64 },
  ];
  expect(linePath(bent)).toBe("M0 0L0 22Q0 32 10 32L90 32Q100 32 100 42L100 64");
  expect(labelPoint(bent)).toEqual({ x: 0, y: 16 });
  expect(insertPoint(bent)).toEqual({ x: 100 - 100 / 3, y: 32 });
});
