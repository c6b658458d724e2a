import { messageOf } from "../../../lib/errors.ts";
import { CMAP_FOLDER } from "./cmap-folder.ts";
import { withoutDoubles } from "./fake-bold.ts";
import { readFormFields } from "./form-fields.ts";
import type { PageLines } from "./page-furniture.ts";
import type { Pdf } from "./open-pdf.ts";
import { type OutlineEntry, readOutline } from "./outline.ts";
import { type Line, readingOrder } from "./reading-order.ts";
import { orderRightToLeft } from "./right-to-left.ts";
import { toSegments } from "./segment.ts";
import { type DrawnText, toPiece, type Turn, type TurnedPiece } from "./turned-text.ts";
import { unreadable } from "../unreadable.ts";

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
    const filledIn = await readFormFields(pdf);
    const pages: PageLines[] = [];
    let broken: unknown;
    for (let number = 1; number <= pdf.numPages; number++) {
      try {
        pages.push(await readPage(pdf, number, filledIn.get(number - 1) ?? []));
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

async function readPage(pdf: Pdf, number: number, filledIn: readonly DrawnText[]): Promise<PageLines> {
  const page = await pdf.getPage(number);
  const view = page.getViewport({ scale: 1 });
  const content = await page.getTextContent({ disableNormalization: true });
  const pieces: TurnedPiece[] = [];
  for (const item of content.items) if ("str" in item) pieces.push(toPiece(item, view));
  for (const item of filledIn) pieces.push(toPiece(item, view));
  page.cleanup();
  const finite = pieces.filter((piece) => Object.values(piece.box).every(Number.isFinite));
  return {
    page: number,
    width: view.width,
    height: view.height,
    lines: linesOf(withoutDoubles(finite), view),
  };
}

/** Upright text first, then text turned to each side, then slanted stamps. */
function linesOf(
  pieces: readonly TurnedPiece[],
  { width, height }: { width: number; height: number },
): Line[] {
  const lines: Line[] = [];
  for (const turn of TURNS) {
    const turned = pieces.filter((piece) => piece.turn === turn);
    if (turned.length === 0) continue;
    const isSideways = turn === 90 || turn === 270;
    const blocks = (lines.at(-1)?.block ?? -1) + 1;
    for (const line of readingOrder(orderRightToLeft(toSegments(turned)), isSideways ? height : width))
      lines.push({ ...line, block: line.block + blocks });
  }
  return lines;
}

const TURNS: readonly Turn[] = [0, 270, 90, 180, undefined];

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
