/** A range of a text: `text.slice(start, end)`. */
export interface Span {
  start: number;
  end: number;
}

// A full stop after an abbreviation or a single letter ends no sentence.
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|dr|mr|mrs|ms|prof|st|no|nos|fig|figs|sec|eq|vs|approx|e\.g|i\.e|cf|al|etc|inc|ltd|co|dept|art|vol|pp|ca|z\.b|bzw|nr)\.$/iu;

/** The sentences of a text in order. A line break always ends one: it ends a paragraph, a heading or a table row. */
export function splitSentences(text: string): Span[] {
  const spans: Span[] = [];
  let lineStart = 0;
  for (const line of text.split("\n")) {
    splitLine(line, lineStart, spans);
    lineStart += line.length + 1;
  }
  return spans;
}

function splitLine(line: string, offset: number, spans: Span[]): void {
  let start = 0;
  for (const match of line.matchAll(/[.!?…。！？]+["'”’)\]]*(?=\s|$)|[。！？]/gu)) {
    const end = match.index + match[0].length;
    const before = line.slice(Math.max(start, end - 12), end);
    const next = line.slice(end).trimStart();
    if (match[0] === "." && ABBREVIATION.test(before) && next !== "") continue;
    if (match[0] === "." && /^\p{Ll}/u.test(next)) continue;
    push(line, offset, start, end, spans);
    start = end;
  }
  push(line, offset, start, line.length, spans);
}

function push(line: string, offset: number, start: number, end: number, spans: Span[]): void {
  const piece = line.slice(start, end);
  const visible = piece.trim();
  if (visible === "") return;
  const lead = piece.length - piece.trimStart().length;
  spans.push({ start: offset + start + lead, end: offset + start + lead + visible.length });
}
