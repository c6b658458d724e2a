import type { Line } from "./reading-order.ts";
import type { Segment } from "./segment.ts";

interface LineBreak {
  previous: Line;
  line: Line;
  /** The end of the text so far. */
  text: string;
  /** The text of the line's first segment. */
  opening: string;
}

/** Whether a paragraph, a heading, a list item or a table row ends at a line break. */
export type ParagraphEnd = (lineBreak: LineBreak) => boolean;

const rightOf = ({ box }: Segment): number => box.x + box.width;

export function createParagraphEnd(lines: readonly Line[]): ParagraphEnd {
  const edges = rightEdges(lines);
  return ({ previous, line, text, opening }) => {
    const above = previous.segments.at(-1);
    const below = line.segments[0];
    if (!above || !below || TABLE_OF_CONTENTS.test(text)) return true;
    if (previous.block !== line.block) return !continuesSentence(text, opening);
    if (previous.segments.length > 1 || line.segments.length > 1) return true;
    const height = Math.min(above.box.height, below.box.height);
    const gap = below.box.y - (above.box.y + above.box.height);
    const resized = Math.abs(above.box.height - below.box.height) > height * 0.18;
    if (gap > height * 0.9 || resized || /^[•▪◦‣]/u.test(opening)) return true;
    // A short line before a capital, a number or a bullet is a heading, a list item or an address, unless the first
    // word of the next line did not fit into it: text that is not justified has such lines on every page.
    const isShort = rightOf(above) < rightOf(below) - height * 3;
    if (!isShort || !/^[\p{Lu}\p{N}•\-–*(]/u.test(opening)) return false;
    return rightOf(above) + firstWordWidth(below, opening) < (edges.get(line.block) ?? 0);
  };
}

/** "2 Assembly ........ 14": entries of a table of contents end at the same right edge like lines of a paragraph. */
const TABLE_OF_CONTENTS = /(?:[.·_] ?){4}(?:\p{N}{1,4}|[ivxlc]{1,7})$/iu;

/** Where the text of each column ends. */
function rightEdges(lines: readonly Line[]): Map<number, number> {
  const edges = new Map<number, number>();
  for (const { block, segments } of lines)
    for (const segment of segments) edges.set(block, Math.max(edges.get(block) ?? 0, rightOf(segment)));
  return edges;
}

/** With the space before it, estimated from the mean width of a character. */
function firstWordWidth(segment: Segment, opening: string): number {
  const word = /^\S+/u.exec(opening)?.[0] ?? "";
  return ((word.length + 1) * segment.box.width) / Math.max(1, opening.length);
}

const UNFINISHED =
  /(?:,|\s(?:the|a|an|of|and|or|to|in|for|by|with|on|at|from|that|der|die|das|und|von|mit|de|la|le|les|et|en|el|y))$/u;

/** A column break in the middle of a sentence does not end a paragraph. */
function continuesSentence(text: string, opening: string): boolean {
  if (/[\p{L}\p{N},;]$/u.test(text) && /^\p{Ll}/u.test(opening)) return true;
  return UNFINISHED.test(text) && /^[\p{L}\p{N}]/u.test(opening);
}
