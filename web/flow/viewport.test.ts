import { expect, test } from "vitest";
import { isVisible, initialViewport, READABLE_ZOOM } from "./viewport.ts";
import { NODE_HEIGHT, NODE_WIDTH } from "./layout.ts";

const canvas = { width: 800, height: 600 };
const chain = (length: number) =>
  new Map(Array.from({ length }, (_, index) => [`s${index}`, { x: 50, y: index * 116 }] as const));

test("a few steps are centered at full size", () => {
  const { x, y, zoom } = initialViewport(chain(3), canvas);
  expect(zoom).toBe(1);
  expect(x + 50 + NODE_WIDTH / 2).toBe(canvas.width / 2);
  expect(y + 116 + NODE_HEIGHT / 2).toBe(canvas.height / 2);
});

test("more steps are scaled down while they stay readable", () => {
  const { zoom } = initialViewport(chain(6), canvas);
  expect(zoom).toBeLessThan(1);
  expect(zoom).toBeGreaterThan(READABLE_ZOOM);
});

test("a hundred steps open at the first one, at a readable zoom", () => {
  const view = initialViewport(chain(100), canvas);
  expect(view.zoom).toBe(READABLE_ZOOM);
  expect(isVisible({ x: 50, y: 0 }, view, canvas)).toBe(true);
  expect(isVisible({ x: 50, y: 99 * 116 }, view, canvas)).toBe(false);
});

test("a graph that is too wide opens with its first step centered", () => {
  const wide = new Map([
    ["start", { x: 3000, y: 0 }],
    ...Array.from({ length: 20 }, (_, index) => [`b${index}`, { x: index * 288, y: 116 }] as const),
  ]);
  const view = initialViewport(wide, canvas);
  expect(view.zoom).toBe(READABLE_ZOOM);
  expect((3000 + NODE_WIDTH / 2) * view.zoom + view.x).toBeCloseTo(canvas.width / 2);
});

test("an empty graph opens where its first step will be placed", () => {
  expect(initialViewport(new Map(), canvas)).toEqual(
    initialViewport(new Map([["first", { x: 0, y: 0 }]]), canvas),
  );
});

test("a step is visible when all of it is inside the canvas", () => {
  const view = { x: 0, y: 0, zoom: 1 };
  const last = canvas.width - NODE_WIDTH;
  expect(isVisible({ x: last, y: 0 }, view, canvas)).toBe(true);
  expect(isVisible({ x: last + 1, y: 0 }, view, canvas)).toBe(false);
  expect(isVisible({ x: 0, y: -1 }, view, canvas)).toBe(false);
  // Zoomed so far that no canvas could hold it.
  expect(isVisible({ x: -10, y: 0 }, { x: 0, y: 0, zoom: 4 }, canvas)).toBe(true);
});
