import type { Heading, PageText } from "../extract/page-text.ts";
import { tableHeadings } from "./table-context.ts";

interface Place {
  page: number;
  start: number;
}

// A page of a report has up to 60 pieces of words above a table row; the embedding model reads 256 in all.
const MAX_LENGTH = 180;

/**
 * The headings above a place in the document, as one line. Places must be asked for in order. A heading at the place
 * itself is part of the text there and is left out.
 */
export function createHeadingPath(
  pages: readonly Pick<PageText, "page" | "text" | "headings">[],
): (place: Place) => string {
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
  return (place) => {
    for (; next < headings.length; next++) {
      const heading = headings[next]!;
      if (heading.page > place.page || (heading.page === place.page && heading.start >= place.start)) break;
      open = [...open.filter(({ level }) => level < heading.level), heading];
    }
    const here = headings[next];
    const begins = here?.page === place.page && here.start === place.start;
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
