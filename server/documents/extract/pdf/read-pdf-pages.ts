import { AppError } from "../../../lib/errors.ts";
import { limitBuffers } from "../buffer-ceiling.ts";
import type { ByteSource } from "../byte-source.ts";
import { composePage, wordsOf } from "./compose-page.ts";
import { allBytes, type DocumentContent, type ReadLimits, type RecognizeScans } from "../document-content.ts";
import { findHeadings } from "./headings.ts";
import { dropFurniture, isScan, type PageLines } from "./page-furniture.ts";
import { readPdf } from "./read-pdf.ts";
import { readingOrder } from "./reading-order.ts";
import { toSegments } from "./segment.ts";
import { unreadable } from "../unreadable.ts";

export async function readPdfPages(
  source: ByteSource,
  { maxPages, maxStreamBytes }: ReadLimits,
  onPage: (done: number, total: number) => void,
  recognizeScans: RecognizeScans,
): Promise<DocumentContent> {
  const bytes = await allBytes(source);
  const ceiling = limitBuffers(maxStreamBytes);
  const content = await readPdf(new Uint8Array(bytes), maxPages, onPage).catch((error: unknown) => {
    throw ceiling.reached ? bomb(error) : error;
  });
  // The library swallows most errors of a page. A bomb among good pages still fails the file.
  if (ceiling.reached) throw bomb();
  const recognized = await withScans(content.pages, scansOf(content.pages, bytes), recognizeScans);
  const lines = bodyOf(recognized, bytes);
  const words = wordsOf(lines);
  const headings = findHeadings(lines, content.outline);
  const pages = lines.map((page) => composePage(page, words, headings));
  if (pages.every((page) => page.text === ""))
    throw new AppError(
      "no_text",
      "The PDF contains images only, and no text was recognized in them. Run text recognition on it and upload the result.",
    );
  return { pages, title: content.title };
}

/** Pages without text, except that of a stamp. Those with text only in their margins may be pictures too, but not in a file without images. */
function scansOf(pages: readonly PageLines[], bytes: Buffer): PageLines[] {
  const scans = dropFurniture(pages).filter((page) => page.width > 0 && isScan(page));
  const withoutText = scans.filter(({ lines }) => lines.every(({ segments: [first] }) => !first?.upright));
  return withoutText.length === scans.length || hasImages(bytes) ? scans : withoutText;
}

/** The dictionary of an image is never compressed. */
function hasImages(bytes: Buffer): boolean {
  return /\/Subtype\s*\/Image\b/.test(bytes.toString("latin1"));
}

/**
 * Without running headers. A file of images whose pages have nothing but a stamp has no text: two words in the margin
 * are not a document. Without images, they are all that the file says.
 */
function bodyOf(pages: readonly PageLines[], bytes: Buffer): PageLines[] {
  const body = dropFurniture(pages);
  if (!body.every(isScan)) return body;
  if (hasImages(bytes)) return pages.map((page) => ({ ...page, lines: [] }));
  return body.some(({ lines }) => lines.length > 0) ? body : [...pages];
}

/** Scans get the text that is recognized in their picture, after what is printed on it. */
async function withScans(
  pages: readonly PageLines[],
  scans: readonly PageLines[],
  recognizeScans: RecognizeScans,
): Promise<readonly PageLines[]> {
  if (recognizeScans === undefined || scans.length === 0) return pages;
  const found = await recognizeScans(scans.map(({ page }) => page));
  const linesOf = new Map(found.map(({ page, lines }) => [page, lines]));
  return pages.map((page) => {
    const pieces = (linesOf.get(page.page) ?? []).map((line) => ({ ...line, font: "", upright: true }));
    return { ...page, lines: [...page.lines, ...readingOrder(toSegments(pieces), page.width)] };
  });
}

function bomb(cause?: unknown): AppError {
  return unreadable("it contains a stream that inflates beyond the limit", cause);
}
