import type { ByteSource } from "./byte-source.ts";
import { decodeText, looksLikeText } from "./decode-text.ts";
import { csvDelimiter } from "./formats/csv-records.ts";
import { zipEntryNames } from "./zip.ts";

const OOXML = "application/vnd.openxmlformats-officedocument";

/** The formats that can be read, with the media type and the extension of a file of each. */
const FORMATS = {
  pdf: { mediaType: "application/pdf", extension: "pdf" },
  docx: { mediaType: `${OOXML}.wordprocessingml.document`, extension: "docx" },
  pptx: { mediaType: `${OOXML}.presentationml.presentation`, extension: "pptx" },
  xlsx: { mediaType: `${OOXML}.spreadsheetml.sheet`, extension: "xlsx" },
  epub: { mediaType: "application/epub+zip", extension: "epub" },
  html: { mediaType: "text/html", extension: "html" },
  email: { mediaType: "message/rfc822", extension: "eml" },
  csv: { mediaType: "text/csv", extension: "csv" },
  markdown: { mediaType: "text/markdown", extension: "md" },
  text: { mediaType: "text/plain", extension: "txt" },
} as const;

export type DocumentFormat = keyof typeof FORMATS;

export const DOCUMENT_MEDIA_TYPES: readonly string[] = Object.values(FORMATS).map(
  ({ mediaType }) => mediaType,
);

export function mediaTypeOf(format: DocumentFormat): string {
  return FORMATS[format].mediaType;
}

/** A title with the extension of its format, once. */
export function fileNameOf(title: string, mediaType: string): string {
  const format = Object.values(FORMATS).find((known) => known.mediaType === mediaType);
  const suffix = format === undefined ? "" : `.${format.extension}`;
  return title.toLowerCase().endsWith(suffix) ? title : `${title}${suffix}`;
}

export const SUPPORTED_FORMATS =
  "PDF, DOCX, PPTX, XLSX, EPUB, HTML, Markdown, plain text, email (.eml) and CSV";

/** Enough of a text to recognize what kind of text it is. */
export const HEAD_BYTES = 64 * 1024;

/** PDF readers search for the signature in the first kilobyte. */
export function looksLikePdf(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 1024)).includes("%PDF-");
}

const looksLikeZip = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4;

/** False for bytes that begin no supported file, so that an upload is refused before it is stored. */
export function mayBeSupported(head: Uint8Array): boolean {
  return looksLikePdf(head) || looksLikeZip(head) || looksLikeText(head);
}

/** By its bytes, never by its name. Undefined: not supported. */
export async function detectFormat(source: ByteSource): Promise<DocumentFormat | undefined> {
  const head = await source.read(0, HEAD_BYTES);
  if (looksLikePdf(head)) return "pdf";
  if (looksLikeZip(head)) return zipFormat(await zipEntryNames(source));
  if (!looksLikeText(head)) return undefined;
  const isCut = head.length < source.size;
  return textFormat(decodeText(head, { isCut }), isCut);
}

const ZIP_MARKERS: readonly (readonly [string, DocumentFormat])[] = [
  ["word/document.xml", "docx"],
  ["ppt/presentation.xml", "pptx"],
  ["xl/workbook.xml", "xlsx"],
  ["META-INF/container.xml", "epub"],
];

function zipFormat(names: ReadonlySet<string>): DocumentFormat | undefined {
  return ZIP_MARKERS.find(([marker]) => names.has(marker))?.[1];
}

const HTML_START =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|(?:html|head|body|title|meta|link|script|style|main|article|section|div|table|h[1-6]|p)[\s>])/i;

function textFormat(sample: string, isCut: boolean): DocumentFormat | undefined {
  const text = sample.replace(/^\ufeff/, "");
  if (/^\s*\{\\rtf/.test(text)) return undefined;
  if (HTML_START.test(text)) return "html";
  if (looksLikeEmail(text)) return "email";
  if (looksLikeMarkdown(text)) return "markdown";
  return csvDelimiter(text, isCut) === undefined ? "text" : "csv";
}

const EMAIL_HEADERS = new Set(
  "from to cc subject date message-id mime-version received return-path delivered-to content-type reply-to".split(
    " ",
  ),
);

/** A block of header lines before a blank one, at least two of which only an email has, with its sender or its path. */
function looksLikeEmail(text: string): boolean {
  const names = new Set<string>();
  const lines = text.split(/\r?\n/, 200);
  if (!lines.includes("")) return false;
  for (const line of lines) {
    if (line === "") break;
    if (/^[ \t]/.test(line)) continue;
    const name = /^([!-9;-~]+):/.exec(line)?.[1];
    if (name === undefined) return false;
    names.add(name.toLowerCase());
  }
  const known = [...names].filter((name) => EMAIL_HEADERS.has(name));
  return known.length >= 2 && (names.has("from") || names.has("received"));
}

/** Comments of a script also begin with "# ", so a heading alone counts only after a blank line or at the start. */
function looksLikeMarkdown(text: string): boolean {
  if (text.startsWith("#!")) return false;
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const headings = count(/(?:^|\n[ \t]*\r?\n)#{1,6} \S[^\n]*/g);
  const others =
    count(/\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)/g) +
    count(/(?:^|\n)(?:```|~~~)/g) +
    count(/(?:^|\n)\|?[ \t]*:?-{3,}:?[ \t]*\|/g) +
    count(/(?:^|\n)[-*+] \S/g) +
    count(/\*\*\S[^*\n]{0,200}\*\*/g);
  return headings >= 2 || (headings === 1 && others > 0) || others >= 3;
}
