import { cleanText } from "./clean-text.ts";
import { PAGE_CHARACTERS, pieces } from "./line-pages.ts";
import type { Heading, PageText } from "./page-text.ts";

/** A piece of a document without pages, in reading order. A line is a paragraph, a list item or a table row. */
export type Block =
  | { kind: "line"; text: string }
  /** 1 is the highest level. */
  | { kind: "heading"; text: string; level: number }
  /** What follows begins on a new page, of which `location` says what it is. */
  | { kind: "page"; location: string };

const LOCATION_CHARACTERS = 120;

/**
 * Blocks → pages. Every section is a page, because the heading is its citation; a long one is cut between lines into
 * several with the same location. A heading without its own text shares the page of the next one.
 */
export function toSectionPages(blocks: Iterable<Block>): PageText[] {
  const pages: PageText[] = [];
  let lines: string[] = [];
  let length = 0;
  let headings: Heading[] = [];
  let hasText = false;
  let location: string | undefined;
  /** Set by the file itself, for example the pages that a word processor printed: sections do not cut these. */
  let isPaged = false;

  function close(): void {
    if (lines.length > 0) {
      const page = { page: pages.length + 1, width: 0, height: 0, text: lines.join("\n"), runs: [] };
      pages.push({
        ...page,
        ...(headings.length > 0 && { headings }),
        ...(location !== undefined && { location }),
      });
    }
    [lines, length, headings, hasText] = [[], 0, [], false];
  }

  function add(line: string): void {
    lines.push(line);
    length += line.length + 1;
  }

  for (const block of blocks) {
    if (block.kind === "page") {
      close();
      [location, isPaged] = [block.location, true];
      continue;
    }
    const text = cleanText(block.text);
    if (text === "") continue;
    if (block.kind === "heading") {
      if (!isPaged && hasText) close();
      if (!isPaged) location = `section ${shorten(text)}`;
      headings.push({ start: length, text, level: block.level });
      add(text);
      continue;
    }
    for (const piece of pieces(text)) {
      if (hasText && length + piece.length > PAGE_CHARACTERS) close();
      add(piece);
      hasText = true;
    }
  }
  close();
  return pages;
}

export function shorten(text: string): string {
  return text.length <= LOCATION_CHARACTERS ? text : `${text.slice(0, LOCATION_CHARACTERS - 1).trimEnd()}…`;
}
