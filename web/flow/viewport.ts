import type { Point } from "./draft.ts";
import { NODE_HEIGHT, NODE_WIDTH } from "./layout.ts";

export interface View extends Point {
  zoom: number;
}

/** Below this zoom the text of a step is hard to read. */
export const READABLE_ZOOM = 0.6;
const MARGIN = 40;

/**
 * The viewport in which a graph opens: the whole graph if its text stays readable, otherwise its start.
 * Fitting 100 steps into the canvas would shrink them to an unreadable line.
 */
export function initialViewport(
  positions: ReadonlyMap<string, Point>,
  canvas: { width: number; height: number },
): View {
  // An empty graph: its first step will be placed at the origin.
  const points = positions.size === 0 ? [{ x: 0, y: 0 }] : [...positions.values()];
  const first = points.reduce((top, at) => (at.y < top.y ? at : top));
  const least = (axis: "x" | "y"): number => points.reduce((low, at) => Math.min(low, at[axis]), Infinity);
  const most = (axis: "x" | "y"): number => points.reduce((high, at) => Math.max(high, at[axis]), -Infinity);
  const [left, top] = [least("x"), least("y")];
  const [width, height] = [most("x") - left + NODE_WIDTH, most("y") - top + NODE_HEIGHT];
  const room = { width: canvas.width - 2 * MARGIN, height: canvas.height - 2 * MARGIN };
  const zoom = Math.min(Math.max(Math.min(room.width / width, room.height / height), READABLE_ZOOM), 1);
  const fits = { across: width * zoom <= room.width + 1, down: height * zoom <= room.height + 1 };
  const middle = fits.across ? left + width / 2 : first.x + NODE_WIDTH / 2;
  return {
    x: canvas.width / 2 - middle * zoom,
    y: fits.down ? (canvas.height - height * zoom) / 2 - top * zoom : MARGIN - top * zoom,
    zoom,
  };
}

/** True if the whole step is inside the canvas, or as much of it as fits at this zoom. */
export function isVisible(at: Point, view: View, canvas: { width: number; height: number }): boolean {
  const isInside = (start: number, length: number, room: number): boolean =>
    length > room ? start < room && start + length > 0 : start >= 0 && start + length <= room;
  return (
    isInside(at.x * view.zoom + view.x, NODE_WIDTH * view.zoom, canvas.width) &&
    isInside(at.y * view.zoom + view.y, NODE_HEIGHT * view.zoom, canvas.height)
  );
}
