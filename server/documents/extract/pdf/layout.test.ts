import { PDFDocument } from "pdf-lib";
import { expect, test } from "vitest";
import { type Drawing, lines, pdfOf, rawPdf } from "../../../../test/support/pdf.ts";
import { LOCAL_TOKENIZER_FILE } from "../../../models/embedding/local-model-file.ts";
import { extractDocument } from "../extract.ts";
import { boxesOf } from "../page-text.ts";

const extract = (bytes: Uint8Array) => extractDocument(bytes, { tokenizerFile: LOCAL_TOKENIZER_FILE });

/** One page per content stream; F1 is Helvetica. */
function contents(...streams: string[]): Uint8Array {
  const kids = streams.map((_, i) => `${4 + i * 2} 0 R`).join(" ");
  return rawPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${streams.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...streams.flatMap((content, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + i * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ]);
}

/** `matrix`: the four numbers that turn the text. */
const at = (matrix: string, x: number, y: number, text: string): string =>
  `BT /F1 12 Tf ${matrix} ${x} ${y} Tm (${text}) Tj ET\n`;

test("text turned by 90 degrees to either side, and by 180, is read row by row and located on the page", async () => {
  const rows = [
    ["Harbour", "Arrival", "Cars"],
    ["Inchmore", "09.40", "yes"],
    ["Sula Bay", "16.30", "no"],
  ];
  const up = rows.flatMap((row, r) =>
    row.map((cell, c) => at("0 1 -1 0", 100 + r * 20, 100 + c * 120, cell)),
  );
  const down = rows.flatMap((row, r) =>
    row.map((cell, c) => at("0 -1 1 0", 400 - r * 20, 700 - c * 120, cell)),
  );
  const over = rows.flatMap((row, r) =>
    row.map((cell, c) => at("-1 0 0 -1", 500 - c * 120, 300 + r * 20, cell)),
  );
  const { pages } = await extract(contents(up.join(""), down.join(""), over.join("")));
  const expected = "Harbour Arrival Cars\nInchmore 09.40 yes\nSula Bay 16.30 no";
  expect(pages.map(({ text }) => text)).toEqual([expected, expected, expected]);
  const places = pages.map(
    (page) => boxesOf(page, page.text.indexOf("Inchmore"), page.text.indexOf("Inchmore") + 8)[0]!,
  );
  expect(places[0]).toMatchObject({ x: 110.4, width: 12 });
  expect(places[0]!.y + places[0]!.height).toBeCloseTo(742, 0);
  expect(places[1]).toMatchObject({ x: 377.6, y: 142, width: 12 });
  expect(places[2]!.x + places[2]!.width).toBeCloseTo(500, 0);
});

test("letters or lines that are drawn twice to look bold are read once", async () => {
  const advances = [0, 8, 16, 22.7, 30.7, 39.3, 48];
  const twice = [..."BALANCE"].map((letter, i) => {
    const x = 100 + advances[i]!;
    return at("1 0 0 1", x, 700, letter) + at("1 0 0 1", x + 0.4, 700, letter);
  });
  const line = at("1 0 0 1", 100, 650, "All the bills") + at("1 0 0 1", 100.5, 650, "All the bills");
  const apart = at("1 0 0 1", 100, 600, "no") + at("1 0 0 1", 200, 600, "no");
  const { pages } = await extract(contents(twice.join("") + line + apart));
  expect(pages[0]?.text).toBe("BALANCE\nAll the bills\nno no");
});

test("values of form fields are read beside their labels, unchecked boxes and passwords are not", async () => {
  const pdf = await PDFDocument.load(
    await pdfOf([lines(["Applicant", "Date of birth", "Resident", "Smoker", "Remarks"], 60, 150, 30)]),
  );
  const page = pdf.getPage(0);
  const form = pdf.getForm();
  const place = (row: number) => ({ x: 180, y: 842 - 155 - row * 30, width: 200, height: 18 });
  for (const [row, [name, value]] of [
    ["name", "Ada Quill"],
    ["birth", "3 March 1978"],
  ].entries()) {
    const field = form.createTextField(name!);
    field.setText(value);
    field.addToPage(page, place(row));
  }
  form.createCheckBox("resident").addToPage(page, { ...place(2), width: 18 });
  form.getCheckBox("resident").check();
  form.createCheckBox("smoker").addToPage(page, { ...place(3), width: 18 });
  const secret = form.createTextField("secret");
  secret.enablePassword();
  secret.setText("hidden words");
  secret.addToPage(page, place(4));
  const { pages } = await extract(await pdf.save());
  expect(pages[0]?.text.split("\n")).toEqual([
    "Applicant Ada Quill",
    "Date of birth 3 March 1978",
    "Resident [x]",
    "Smoker",
    "Remarks",
  ]);
});

// One black pixel, drawn over the whole page.
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

async function scanned(pages: readonly Drawing[][]): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(await pdfOf(pages));
  const image = await pdf.embedPng(PIXEL);
  for (const page of pdf.getPages()) page.drawImage(image, { x: 0, y: 0, width: 595, height: 842 });
  return pdf.save();
}

test("a scan with a printed header is a page without text", async () => {
  const stamp = (number: number): Drawing[] => [[`Filed 3 March 2024, sheet ${number} of 3`, 60, 30, 9]];
  await expect(extract(await scanned([stamp(1), stamp(2), stamp(3)]))).rejects.toMatchObject({
    code: "no_text",
  });
  await expect(extract(await scanned([[["Scanned with PocketScan", 400, 830, 8]]]))).rejects.toMatchObject({
    code: "no_text",
  });
  const mixed = await extract(
    await scanned([stamp(1), [...stamp(2), ...lines(["The court finds for Mrs Quill."])], stamp(3)]),
  );
  expect(mixed.pagesWithoutText).toEqual([1, 3]);
  expect(mixed.pages[1]?.text).toContain("The court finds for Mrs Quill.");
});

test("a short text at the top of a page without images is text, also if every page has the same", async () => {
  const closed: Drawing[] = [["Closed on Mondays.", 60, 60]];
  expect((await extract(await pdfOf([closed, closed, closed]))).pagesWithoutText).toEqual([]);
  expect((await extract(await pdfOf([[["Closed on Mondays.", 60, 60]]]))).pages[0]?.text).toBe(
    "Closed on Mondays.",
  );
});

test("three columns are read one after the other, also when the last has only a few lines left", async () => {
  const column = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, i) => `${name} column, line ${"abcdefghijkl"[i]} of the text`);
  const texts = [column("First", 12), column("Middle", 12), column("Last", 2)];
  const rows = Array.from({ length: 12 }, (_, row) =>
    texts.flatMap((lines, c): Drawing[] =>
      lines[row] ? [[lines[row], 40 + c * 180, 150 + row * 14, 10]] : [],
    ),
  ).flat();
  const [page] = (await extract(await pdfOf([rows]))).pages;
  const order = [...(page?.text ?? "").matchAll(/(\w+) column, line (\w)/g)].map(
    ([, name, line]) => `${name} ${line}`,
  );
  expect(order).toEqual(
    texts.flatMap((lines) => lines.map((line) => `${line.split(" ")[0]} ${/line (.)/.exec(line)?.[1]}`)),
  );
});

test("every entry of a table of contents is a line, also if its title takes two", async () => {
  const entries = [
    "1 Introduction ................................................................ 3",
    "2 Assembly of the pump and its motor ................................. 14",
    "3 What to do when the pump does not start, makes noise,",
    "or loses water during the first hours .................................... 21",
    "Appendix: list of spare parts ............................................ xii",
  ];
  const { pages } = await extract(
    await pdfOf([[...lines(entries), ...lines(["Read this first."], 60, 400)]]),
  );
  expect(pages[0]?.text.split("\n").map((line) => line.replace(/ ?\.{4,} ?/, " … "))).toEqual([
    "1 Introduction … 3",
    "2 Assembly of the pump and its motor … 14",
    "3 What to do when the pump does not start, makes noise, or loses water during the first hours … 21",
    "Appendix: list of spare parts … xii",
    "Read this first.",
  ]);
});
