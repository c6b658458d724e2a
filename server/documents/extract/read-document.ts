import { AppError } from "../../lib/errors.ts";
import type { ByteSource } from "./byte-source.ts";
import { detectFormat, type DocumentFormat } from "./detect-format.ts";
import type { DocumentContent, Reader, ReadLimits, RecognizeScans } from "./document-content.ts";
import { unreadable } from "./unreadable.ts";

/** Loaded on demand: a worker reads one file and ends. */
const readers: Record<Exclude<DocumentFormat, "pdf">, () => Promise<Reader>> = {
  docx: async () => (await import("./formats/docx.ts")).readDocx,
  pptx: async () => (await import("./formats/pptx.ts")).readPptx,
  xlsx: async () => (await import("./formats/xlsx.ts")).readXlsx,
  epub: async () => (await import("./formats/epub.ts")).readEpub,
  email: async () => (await import("./formats/email.ts")).readEmail,
  html: async () => (await import("./formats/html.ts")).readHtml,
  csv: async () => (await import("./formats/csv.ts")).readCsv,
  markdown: async () => (await import("./formats/markdown.ts")).readMarkdown,
  text: async () => (await import("./formats/text.ts")).readText,
};

/** The pages of a file whose format its bytes tell. `onPage` reports progress. */
export async function readDocument(
  source: ByteSource,
  limits: ReadLimits,
  onPage: (done: number, total: number) => void,
  recognizeScans?: RecognizeScans,
): Promise<DocumentContent> {
  const format = await detectFormat(source);
  if (format === undefined) throw unreadable("its format is unknown");
  if (format === "pdf") {
    const { readPdfPages } = await import("./pdf/read-pdf-pages.ts");
    return readPdfPages(source, limits, onPage, recognizeScans);
  }
  const read = await readers[format]();
  const content = await read(source, limits);
  const { length } = content.pages;
  if (content.pages.every((page) => page.text === ""))
    throw new AppError("no_text", "The file contains no text. Upload a file with text.");
  if (length > limits.maxPages)
    throw unreadable(`it has ${length} pages and the limit is ${limits.maxPages}`);
  onPage(length, length);
  return content;
}
