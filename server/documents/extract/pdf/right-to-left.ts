import { toRows } from "./reading-order.ts";
import { hasWordGap, isOneCell, joined, type Segment, type TextPiece } from "./segment.ts";
import { hasRightToLeft, isRightToLeft } from "../text-direction.ts";

/** Brings the lines with Hebrew or Arabic into the order in which they are read. Other segments stay as they are. */
export function orderRightToLeft(segments: readonly Segment[]): Segment[] {
  if (!segments.some(containsRightToLeft)) return [...segments];
  return toRows(segments).flatMap((row) => {
    if (!row.some(containsRightToLeft)) return row;
    return rejoin(row).map((segment) => (containsRightToLeft(segment) ? inReadingOrder(segment) : segment));
  });
}

const containsRightToLeft = ({ pieces }: Segment): boolean => pieces.some(({ text }) => hasRightToLeft(text));

/** Files draw the parts of a mixed line in any order, so that adjacent parts are separate segments. */
function rejoin(row: readonly Segment[]): Segment[] {
  const cells: Segment[] = [];
  for (const segment of row) {
    const last = cells.at(-1);
    if (last && isOneCell(last, segment)) cells[cells.length - 1] = joined(last, segment);
    else cells.push(segment);
  }
  return cells;
}

/**
 * A line with Hebrew or Arabic in the order in which it is read. PDFs draw such lines from left to right or in reading
 * order, in pieces of a letter, a word or a line; only the positions are reliable. The text inside a piece is already in
 * reading order.
 */
function inReadingOrder(segment: Segment): Segment {
  const { pieces, spaced } = fromLeftToRight(segment);
  const base = isRightToLeft(pieces) ? "left" : "right";
  const runs = runsOf(directionsOf(pieces, base));
  if (base === "left") runs.reverse();
  const order: number[] = [];
  const spaces: boolean[] = [];
  for (const [i, { indexes, direction }] of runs.entries()) {
    const previousRun = runs[i - 1];
    if (direction === "left") indexes.reverse();
    for (const [j, index] of indexes.entries()) {
      // The space between two adjacent pieces is recorded on the right one.
      const toTheRight =
        j > 0
          ? Math.max(index, indexes[j - 1]!)
          : previousRun && Math.max(lowest(indexes), lowest(previousRun.indexes));
      const isMark = /^\p{Mn}/u.test(pieces[index]!.text);
      spaces.push(toTheRight !== undefined && spaced[toTheRight]! && !isMark);
      order.push(index);
    }
  }
  return { ...segment, pieces: withMatchingBrackets(order.map((index) => pieces[index]!)), spaced: spaces };
}

const lowest = (indexes: readonly number[]): number => Math.min(indexes[0]!, indexes.at(-1)!);

function fromLeftToRight({ pieces, spaced }: Segment): Pick<Segment, "pieces" | "spaced"> {
  const drawn = pieces.map((_, i) => i).sort((a, b) => pieces[a]!.box.x - pieces[b]!.box.x);
  return {
    pieces: drawn.map((i) => withMarkFirst(pieces[i]!)),
    spaced: drawn.map((i, at) => {
      const before = drawn[at - 1];
      if (before === undefined) return false;
      // Of two pieces that were drawn one after the other, the later one has the space.
      if (Math.abs(i - before) === 1) return spaced[Math.max(i, before)]!;
      return hasWordGap(pieces[before]!, pieces[i]!);
    }),
  };
}

/** A vowel point belongs to the letter before it; the space that was drawn with it follows. */
function withMarkFirst(piece: TextPiece): TextPiece {
  const mark = /^\s+(\p{Mn}+)\s*$/u.exec(piece.text);
  return mark ? { ...piece, text: `${mark[1]} ` } : piece;
}

type Direction = "left" | "right";

/** Letters have a direction, and so have figures; brackets and other marks take that of the text around them, or the line's. */
function directionsOf(pieces: readonly TextPiece[], base: Direction): Direction[] {
  const own = pieces.map(({ text }) => {
    if (hasRightToLeft(text)) return "left";
    if (/\p{L}/u.test(text)) return "right";
    return /\p{N}/u.test(text) ? "figure" : undefined;
  });
  const known = own.map((direction, i) => {
    if (direction !== "figure") return direction;
    // A number in a Hebrew phrase of an English sentence moves with the phrase.
    return base === "right" && own[i - 1] === "left" && own[i + 1] === "left" ? "left" : "right";
  });
  const before = carried(known, base);
  const after = carried(known.toReversed(), base).reverse();
  return known.map((direction, i) => direction ?? (before[i] === after[i] ? before[i]! : base));
}

/** The nearest known direction at or before each place. */
function carried(directions: readonly (Direction | undefined)[], first: Direction): Direction[] {
  let last = first;
  return directions.map((direction) => (last = direction ?? last));
}

function runsOf(directions: readonly Direction[]): { direction: Direction; indexes: number[] }[] {
  const runs: { direction: Direction; indexes: number[] }[] = [];
  for (const [index, direction] of directions.entries()) {
    const last = runs.at(-1);
    if (last?.direction === direction) last.indexes.push(index);
    else runs.push({ direction, indexes: [index] });
  }
  return runs;
}

const PAIRS = "()[]{}<>«»";
const BRACKET = /[()[\]{}<>«»]/g;

/** Most files store the bracket that is seen: the opening bracket of right-to-left text looks like a closing one. */
function withMatchingBrackets(pieces: TextPiece[]): TextPiece[] {
  const mirrored = pieces.map((piece) =>
    /[A-Za-z\p{Nd}]/u.test(piece.text) && !hasRightToLeft(piece.text)
      ? piece
      : { ...piece, text: piece.text.replace(BRACKET, (bracket) => PAIRS[PAIRS.indexOf(bracket) ^ 1]!) },
  );
  return unmatched(mirrored) <= unmatched(pieces) ? mirrored : pieces;
}

function unmatched(pieces: readonly TextPiece[]): number {
  let open = 0;
  let wrong = 0;
  for (const bracket of pieces
    .map(({ text }) => text)
    .join("")
    .match(BRACKET) ?? []) {
    if (PAIRS.indexOf(bracket) % 2 === 0) open += 1;
    else if (open > 0) open -= 1;
    else wrong += 1;
  }
  return wrong + open;
}
