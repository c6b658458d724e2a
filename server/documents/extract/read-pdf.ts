import { messageOf } from "../../lib/errors.ts";
import { CMAP_FOLDER } from "./cmap-folder.ts";
import type { PageLines } from "./page-furniture.ts";
import type { Pdf } from "./open-pdf.ts";
import { type OutlineEntry, readOutline } from "./outline.ts";
import { readingOrder } from "./reading-order.ts";
import { orderRightToLeft } from "./right-to-left.ts";
import { type TextPiece, toSegments } from "./segment.ts";
import { unreadable } from "./unreadable.ts";

export interface PdfContent {
  pages: PageLines[];
  /** The title in the file's own properties, when it has one. */
  title: string | undefined;
  outline: OutlineEntry[];
}

/** Opens a PDF and reads the lines of every page. Runs in the worker: parsing takes 10 ms per page. */
export async function readPdf(
  bytes: Uint8Array,
  maxPages: number,
  onPage: (done: number, total: number) => void,
): Promise<PdfContent> {
  const { getDocumentProxy } = await import("unpdf");
  let pdf: Awaited<ReturnType<typeof getDocumentProxy>>;
  try {
    pdf = await getDocumentProxy(bytes, {
      verbosity: 0,
      stopAtErrors: false,
      enableXfa: false,
      cMapUrl: CMAP_FOLDER,
      cMapPacked: true,
    });
  } catch (error) {
    throw unreadable(reasonOf(error), error);
  }
  try {
    if (pdf.numPages < 1) throw unreadable("it has no pages");
    if (pdf.numPages > maxPages)
      throw unreadable(`it has ${pdf.numPages} pages and the limit is ${maxPages}`);
    const pages: PageLines[] = [];
    let broken: unknown;
    for (let number = 1; number <= pdf.numPages; number++) {
      try {
        pages.push(await readPage(pdf, number));
      } catch (error) {
        // One damaged page must not hide the others. A file of damaged pages only is unreadable.
        broken = error;
        pages.push({ page: number, width: 0, height: 0, lines: [] });
      }
      onPage(number, pdf.numPages);
    }
    if (broken !== undefined && pages.every((page) => page.width === 0))
      throw unreadable("none of its pages could be read", broken);
    return { pages, title: await titleOf(pdf), outline: await readOutline(pdf) };
  } finally {
    await pdf.destroy();
  }
}

async function readPage(pdf: Pdf, number: number): Promise<PageLines> {
  const page = await pdf.getPage(number);
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const content = await page.getTextContent({ disableNormalization: true });
  const pieces: TextPiece[] = [];
  for (const item of content.items) if ("str" in item) pieces.push(toPiece(item, transform));
  page.cleanup();
  const finite = pieces.filter((piece) => Object.values(piece.box).every(Number.isFinite));
  return { page: number, width, height, lines: readingOrder(orderRightToLeft(toSegments(finite)), width) };
}

interface DrawnText {
  str: string;
  transform: number[];
  width: number;
  height: number;
  fontName: string;
}

/** From PDF text space, whose y axis points up, to page space, whose y axis points down. */
function toPiece(item: DrawnText, view: readonly number[]): TextPiece {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = item.transform;
  const [va = 1, vb = 0, vc = 0, vd = -1, ve = 0, vf = 0] = view;
  const x = va * e + vc * f + ve;
  const baseline = vb * e + vd * f + vf;
  const directionX = va * a + vc * b;
  const directionY = vb * a + vd * b;
  const height = Math.hypot(va * c + vc * d, vb * c + vd * d) || item.height || 1;
  const upright = directionX > 0 && Math.abs(directionY) < directionX * 0.1;
  // Letters extend about 0.8 of the font size above the baseline and 0.2 below it.
  const box = upright
    ? { x, y: baseline - height * 0.8, width: item.width, height }
    : { x: x - height, y: baseline - item.width, width: height, height: Math.max(item.width, height) };
  return { text: item.str, box, upright, font: item.fontName };
}

async function titleOf(pdf: Pdf): Promise<string | undefined> {
  try {
    const { info } = (await pdf.getMetadata()) as { info?: { Title?: unknown } };
    const title =
      typeof info?.Title === "string"
        ? info.Title.replace(/\p{Cs}/gu, "\ufffd")
            .normalize("NFKC")
            .trim()
        : "";
    return title === "" ? undefined : title.slice(0, 300);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") return "it is encrypted; upload a copy without a password";
  if (name === "InvalidPDFException") return "its structure is broken or cut off";
  return messageOf(error);
}
