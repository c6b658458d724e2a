import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from "pdf-lib";
import type { Block, EvalDocument, Layout } from "./corpus/corpus-types.ts";

export interface BuiltPdf {
  bytes: Uint8Array;
  /** The words of each page in drawing order, joined by spaces: the ground truth for retrieval. */
  pageTexts: string[];
}

interface Style {
  font: StandardFonts;
  size: number;
  columns: number;
  /** Draws both columns line by line, as some layout programs do. */
  interleaved?: boolean;
  hyphenate?: boolean;
  pageNumbers: boolean;
}

const styles: Record<Layout, Style> = {
  manual: { font: StandardFonts.Helvetica, size: 12, columns: 1, pageNumbers: true },
  letter: { font: StandardFonts.TimesRoman, size: 13, columns: 1, pageNumbers: false },
  report: { font: StandardFonts.TimesRoman, size: 12.5, columns: 1, hyphenate: true, pageNumbers: true },
  contract: { font: StandardFonts.Courier, size: 11, columns: 1, pageNumbers: true },
  table: { font: StandardFonts.Helvetica, size: 10.5, columns: 1, pageNumbers: true },
  "two-column": {
    font: StandardFonts.TimesRoman,
    size: 11.5,
    columns: 2,
    hyphenate: true,
    pageNumbers: true,
  },
  "two-column-rows": {
    font: StandardFonts.TimesRoman,
    size: 11.5,
    columns: 2,
    interleaved: true,
    hyphenate: true,
    pageNumbers: true,
  },
};

const WIDTH = 595;
const HEIGHT = 842;
const MARGIN = 64;
const GUTTER = 24;

interface Drawn {
  text: string;
  x: number;
  y: number;
  size: number;
  column: number;
}

/** Renders a document of the corpus to PDF and records the text of each page. */
export async function buildPdf(document: EvalDocument): Promise<BuiltPdf> {
  const style = styles[document.layout];
  const pdf = await PDFDocument.create();
  pdf.setTitle(document.title);
  const font = await pdf.embedFont(style.font);
  const columnWidth = (WIDTH - 2 * MARGIN - GUTTER * (style.columns - 1)) / style.columns;
  const pages: { drawn: Drawn[]; words: string[] }[] = [];
  let column = style.columns;
  let y = 0;

  function advance(height: number): void {
    if (column < style.columns && y - height >= MARGIN) return;
    column += 1;
    y = HEIGHT - MARGIN - 20;
    if (column >= style.columns) {
      pages.push({ drawn: [], words: [] });
      column = 0;
    }
  }

  function line(pieces: { text: string; offset: number }[], words: string[], size: number): void {
    const height = size * 1.35;
    advance(height);
    y -= height;
    const page = pages.at(-1);
    const left = MARGIN + column * (columnWidth + GUTTER);
    for (const { text, offset } of pieces) page?.drawn.push({ text, x: left + offset, y, size, column });
    page?.words.push(...words);
  }

  function paragraph(text: string, size: number): void {
    for (const { text: set, words } of wrap(text, font, size, columnWidth, style.hyphenate ?? false))
      line([{ text: set, offset: 0 }], words, size);
    y -= size * 0.8;
  }

  function block(entry: Block): void {
    if ("heading" in entry) return paragraph(entry.heading, style.size + 3);
    if ("text" in entry) return paragraph(entry.text, style.size);
    if ("list" in entry) return entry.list.forEach((item, i) => paragraph(`${i + 1}. ${item}`, style.size));
    if ("pageBreak" in entry) {
      column = style.columns;
      return;
    }
    for (const row of entry.rows) {
      let offset = 0;
      const cells = row.map((text, i) => {
        const cell = { text, offset };
        offset += entry.columns[i] ?? 0;
        return cell;
      });
      line(
        cells,
        row.flatMap((cell) => cell.split(" ")),
        style.size,
      );
    }
    y -= style.size;
  }

  document.blocks.forEach(block);
  for (const [index, { drawn }] of pages.entries()) {
    const page = pdf.addPage([WIDTH, HEIGHT]);
    if (document.header) page.drawText(document.header, { x: MARGIN, y: HEIGHT - 44, size: 9, font });
    const ordered = style.interleaved ? drawn.toSorted((a, b) => b.y - a.y || a.column - b.column) : drawn;
    for (const { text, x, y: baseline, size } of ordered) page.drawText(text, { x, y: baseline, size, font });
    if (style.pageNumbers) drawNumber(page, index + 1, pages.length, font);
  }
  return { bytes: await pdf.save(), pageTexts: pages.map(({ words }) => words.join(" ")) };
}

function drawNumber(page: PDFPage, number: number, of: number, font: PDFFont): void {
  page.drawText(`Page ${number} of ${of}`, { x: WIDTH - MARGIN - 60, y: 36, size: 9, font });
}

/** Breaks a paragraph into lines; hyphenates long words if the style asks for it. */
function wrap(
  text: string,
  font: PDFFont,
  size: number,
  width: number,
  hyphenate: boolean,
): { text: string; words: string[] }[] {
  const lines: { text: string; words: string[] }[] = [];
  let open = "";
  let words: string[] = [];
  const fits = (candidate: string): boolean => font.widthOfTextAtSize(candidate, size) <= width;
  for (const word of text.split(" ")) {
    const candidate = open === "" ? word : `${open} ${word}`;
    if (fits(candidate)) {
      open = candidate;
      words.push(word);
      continue;
    }
    const cut = hyphenate && /^[a-z]{9,}[.,;]?$/.test(word) ? Math.floor(word.length / 2) : 0;
    const head = cut > 0 && fits(`${open} ${word.slice(0, cut)}-`) ? word.slice(0, cut) : "";
    // A hyphenated word counts for the page on which it starts.
    lines.push({ text: head ? `${open} ${head}-` : open, words: head ? [...words, word] : words });
    open = head ? word.slice(cut) : word;
    words = head ? [] : [word];
  }
  lines.push({ text: open, words });
  return lines;
}
