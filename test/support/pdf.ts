import { degrees, PDFDocument, type PDFFont, type PDFPage, StandardFonts } from "pdf-lib";

/** Draws text at a position, turned by degrees; drawings are applied in order. */
export type Drawing = [text: string, x: number, y: number, size?: number, turned?: number];

/** A PDF with the given drawings per page; y is measured from the top. */
export async function pdfOf(pages: readonly (readonly Drawing[])[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const drawings of pages) draw(pdf.addPage([595, 842]), drawings, font);
  return pdf.save();
}

function draw(page: PDFPage, drawings: readonly Drawing[], font: PDFFont): void {
  for (const [text, x, y, size = 11, turned = 0] of drawings)
    page.drawText(text, { x, y: 842 - y, size, font, rotate: degrees(turned) });
}

/** Lines of a paragraph, below each other. */
export function lines(texts: readonly string[], x = 60, top = 150, leading = 14): Drawing[] {
  return texts.map((text, i) => [text, x, top + i * leading]);
}

/** A PDF from raw objects, for files that no library would write. */
export function rawPdf(objects: readonly (string | Buffer)[], trailer = ""): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  for (const [i, body] of objects.entries()) {
    offsets.push(length);
    add(Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(body), Buffer.from("\nendobj\n")]));
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  add(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
