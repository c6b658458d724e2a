import { AppError } from "../../../lib/errors.ts";
import { limitBuffers } from "../buffer-ceiling.ts";
import type { ByteSource } from "../byte-source.ts";
import { composePage, wordsOf } from "../compose-page.ts";
import { allBytes, type DocumentContent, type ReadLimits } from "../document-content.ts";
import { findHeadings } from "../headings.ts";
import { dropFurniture } from "../page-furniture.ts";
import { readPdf } from "../read-pdf.ts";
import { unreadable } from "../unreadable.ts";

export async function readPdfPages(
  source: ByteSource,
  { maxPages, maxStreamBytes }: ReadLimits,
  onPage: (done: number, total: number) => void,
): Promise<DocumentContent> {
  const bytes = await allBytes(source);
  const ceiling = limitBuffers(maxStreamBytes);
  const content = await readPdf(new Uint8Array(bytes), maxPages, onPage).catch((error: unknown) => {
    throw ceiling.reached ? bomb(error) : error;
  });
  // The library swallows most errors of a page. A bomb among good pages still fails the file.
  if (ceiling.reached) throw bomb();
  const lines = dropFurniture(content.pages);
  const words = wordsOf(lines);
  const headings = findHeadings(lines, content.outline);
  const pages = lines.map((page) => composePage(page, words, headings));
  if (pages.every((page) => page.text === ""))
    throw new AppError(
      "no_text",
      "The PDF contains images only. Run text recognition on it and upload the result.",
    );
  return { pages, title: content.title };
}

function bomb(cause?: unknown): AppError {
  return unreadable("it contains a stream that inflates beyond the limit", cause);
}
