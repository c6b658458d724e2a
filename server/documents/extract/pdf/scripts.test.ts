import { expect, test } from "vitest";
import { rawPdf } from "../../../../test/support/pdf.ts";
import { composePage, wordsOf } from "./compose-page.ts";
import { boxesOf } from "../page-text.ts";
import { readPdf } from "./read-pdf.ts";

/** Text as a file stores it, at a position; y is measured from the top. */
type Drawing = [text: string, x: number, y: number];

const SIZE = 12;

function pdfWith(font: string[], drawings: readonly Drawing[], encode: (text: string) => string): Buffer {
  const content = drawings
    .map(([text, x, y]) => `BT /F ${SIZE} Tf 1 0 0 1 ${x} ${800 - y} Tm <${encode(text)}> Tj ET`)
    .join("\n");
  return rawPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ...font,
  ]);
}

/** A font whose codes are Unicode and whose letters are half as wide as they are high. */
function unicodePdf(drawings: readonly Drawing[]): Buffer {
  const map =
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange " +
    "1 beginbfrange <0000> <FFFF> <0000> endbfrange endcmap end end";
  return pdfWith(
    [
      "<< /Type /Font /Subtype /Type0 /BaseFont /Letters /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>",
      "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Letters /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 8 0 R /DW 500 >>",
      `<< /Length ${map.length} >>\nstream\n${map}\nendstream`,
      "<< /Type /FontDescriptor /FontName /Letters /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>",
    ],
    drawings,
    (text) => [...text].map((letter) => letter.charCodeAt(0).toString(16).padStart(4, "0")).join(""),
  );
}

/** A Japanese font that is neither contained in the file nor described: its codes are those of a predefined map. */
function shiftJisPdf(drawings: readonly Drawing[]): Buffer {
  return pdfWith(
    [
      "<< /Type /Font /Subtype /Type0 /BaseFont /MS-Gothic /Encoding /90ms-RKSJ-H /DescendantFonts [6 0 R] >>",
      "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /MS-Gothic /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 7 0 R /DW 1000 >>",
      "<< /Type /FontDescriptor /FontName /MS-Gothic /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>",
    ],
    drawings,
    (hex) => hex,
  );
}

async function textOf(pdf: Buffer): Promise<string> {
  const { pages } = await readPdf(new Uint8Array(pdf), 1, () => undefined);
  return pages.map((page) => composePage(page, wordsOf(pages)).text).join("\f");
}

const reversed = (text: string): string => [...text].reverse().join("");

/** Each letter alone, from left to right as it is seen: the way browsers print Arabic. */
function letterByLetter(seen: string, left: number, y: number): Drawing[] {
  return [...seen]
    .map((letter, i): Drawing => [letter, left + i * (SIZE / 2), y])
    .filter(([text]) => text !== " ");
}

test("Arabic that is drawn letter by letter from the left is read from the right", async () => {
  const sentence = "يدفع المستأجر الإيجار";
  expect(await textOf(unicodePdf(letterByLetter(reversed(sentence), 100, 100)))).toBe(sentence);
});

test("Hebrew that is drawn word by word from the right stays one line", async () => {
  const words = ["השוכר", "ישלם", "דמי", "שכירות"];
  let right = 500;
  const drawings = words.map((word): Drawing => {
    right -= word.length * (SIZE / 2) + 4;
    return [reversed(word), right, 100];
  });
  expect(await textOf(unicodePdf(drawings))).toBe("השוכר ישלם דמי שכירות");
});

test("numbers, brackets and Latin words inside Arabic keep their own order", async () => {
  const seen = `${reversed("العقد")} .PayPal Business ${reversed("عبر")} (2024 ${reversed("مارس")}) 1500 ${reversed("مبلغ")}`;
  expect(await textOf(unicodePdf(letterByLetter(seen, 60, 100)))).toBe(
    "مبلغ 1500 (مارس 2024) عبر PayPal Business. العقد",
  );
});

test("a Hebrew phrase in an English sentence is turned, the sentence is not", async () => {
  const seen = `The words ${reversed("ספר קטן")} mean a small book`;
  expect(await textOf(unicodePdf(letterByLetter(seen, 60, 100)))).toBe("The words ספר קטן mean a small book");
});

test("presentation forms become letters, and a vowel point stays with its letter", async () => {
  expect(await textOf(unicodePdf(letterByLetter("\ufe94\ufe92\ufe98\ufedc\ufee3", 100, 100)))).toBe("مكتبة");
  const drawings: Drawing[] = [
    ["\ufe70", 110, 96],
    ["\ufe8e", 112, 100],
    ["\ufee3", 118, 100],
  ];
  expect(await textOf(unicodePdf(drawings))).toBe("ماً");
});

test("the cells of an Arabic table are read from the right", async () => {
  const rows = [
    ["السعر", "الصنف"],
    ["30", "ماء"],
    ["80", "كهرباء"],
  ];
  const drawings = rows.flatMap(([price = "", item = ""], i): Drawing[] => [
    [/\d/.test(price) ? price : reversed(price), 100, 100 + i * 20],
    [reversed(item), 300, 100 + i * 20],
  ]);
  expect(await textOf(unicodePdf(drawings))).toBe("الصنف السعر\nماء 30\nكهرباء 80");
});

test("a file that names a predefined character map is read without the network", async () => {
  expect(await textOf(shiftJisPdf([["938C8B9E91E58DE3", 60, 100]]))).toBe("東京大阪");
});

test("lines of Japanese are joined without a space, and wide gaps between characters are none", async () => {
  const spread = ["938C", "8B9E", "91E5", "8DE3"].map((code, i): Drawing => [code, 60 + i * 15, 100]);
  expect(await textOf(shiftJisPdf([...spread, ["938C8B9E91E5", 60, 116]]))).toBe("東京大阪東京大");
});

test("the place of an Arabic or Hebrew quote is measured from the right, as one box a line", () => {
  const box = { x: 100, y: 50, width: 80, height: 12 };
  const page = { text: "שלום עולם", runs: [{ start: 0, end: 9, box: { ...box, width: 90 } }] };
  expect(boxesOf(page, 0, 4)).toEqual([{ ...box, x: 150, width: 40 }]);
  const letters = {
    text: "שלום",
    runs: [0, 1, 2, 3].map((i) => ({ start: i, end: i + 1, box: { ...box, x: 160 - i * 20, width: 20 } })),
  };
  expect(boxesOf(letters, 0, 4)).toEqual([box]);
});
