import { PDFDocument, PDFName, PDFString, StandardFonts } from "pdf-lib";
import { expect, test } from "vitest";
import { type Drawing, lines, pdfOf } from "../../../../test/support/pdf.ts";
import { LOCAL_TOKENIZER_FILE } from "../../../models/embedding/local-model-file.ts";
import { extractDocument } from "../extract.ts";

const prose = (topic: string, top: number): Drawing[] =>
  lines(
    [
      `This paragraph tells of the ${topic} in plain words and`,
      "goes on for three lines so that the size of its letters is",
      "the size of most letters in the whole document.",
    ],
    60,
    top,
  );

async function headingsOf(bytes: Uint8Array): Promise<[string, number][][]> {
  const { pages } = await extractDocument(bytes, { tokenizerFile: LOCAL_TOKENIZER_FILE });
  return pages.map(({ headings = [], text }) =>
    headings.map(({ start, text: heading, level }) => {
      expect(text.slice(start).replaceAll("\n", " ").startsWith(heading)).toBe(true);
      return [heading, level];
    }),
  );
}

test("larger lines are headings, the largest the highest, and two lines of one style are one heading", async () => {
  const bytes = await pdfOf([
    [
      ["The Halden pump and all", 60, 80, 20],
      ["that belongs to it", 60, 104, 20],
      ...prose("pump", 150),
      ["Gearbox", 60, 220, 14],
      ...prose("gearbox", 250),
    ],
  ]);
  expect(await headingsOf(bytes)).toEqual([
    [
      ["The Halden pump and all that belongs to it", 1],
      ["Gearbox", 2],
    ],
  ]);
});

test("a short line in another font is a heading, a paragraph in it and a word of it are not", async () => {
  const pdf = await PDFDocument.create();
  const plain = await pdf.embedFont(StandardFonts.Helvetica);
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  const page = pdf.addPage([595, 842]);
  const draw = (text: string, x: number, y: number, font = plain): void =>
    page.drawText(text, { x, y: 842 - y, size: 11, font });
  draw("Repairs", 60, 80, bold);
  for (const [text, x, y] of prose("repairs", 100)) draw(text, x, y);
  for (const [text, x, y] of prose("delivery", 160)) draw(text, x, y);
  draw("Note", 60, 230, bold);
  draw("that the word before is no heading of its own in this line.", 90, 230);
  for (const [text, x, y] of prose("warning", 260)) draw(text, x, y);
  for (const i of [0, 1, 2, 3])
    draw("A paragraph in bold letters that is no heading at all but", 60, 330 + i * 14, bold);
  for (const top of [400, 460, 520]) for (const [text, x, y] of prose("rest", top)) draw(text, x, y);
  expect((await headingsOf(await pdf.save()))[0]?.map(([text]) => text)).toEqual(["Repairs"]);
});

test("the outline gives the levels of headings that look alike", async () => {
  const titles = ["1 Pumps", "1.1 Oil", "1.2 Filters", "2 Valves"];
  const pdf = await PDFDocument.load(
    await pdfOf([
      titles.flatMap((title, i): Drawing[] => [
        [title, 60, 80 + i * 120, 14],
        ...prose(title, 110 + i * 120),
      ]),
    ]),
  );
  const { context } = pdf;
  const page = pdf.getPage(0).ref;
  const entry = (title: string, more: Record<string, unknown> = {}) =>
    context.obj({ Title: PDFString.of(title), Dest: [page, "Fit"], ...(more as object) });
  const [pumps, oil, filters, valves, root] = Array.from({ length: 5 }, () => context.nextRef());
  context.assign(oil!, entry("1.1 Oil", { Parent: pumps, Next: filters }));
  context.assign(filters!, entry("1.2 Filters", { Parent: pumps }));
  context.assign(
    pumps!,
    entry("1 Pumps", { Parent: root, First: oil, Last: filters, Count: 2, Next: valves }),
  );
  context.assign(valves!, entry("2 Valves", { Parent: root }));
  context.assign(root!, context.obj({ Type: "Outlines", First: pumps!, Last: valves!, Count: 2 }));
  pdf.catalog.set(PDFName.of("Outlines"), root!);
  expect(await headingsOf(await pdf.save())).toEqual([
    [
      ["1 Pumps", 1],
      ["1.1 Oil", 2],
      ["1.2 Filters", 2],
      ["2 Valves", 1],
    ],
  ]);
});

test("a chunk of a PDF is found by the heading above it", async () => {
  const bytes = await pdfOf([
    [
      ["Gearbox", 60, 80, 16],
      ...Array.from({ length: 12 }, (_, i) => prose("work to be done", 110 + i * 50)).flat(),
    ],
  ]);
  const { chunks } = await extractDocument(bytes, { tokenizerFile: LOCAL_TOKENIZER_FILE });
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.map(({ heading }) => heading)).toEqual([undefined, ...chunks.slice(1).map(() => "Gearbox")]);
});
