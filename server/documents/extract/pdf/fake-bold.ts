import type { TextPiece } from "./segment.ts";

// Bold without a bold font: the same letters again, a few hundredths of their height beside the first. Two narrow
// letters of a word ("ll") are more than a fifth apart.
const MAX_SHIFT = 0.12;
const COPIES_COMPARED = 4;

/** Leaves out the second copy of text that is drawn twice to look bold or shadowed: whole pieces, or each letter. */
export function withoutDoubles<Piece extends TextPiece>(pieces: readonly Piece[]): Piece[] {
  const drawn = new Map<string, TextPiece[]>();
  const kept: Piece[] = [];
  let previous: TextPiece | undefined;
  for (const piece of pieces) {
    const earlier = drawn.get(piece.text) ?? [];
    const isCopy =
      piece.text.trim() !== "" && earlier.slice(-COPIES_COMPARED).some((copy) => isSamePlace(copy, piece));
    if (!isCopy) {
      drawn.set(piece.text, earlier);
      earlier.push(piece);
      const rest = previous && repeatsLastLetter(previous, piece) ? withoutFirstLetter(piece) : piece;
      if (rest.text !== "") kept.push(rest);
    }
    previous = piece;
  }
  return kept;
}

function isSamePlace(a: TextPiece, b: TextPiece): boolean {
  const shift = Math.min(a.box.height, b.box.height) * MAX_SHIFT;
  return Math.abs(a.box.x - b.box.x) < shift && Math.abs(a.box.y - b.box.y) < shift;
}

/** "BOLD" drawn letter by letter arrives as "B", "BO", "OL", "LD", "D": each begins with a copy of the letter before. */
function repeatsLastLetter(previous: TextPiece, piece: TextPiece): boolean {
  const { box } = previous;
  if (piece.text[0] === " " || piece.text[0] !== previous.text.at(-1)) return false;
  const letter = box.width / previous.text.length;
  const lastAt = box.x + box.width - letter;
  return (
    Math.abs(piece.box.y - box.y) < box.height * MAX_SHIFT && Math.abs(piece.box.x - lastAt) < letter * 0.4
  );
}

function withoutFirstLetter<Piece extends TextPiece>(piece: Piece): Piece {
  const letter = piece.box.width / piece.text.length;
  const box = { ...piece.box, x: piece.box.x + letter, width: piece.box.width - letter };
  return { ...piece, text: piece.text.slice(1), box };
}
