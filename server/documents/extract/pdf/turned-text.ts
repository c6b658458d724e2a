import type { Box } from "../page-text.ts";
import type { TextPiece } from "./segment.ts";

/** How far a text is turned to the right. A slanted stamp has no turn. */
export type Turn = 0 | 90 | 180 | 270 | undefined;

export interface DrawnText {
  str: string;
  transform: number[];
  width: number;
  height: number;
  fontName: string;
}

export interface TurnedPiece extends TextPiece {
  turn: Turn;
}

interface PageView {
  width: number;
  height: number;
  transform: readonly number[];
}

/**
 * A drawn text in page space, whose y axis points down. The box of a turned text is that of the page turned until its
 * text is upright, so that tables printed sideways are read like any other; `pageBox` is its place on the page itself.
 */
export function toPiece(item: DrawnText, view: PageView): TurnedPiece {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = item.transform;
  const [va = 1, vb = 0, vc = 0, vd = -1, ve = 0, vf = 0] = view.transform;
  const x = va * e + vc * f + ve;
  const y = vb * e + vd * f + vf;
  const turn = turnOf(va * a + vc * b, vb * a + vd * b);
  const height = Math.hypot(va * c + vc * d, vb * c + vd * d) || item.height || 1;
  const text = { text: item.str, font: item.fontName, turn, upright: turn !== undefined };
  // Letters extend about 0.8 of the font size above the baseline and 0.2 below it.
  const boxAt = (left: number, baseline: number): Box => ({
    x: left,
    y: baseline - height * 0.8,
    width: item.width,
    height,
  });
  if (turn === 0) return { ...text, box: boxAt(x, y) };
  if (turn === 90) {
    const box = boxAt(y, view.width - x);
    return {
      ...text,
      box,
      pageBox: { x: view.width - box.y - height, y: box.x, width: height, height: item.width },
    };
  }
  if (turn === 270) {
    const box = boxAt(view.height - y, x);
    return {
      ...text,
      box,
      pageBox: { x: box.y, y: view.height - box.x - item.width, width: height, height: item.width },
    };
  }
  if (turn === 180) {
    const box = boxAt(view.width - x, view.height - y);
    return { ...text, box, pageBox: { ...box, x: x - item.width, y: y - height * 0.2 } };
  }
  const box = { x: x - height, y: y - item.width, width: height, height: Math.max(item.width, height) };
  return { ...text, box };
}

function turnOf(directionX: number, directionY: number): Turn {
  if (Math.abs(directionY) < Math.abs(directionX) * 0.1) return directionX > 0 ? 0 : 180;
  if (Math.abs(directionX) < Math.abs(directionY) * 0.1) return directionY > 0 ? 90 : 270;
  return undefined;
}
