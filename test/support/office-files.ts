import { type ZipContent, zipOf } from "./zip.ts";

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

export function relationships(...entries: (readonly [id: string, type: string, target: string])[]): string {
  const lines = entries.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${REL}/${type}" Target="${target}"/>`,
  );
  return `${DECLARATION}<Relationships>${lines.join("")}</Relationships>`;
}

export const coreProperties = (title: string): string =>
  `${DECLARATION}<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>${title}</dc:title></cp:coreProperties>`;

/** A paragraph of a DOCX. */
export function paragraph(text: string, style?: string): string {
  const properties = style === undefined ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

const STYLES = `${DECLARATION}<w:styles ${W}>
  <w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
  <w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>
  <w:style w:styleId="Own"><w:name w:val="Own heading"/><w:basedOn w:val="berschrift2"/></w:style>
</w:styles>`;

/** A DOCX with German style ids: `berschrift1` is a heading of level 1. */
export function docxOf(body: string, more: ZipContent = {}): Buffer {
  return zipOf({
    "[Content_Types].xml": `${DECLARATION}<Types/>`,
    "word/document.xml": `${DECLARATION}<w:document ${W}><w:body>${body}</w:body></w:document>`,
    "word/styles.xml": STYLES,
    ...more,
  });
}

/** A table of a DOCX. */
export function table(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
  return `<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join("")}</w:tr>`).join("")}</w:tbl>`;
}

export interface Slide {
  title?: string;
  lines?: readonly string[];
  notes?: string;
}

function shape(type: string, lines: readonly string[]): string {
  const text = lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join("");
  return `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${text}</p:txBody></p:sp>`;
}

const slideXml = (shapes: string): string =>
  `${DECLARATION}<p:sld ${A} xmlns:p="p"><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

/** A PPTX whose files are named in the reverse order of the slides. */
export function pptxOf(slides: readonly Slide[]): Buffer {
  const content: ZipContent = {};
  const fileOf = (index: number): string => `slide${slides.length - index}.xml`;
  for (const [i, { title, lines = [], notes }] of slides.entries()) {
    const head = title === undefined ? "" : shape("title", [title]);
    content[`ppt/slides/${fileOf(i)}`] = slideXml(head + shape("body", lines) + shape("sldNum", ["7"]));
    if (notes === undefined) continue;
    content[`ppt/slides/_rels/${fileOf(i)}.rels`] = relationships([
      "rId1",
      "notesSlide",
      `../notesSlides/notes${i}.xml`,
    ]);
    content[`ppt/notesSlides/notes${i}.xml`] = slideXml(shape("body", [notes]));
  }
  const ids = slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`).join("");
  return zipOf({
    "ppt/presentation.xml": `${DECLARATION}<p:presentation ${R} xmlns:p="p"><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relationships(
      ...slides.map((_, i) => [`rId${i + 1}`, "slide", `slides/${fileOf(i)}`] as const),
    ),
    ...content,
  });
}

export interface Sheet {
  name: string;
  /** Texts are shared strings, numbers are numbers, a date is a number of days with the style of a date. */
  rows: readonly (readonly (string | number | { days: number })[])[];
}

export function xlsxOf(sheets: readonly Sheet[]): Buffer {
  const strings: string[] = [];
  const letter = (column: number): string => String.fromCharCode(65 + column);
  const cell = (value: Sheet["rows"][number][number], at: string): string => {
    if (value === "") return "";
    if (typeof value === "number") return `<c r="${at}"><v>${value}</v></c>`;
    if (typeof value === "object") return `<c r="${at}" s="1"><v>${value.days}</v></c>`;
    return `<c r="${at}" t="s"><v>${strings.push(value) - 1}</v></c>`;
  };
  const parts = sheets.map(({ rows }, i) => {
    const lines = rows.map((row, r) => {
      const cells = row.map((value, c) => cell(value, `${letter(c)}${r + 1}`));
      return `<row r="${r + 1}">${cells.join("")}</row>`;
    });
    return [
      `xl/worksheets/sheet${i + 1}.xml`,
      `${DECLARATION}<worksheet><sheetData>${lines.join("")}</sheetData></worksheet>`,
    ] as const;
  });
  const names = sheets.map(({ name }, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`);
  return zipOf({
    "xl/workbook.xml": `${DECLARATION}<workbook ${R}><sheets>${names.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships(
      ...sheets.map((_, i) => [`rId${i + 1}`, "worksheet", `worksheets/sheet${i + 1}.xml`] as const),
    ),
    ...Object.fromEntries(parts),
    "xl/sharedStrings.xml": `${DECLARATION}<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`,
    "xl/styles.xml": `${DECLARATION}<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
  });
}

/** An EPUB of chapters in XHTML. */
export function epubOf(title: string, chapters: readonly string[], more: ZipContent = {}): Buffer {
  const items = chapters.map((_, i) => `<item id="c${i}" href="text/chapter%20${i}.xhtml"/>`).join("");
  const spine = chapters.map((_, i) => `<itemref idref="c${i}"/>`).join("");
  const parts = chapters.map((body, i) => [
    `OEBPS/text/chapter ${i}.xhtml`,
    `${DECLARATION}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`,
  ]);
  return zipOf({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `${DECLARATION}<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    "OEBPS/book.opf": `${DECLARATION}<package><metadata xmlns:dc="d"><dc:title>${title}</dc:title></metadata><manifest>${items}</manifest><spine>${spine}</spine></package>`,
    ...(Object.fromEntries(parts) as ZipContent),
    ...more,
  });
}
