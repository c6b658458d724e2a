import type { PageLines } from "./page-furniture.ts";
import type { HeadingLines } from "./headings.ts";
import { type Heading, type PageText, rounded, type TextRun } from "../page-text.ts";
import { createParagraphEnd, type ParagraphEnd } from "./paragraph-end.ts";
import type { Line } from "./reading-order.ts";
import { type Segment, textOf } from "./segment.ts";
import { joinsWithoutSpace, withoutSpread } from "./ideographs.ts";
import { createTextBuilder, type TextBuilder } from "./text-builder.ts";

/** Unbroken words of the document: they decide whether a hyphen at the end of a line belongs to the word. */
export type WordSet = ReadonlySet<string>;

export function wordsOf(pages: readonly PageLines[]): WordSet {
  const words = new Set<string>();
  for (const page of pages)
    for (const line of page.lines)
      for (const segment of line.segments) {
        const found = clean(textOf(segment))
          .toLowerCase()
          .match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*(?=[^-\p{L}]|$)/gu);
        for (const word of found ?? []) words.add(word);
      }
  return words;
}

/** Lines in reading order → the page's text, with one run per piece. */
export function composePage(page: PageLines, words: WordSet, levels: HeadingLines = new Map()): PageText {
  const runs: TextRun[] = [];
  const headings: Heading[] = [];
  const text = createTextBuilder();
  const endsParagraph = createParagraphEnd(page.lines);
  let previous: Line | undefined;
  for (const line of page.lines) {
    const level = levels.get(line);
    if (previous && levels.get(previous) !== level) text.append("\n");
    else if (previous) joinLine(text, previous, line, words, runs, endsParagraph);
    const start = text.length;
    const continued = level !== undefined && start > 0 && !text.tail.endsWith("\n");
    for (const [index, segment] of line.segments.entries()) {
      if (index > 0 && !isOneCell(line.segments[index - 1]!, segment)) text.append(" ");
      appendSegment(text, segment, runs);
    }
    if (level !== undefined) addHeading(headings, { start, text: lineText(line), level }, continued);
    previous = line;
  }
  const { page: number, width, height } = page;
  return { page: number, width, height, text: text.toString().trimEnd(), runs, headings };
}

/** Reports align digits, so the currency before a figure and the bracket or percent sign after it are drawn apart. */
function isOneCell(left: Segment, right: Segment): boolean {
  return /^[)%]{1,2}$/.test(textOf(right).trim()) || /^[$€£¥(]{1,2}$/.test(textOf(left).trim());
}

const lineText = ({ segments }: Line): string => clean(segments.map(textOf).join(" ")).trim();

/** A heading of several lines is one. */
function addHeading(headings: Heading[], heading: Heading, continued: boolean): void {
  const last = headings.at(-1);
  if (continued && last) last.text = `${last.text} ${heading.text}`;
  else headings.push(heading);
}

function appendSegment(text: TextBuilder, segment: Segment, runs: TextRun[]): void {
  let blankBefore = false;
  for (const [index, piece] of segment.pieces.entries()) {
    const cleaned = clean(piece.text);
    const visible = cleaned.trim();
    if (visible === "") continue;
    const spaced =
      (blankBefore || segment.spaced[index] || cleaned.startsWith(" ")) && !/^[)\]]/.test(visible);
    if (spaced && text.length > 0 && !/\s$/.test(text.tail)) text.append(" ");
    runs.push({
      start: text.length,
      end: text.length + visible.length,
      box: rounded(piece.pageBox ?? piece.box),
    });
    text.append(visible);
    blankBefore = cleaned.endsWith(" ");
  }
}

/** NFKC expands ligatures and full-width forms. PostgreSQL rejects control characters and lone surrogates in text. */
function clean(text: string): string {
  return withoutSpread(
    text
      .replace(/\p{Cs}/gu, "\ufffd")
      .replace(/\u00ad(?!$)/g, "")
      // NFKC would put a space before an Arabic vowel point that has its own code.
      .replace(/[\ufe70-\ufe7f]/g, (mark) => mark.normalize("NFKC").trim())
      .normalize("NFKC")
      .replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060\ufeff]/gu, " ")
      .replace(/\s+/g, " "),
  );
}

function joinLine(
  text: TextBuilder,
  previous: Line,
  line: Line,
  words: WordSet,
  runs: readonly TextRun[],
  endsParagraph: ParagraphEnd,
): void {
  const next = line.segments[0];
  const opening = next ? clean(textOf(next)).trim() : "";
  const hyphened = /([\p{L}\p{N}][\p{L}\p{N}-]*)[-\u00ad\u2010]$/u.exec(text.tail);
  const prose = previous.segments.length === 1 && line.segments.length === 1;
  if (!hyphened?.[1] || !prose || !/^\p{Ll}/u.test(opening))
    return text.append(
      separator(text.tail, opening, endsParagraph({ previous, line, text: text.tail, opening })),
    );
  const rest = /^[\p{L}\p{N}]+/u.exec(opening)?.[0] ?? "";
  if (!text.tail.endsWith("\u00ad") && keepsHyphen(hyphened[1], rest, words)) return;
  text.dropLast();
  const last = runs.at(-1);
  if (last) last.end = Math.max(last.start + 1, text.length);
}

function separator(text: string, opening: string, isEnd: boolean): string {
  if (isEnd) return "\n";
  return joinsWithoutSpace(text, opening) ? "" : " ";
}

/** "long-" + "term" keeps its hyphen when the document writes "long-term" elsewhere and never "longterm". */
function keepsHyphen(head: string, rest: string, words: WordSet): boolean {
  const lastPart = (head.split("-").at(-1) ?? head).toLowerCase();
  const tail = rest.toLowerCase();
  return words.has(`${lastPart}-${tail}`) && !words.has(lastPart + tail);
}
