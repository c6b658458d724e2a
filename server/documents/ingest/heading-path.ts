import type { Heading, PageText } from "../extract/page-text.ts";
import { tableHeadings } from "./table-context.ts";

interface Position {
  page: number;
  start: number;
}

// A page of a report has up to 60 pieces of words above a table row; the embedding model reads 256 in all.
const MAX_LENGTH = 180;

/**
 * The headings above a position in the document, as one line. Call it with positions in the order of the text. A heading at
 * the position itself is part of the text there and is left out.
 */
export function createHeadingPath(
  pages: readonly Pick<PageText, "page" | "text" | "headings">[],
): (position: Position) => string {
  const tables = tableHeadings(pages);
  const headings = pages.flatMap(({ page, headings: found = [] }) => {
    const table = tables.get(page);
    // A caption or a part of a table may look like a heading of the text, and as such would end the table.
    const own = found.filter(({ start }) => !table?.lines.has(start));
    return [...own, ...(table?.headings ?? [])]
      .sort((a, b) => a.start - b.start || a.level - b.level)
      .map((heading) => ({ ...heading, page }));
  });
  let open: Heading[] = [];
  let next = 0;
  return (position) => {
    for (; next < headings.length; next++) {
      const heading = headings[next]!;
      if (heading.page > position.page || (heading.page === position.page && heading.start >= position.start))
        break;
      open = [...open.filter(({ level }) => level < heading.level), heading];
    }
    const here = headings[next];
    const begins = here?.page === position.page && here.start === position.start;
    const above = begins ? open.filter(({ level }) => level < here.level) : open;
    return pathOf(above.map(({ text }) => text).filter((text) => text !== ""));
  };
}

/** The lowest headings say most about the text, so the highest are dropped first. */
function pathOf(texts: readonly string[]): string {
  for (let i = 0; i < texts.length; i++) {
    const path = texts.slice(i).join(" > ");
    if (path.length <= MAX_LENGTH) return path;
  }
  return (texts.at(-1) ?? "").slice(0, MAX_LENGTH);
}
