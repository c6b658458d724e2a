import type { Box } from "../page-text.ts";
import { hasRightToLeft } from "../text-direction.ts";
import { joinsWithoutSpace } from "./ideographs.ts";

/** A piece of text as the PDF draws it. */
export interface TextPiece {
  text: string;
  /** In the page turned until the text is upright. */
  box: Box;
  /** The place on the page itself, where the text is turned. */
  pageBox?: Box;
  /** The file's name for the font. Only its equality means something. */
  font: string;
  /** Slanted text, such as a stamp, is left out of the layout and read last. */
  upright: boolean;
}

/** Pieces on one line without a gap: a line of a column, or a cell of a table. */
export interface Segment {
  pieces: TextPiece[];
  /** True at index i when a space belongs before `pieces[i]`. */
  spaced: boolean[];
  box: Box;
  characters: number;
  upright: boolean;
}

// Measured gaps: up to 0.8 of the letter height between justified words, more than 1.2 between columns and cells.
const CELL_GAP = 1.2;
const WORD_GAP = 0.12;
const IDEOGRAPH_GAP = 0.6;

/** Joins the pieces of a page, in drawing order, into segments. */
export function toSegments(pieces: readonly TextPiece[]): Segment[] {
  const segments: Segment[] = [];
  let open: Segment | undefined;
  let blankBefore = false;
  for (const piece of pieces) {
    if (piece.text.trim() === "") {
      blankBefore = true;
      continue;
    }
    const gap = open ? gapBetween(open, piece) : 0;
    if (open && continues(open, piece, gap)) {
      open.spaced.push(isSpaced(open, piece, gap, blankBefore));
      open.pieces.push(piece);
      extend(open, piece);
    } else {
      open = {
        pieces: [piece],
        spaced: [false],
        box: { ...piece.box },
        characters: piece.text.length,
        upright: piece.upright,
      };
      segments.push(open);
    }
    blankBefore = false;
  }
  return segments;
}

/** The white space before a piece; Hebrew and Arabic continue to the left as well. */
function gapBetween(open: Segment, piece: TextPiece): number {
  const toTheRight = piece.box.x - (open.box.x + open.box.width);
  const toTheLeft = open.box.x - (piece.box.x + piece.box.width);
  const mayGoLeft = hasRightToLeft(piece.text) || hasRightToLeft(open.pieces.at(-1)?.text ?? "");
  return mayGoLeft ? Math.max(toTheLeft, toTheRight) : toTheRight;
}

function isSpaced(open: Segment, piece: TextPiece, gap: number, blankBefore: boolean): boolean {
  const { height } = piece.box;
  // Justified Chinese and Japanese has gaps between all its characters, which count as blanks.
  if (joinsWithoutSpace(open.pieces.at(-1)?.text ?? "", piece.text)) return gap > height * IDEOGRAPH_GAP;
  return blankBefore || gap > height * WORD_GAP;
}

const gapAfter = (left: Placed, right: Placed): number => right.box.x - (left.box.x + left.box.width);

/** True when the gap between two adjacent pieces, the left one first, separates words. */
export function hasWordGap(left: Placed, right: Placed): boolean {
  return gapAfter(left, right) > right.box.height * WORD_GAP;
}

/** True when two adjacent pieces, the left one first, belong to one line of a column or one cell of a table. */
export function isOneCell(left: Placed, right: Placed): boolean {
  return continues(left, right, gapAfter(left, right));
}

export function joined(left: Segment, right: Segment): Segment {
  const whole: Segment = {
    ...left,
    pieces: [...left.pieces, ...right.pieces],
    spaced: [...left.spaced, hasWordGap(left, right), ...right.spaced.slice(1)],
    box: { ...left.box },
  };
  for (const piece of right.pieces) extend(whole, piece);
  return whole;
}

type Placed = Pick<Segment, "box" | "upright">;

function continues(open: Placed, piece: Placed, gap: number): boolean {
  const height = Math.max(open.box.height, piece.box.height);
  const middle = (box: Box): number => box.y + box.height / 2;
  return (
    open.upright &&
    piece.upright &&
    Math.abs(middle(open.box) - middle(piece.box)) < height * 0.45 &&
    gap < height * CELL_GAP &&
    gap > -height
  );
}

// A vowel point above or below its letter, which some files draw as a separate piece.
const MARKS_ONLY = /^[\p{Mn}\ufe70-\ufe7f]+$/u;

function extend(segment: Segment, piece: TextPiece): void {
  const { box } = segment;
  segment.characters += piece.text.length;
  // It would make the line look taller than the lines around it.
  if (MARKS_ONLY.test(piece.text)) return;
  const right = Math.max(box.x + box.width, piece.box.x + piece.box.width);
  const bottom = Math.max(box.y + box.height, piece.box.y + piece.box.height);
  box.x = Math.min(box.x, piece.box.x);
  box.y = Math.min(box.y, piece.box.y);
  box.width = right - box.x;
  box.height = bottom - box.y;
}

export function textOf(segment: Segment): string {
  return segment.pieces.map((piece, i) => (segment.spaced[i] ? " " : "") + piece.text).join("");
}
