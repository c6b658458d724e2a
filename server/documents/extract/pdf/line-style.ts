import type { Line } from "./reading-order.ts";
import type { Segment } from "./segment.ts";

/** Size in points, rounded to halves, and font of most characters of a line. Lines of one style are equal in both. */
export interface LineStyle {
  size: number;
  /** Empty when no font has most of the line. */
  font: string;
}

const MOST = 0.8;

export function styleOf({ segments }: Line): LineStyle {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  let characters = 0;
  for (const segment of segments) {
    characters += segment.characters;
    for (const { box, font, text } of segment.pieces) {
      count(sizes, halves(box.height), text.length);
      count(fonts, font, text.length);
    }
  }
  const font = most(fonts) ?? "";
  return { size: most(sizes) ?? 0, font: (fonts.get(font) ?? 0) >= characters * MOST ? font : "" };
}

/** The style of most characters among the segments. */
export function bodyStyle(segments: Iterable<Segment>): LineStyle {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  for (const segment of segments)
    for (const { box, font, text } of segment.pieces) {
      count(sizes, halves(box.height), text.length);
      count(fonts, font, text.length);
    }
  return { size: most(sizes) ?? 0, font: most(fonts) ?? "" };
}

const halves = (height: number): number => Math.round(height * 2) / 2;

function count<Key>(counts: Map<Key, number>, key: Key, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

function most<Key>(counts: ReadonlyMap<Key, number>): Key | undefined {
  let best: Key | undefined;
  for (const [key, amount] of counts) if (best === undefined || amount > (counts.get(best) ?? 0)) best = key;
  return best;
}
