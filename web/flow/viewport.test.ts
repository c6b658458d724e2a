import { expect, test } from "vitest";
import { isVisible, initialViewport, READABLE_ZOOM } from "./viewport.ts";
import { NODE_HEIGHT, NODE_WIDTH } from "./layout.ts";

const canvas = { width: 800, height: 600 };
const chain = (length: number) =>
  new Map(Array.from({ length }, (_, index) => [`s${index}`, { x: 50, y: index * 116 }] as const));

test("a few steps stand in the middle at their own size", () => {
  const { x, y, zoom } = initialViewport(chain(3), canvas);
  expect(zoom).toBe(1);
  expect(x + 50 + NODE_WIDTH / 2).toBe(canvas.width / 2);
  expect(y + 116 + NODE_HEIGHT / 2).toBe(canvas.height / 2);
});

test("more steps are drawn smaller as long as they can be read", () => {
  const { zoom } = initialViewport(chain(6), canvas);
  expect(zoom).toBeLessThan(1);
  expect(zoom).toBeGreaterThan(READABLE_ZOOM);
});

test("a hundred steps begin with the first, readable", () => {
  const view = initialViewport(chain(100), canvas);
  expect(view.zoom).toBe(READABLE_ZOOM);
  expect(isVisible({ x: 50, y: 0 }, view, canvas)).toBe(true);
  expect(isVisible({ x: 50, y: 99 * 116 }, view, canvas)).toBe(false);
});

test("a graph that is too wide shows its first step in the middle, wherever that stands", () => {
  const wide = new Map([
    ["start", { x: 3000, y: 0 }],
    ...Array.from({ length: 20 }, (_, index) => [`b${index}`, { x: index * 288, y: 116 }] as const),
  ]);
  const view = initialViewport(wide, canvas);
  expect(view.zoom).toBe(READABLE_ZOOM);
  expect((3000 + NODE_WIDTH / 2) * view.zoom + view.x).toBeCloseTo(canvas.width / 2);
});

test("the first step of an empty graph will stand in the middle", () => {
  expect(initialViewport(new Map(), canvas)).toEqual(
    initialViewport(new Map([["first", { x: 0, y: 0 }]]), canvas),
  );
});
