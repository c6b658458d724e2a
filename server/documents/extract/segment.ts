import type { Box } from "./page-text.ts";

/** A piece of text as the PDF draws it. */
export interface TextPiece {
  text: string;
  box: Box;
  /** The file's name for the font. Only its equality means something. */
  font: string;
  /** Rotated text, such as a stamp, is left out of the layout and read last. */
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
    const gap = open ? piece.box.x - (open.box.x + open.box.width) : 0;
    const height = piece.box.height;
    if (open && continues(open, piece, gap)) {
      open.pieces.push(piece);
      open.spaced.push(blankBefore || gap > height * WORD_GAP);
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

function continues(open: Segment, piece: TextPiece, gap: number): boolean {
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

function extend(segment: Segment, piece: TextPiece): void {
  const { box } = segment;
  const right = Math.max(box.x + box.width, piece.box.x + piece.box.width);
  const bottom = Math.max(box.y + box.height, piece.box.y + piece.box.height);
  box.x = Math.min(box.x, piece.box.x);
  box.y = Math.min(box.y, piece.box.y);
  box.width = right - box.x;
  box.height = bottom - box.y;
  segment.characters += piece.text.length;
}

export function textOf(segment: Segment): string {
  return segment.pieces.map((piece, i) => (segment.spaced[i] ? " " : "") + piece.text).join("");
}
