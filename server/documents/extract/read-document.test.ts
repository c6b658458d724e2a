import { expect, test } from "vitest";
import {
  coreProperties,
  docxOf,
  epubOf,
  paragraph,
  pptxOf,
  table,
  xlsxOf,
} from "../../../test/support/office-files.ts";
import { bytesInMemory } from "./byte-source.ts";
import { detectFormat } from "./detect-format.ts";
import type { DocumentContent } from "./document-content.ts";
import { readSheet } from "./formats/xlsx-sheet.ts";
import { readDocument } from "./read-document.ts";

const limits = { maxPages: 5000, maxStreamBytes: 1024 * 1024 };

function read(file: string | Uint8Array): Promise<DocumentContent> {
  return readDocument(bytesInMemory(Buffer.from(file)), limits, () => undefined);
}

function formatOf(file: string | Uint8Array): Promise<string | undefined> {
  return detectFormat(bytesInMemory(Buffer.from(file)));
}

const cited = ({ pages }: DocumentContent): [string | undefined, string][] =>
  pages.map(({ location, text }) => [location, text]);

const EMAIL = [
  "Received: from mail.example.org",
  "From: =?utf-8?q?Ana_P=C3=A9rez?= <ana@example.org>",
  "To: Bo <bo@example.org>",
  "Subject: Oil change",
  "Date: Tue, 03 Mar 2026 09:00:00 +0000",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/plain; charset=iso-8859-1",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "The oil is changed at the caf=E9.",
  "--b",
  'Content-Type: application/pdf; name="offer.pdf"',
  'Content-Disposition: attachment; filename="offer.pdf"',
  "Content-Transfer-Encoding: base64",
  "",
  "JVBERi0=",
  "--b--",
  "",
].join("\r\n");

test("the bytes decide the format", async () => {
  const files: [string, string | Uint8Array | undefined][] = [
    ["docx", docxOf(paragraph("x"))],
    ["pptx", pptxOf([{ title: "x" }])],
    ["xlsx", xlsxOf([{ name: "x", rows: [["x"]] }])],
    ["epub", epubOf("x", ["<p>x</p>"])],
    ["html", "\ufeff<!-- saved --><!DOCTYPE html><title>x</title>"],
    ["html", '<?xml version="1.0"?>\n<html><body>x</body></html>'],
    ["email", EMAIL],
    ["csv", "island,departs\nInchmore,09.40\nSula Bay,16.30\n"],
    ["csv", "a;b\n1;2"],
    ["markdown", "# Title\n\nA paragraph.\n\n## Next\n"],
    ["text", "Dear Anna,\nthank you, Bob."],
    ["text", "#!/bin/sh\n# comment\necho hello\n"],
    ["text", "To: everyone. This is no email.\nFrom: here on, prose."],
    ["pdf", "%PDF-1.7"],
  ];
  for (const [format, file] of files) expect([format, await formatOf(file!)]).toEqual([format, format]);
  const unknown: [string, Uint8Array | string][] = [
    ["empty", ""],
    ["PNG", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
    ["old Word", Buffer.from("d0cf11e0a1b11ae1", "hex")],
    ["RTF", "{\\rtf1\\ansi Hello}"],
    ["cut ZIP", docxOf(paragraph("x")).subarray(0, 200)],
    ["other ZIP", Buffer.from("504b0506" + "00".repeat(18), "hex")],
    ["random", Buffer.from(Array.from({ length: 400 }, (_, i) => 128 + ((i * 37) % 128)))],
  ];
  for (const [what, file] of unknown) expect([what, await formatOf(file)]).toEqual([what, undefined]);
});

test("text is decoded as UTF-8, as UTF-16 by its mark, or as windows-1252", async () => {
  const text = "Der Öldruck beträgt 4 bar – genau.";
  const utf16be = Buffer.from(`\ufeff${text}`, "utf16le").swap16();
  const windows = Buffer.from(text.replace("–", "\u0096"), "latin1");
  for (const bytes of [text, `\ufeff${text}`, Buffer.from(`\ufeff${text}`, "utf16le"), utf16be, windows])
    expect((await read(bytes)).pages[0]?.text).toBe(text);
});

test("a text file is cut into pages that name their lines, and wrapped lines are joined", async () => {
  const wrapped = "This line was wrapped by an editor at about sixty columns\nand goes on here.\n\nNext.\n";
  expect(cited(await read(wrapped))).toEqual([
    ["lines 1–4", "This line was wrapped by an editor at about sixty columns and goes on here.\nNext."],
  ]);
  const long = Array.from({ length: 400 }, (_, i) => `Line ${i + 1} says something of its own here.`);
  const { pages } = await read(long.join("\n"));
  expect(pages.map(({ page }) => page)).toEqual(pages.map((_, i) => i + 1));
  expect(pages[0]?.location).toBe("lines 1–149");
  expect(pages.at(-1)?.location).toMatch(/–400$/);
  expect(pages.map(({ text }) => text).join("\n")).toBe(long.join("\n"));
});

test("a first line with the separator of a CSV is no row", async () => {
  const { pages } = await read("sep=;\nIsland;Departs\nInchmore;09.40\n");
  expect(pages).toMatchObject([{ location: "row 2", text: "Island: Inchmore; Departs: 09.40" }]);
});

test("a row of a CSV names its columns, and its page the rows", async () => {
  const { pages } = await read('Island;Departs;Note\nInchmore;09.40;"takes ""cars"";\nall year"\nSula;;x\n');
  expect(pages).toMatchObject([
    {
      location: "rows 2–3",
      text: 'Island: Inchmore; Departs: 09.40; Note: takes "cars"; all year\nIsland: Sula; Note: x',
    },
  ]);
});

test("code inside a line of Markdown is kept as it is", async () => {
  const { pages } = await read(
    "# Formats\n\nOnly `<main>` is read, `a*b*c` and [`--all`](x.md) too; not (`.doc`, `.ppt`, RTF) nor ``a ` b``.\n",
  );
  expect(pages[0]?.text).toContain(
    "Only <main> is read, a*b*c and --all too; not (.doc, .ppt, RTF) nor a ` b.",
  );
});

test("every section of Markdown is a page with its heading, without marks", async () => {
  const content = await read(
    [
      "---\ntitle: ignored\n---\n# Returns\n## Refunds\n\nYou get **all** of it [back](https://x.y)",
      "within _30_ days.\n\n- By `card`\n- In cash\n\nShipping\n--------\n",
      "| To | Days |\n|---|---|\n| France | 3 |\n\n```\n# no heading\n```\n",
    ].join("\n"),
  );
  expect(content.title).toBe("Returns");
  expect(cited(content)).toEqual([
    ["section Refunds", "Returns\nRefunds\nYou get all of it back within 30 days.\nBy card\nIn cash"],
    ["section Shipping", "Shipping\nTo: France; Days: 3\n# no heading"],
  ]);
  expect(content.pages[0]?.headings).toEqual([
    { start: 0, text: "Returns", level: 1 },
    { start: 8, text: "Refunds", level: 2 },
  ]);
});

test("a section longer than a page is cut into several with the same location", async () => {
  const line = "A sentence that fills the section with words.";
  const { pages } = await read(`# Long\n\n${Array(300).fill(line).join("\n\n")}\n\n# Short\n\nEnd.`);
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.slice(0, -1).every(({ location }) => location === "section Long")).toBe(true);
  expect(pages.at(-1)).toMatchObject({ location: "section Short", text: "Short\nEnd." });
  expect(Math.max(...pages.map(({ text }) => text.length))).toBeLessThanOrEqual(6100);
});

test("HTML is the text that a reader sees, by its headings", async () => {
  const content = await read(`<!doctype html><title>Shop &amp; more</title><style>p{}</style>
    <nav><a href=/>Home</a></nav><script>document.write("<p>never</p>")</script>
    <p>Before.</p><h1>Re&shy;turns</h1><p>Within <b>30</b>&nbsp;days<br>of delivery.
    <p hidden>Not seen.<div style="display: none">Nor this.</div>
    <h2>Costs</h2><table><tr><th>Country<th>Price</tr><tr><td>France<td>3 €</table>
    <table><tr><td>Phone</td><td>123</td></tr></table><img src="http://x.y/z.png" alt="A map">`);
  expect(content.title).toBe("Shop & more");
  expect(cited(content)).toEqual([
    [undefined, "Before."],
    ["section Returns", "Returns\nWithin 30 days\nof delivery."],
    ["section Costs", "Costs\nCountry: France; Price: 3 €\nPhone: 123\nA map"],
  ]);
});

test("a page of a web site is its main part", async () => {
  const content = await read("<html><body><div>Menu</div><main><p>Content.</p></main><footer>© x</footer>");
  expect(cited(content)).toEqual([[undefined, "Content."]]);
});

test("HTML is decoded as it declares", async () => {
  const html = Buffer.from('<html><meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>', "latin1");
  expect((await read(html)).pages[0]?.text).toBe("Привет");
});

test("the sections of a DOCX are pages, with headings in any language, tables and notes", async () => {
  const content = await read(
    docxOf(
      paragraph("Returns", "berschrift1") +
        paragraph("Keep the receipt.") +
        paragraph("Refunds", "Own") +
        "<w:p><w:r><w:t>Within 30</w:t></w:r><w:del><w:r><w:t>60</w:t></w:r></w:del>" +
        "<w:r><w:tab/><w:t>days &amp; free.</w:t></w:r><w:r><w:instrText>PAGEREF</w:instrText></w:r></w:p>" +
        table([
          ["Country", "Days", "Price"],
          ["France", "3", "5 €"],
        ]),
      {
        "docProps/core.xml": coreProperties("Shop rules"),
        "word/footnotes.xml": `<w:footnotes>${paragraph("Except on holidays.")}</w:footnotes>`,
      },
    ),
  );
  expect(content.title).toBe("Shop rules");
  expect(cited(content)).toEqual([
    ["section Returns", "Returns\nKeep the receipt."],
    [
      "section Refunds",
      "Refunds\nWithin 30 days & free.\nCountry: France; Days: 3; Price: 5 €\nExcept on holidays.",
    ],
  ]);
  expect(content.pages[1]?.headings).toEqual([{ start: 0, text: "Refunds", level: 2 }]);
});

test("a DOCX with the pages of its word processor is cited by them", async () => {
  const broken =
    "<w:p><w:r><w:t>End of one.</w:t></w:r><w:r><w:lastRenderedPageBreak/><w:t>Begin of two.</w:t></w:r></w:p>";
  const content = await read(docxOf(paragraph("Intro", "berschrift1") + broken + paragraph("More.")));
  expect(content.pages).toMatchObject([
    { page: 1, location: "page 1", text: "Intro\nEnd of one." },
    { page: 2, location: "page 2", text: "Begin of two.\nMore." },
  ]);
});

test("a PPTX is cited by slide, in the order of the presentation", async () => {
  const content = await read(
    pptxOf([
      { title: "Plan", lines: ["Grow.", "Save."], notes: "Say hello." },
      {},
      { lines: ["Only text."] },
    ]),
  );
  expect(cited(content)).toEqual([
    ["slide 1", "Plan\nGrow.\nSave.\nNotes:\nSay hello."],
    ["slide 2", ""],
    ["slide 3", "Only text."],
  ]);
  expect(content.pages.map(({ headings }) => headings?.[0]?.text)).toEqual(["Plan", undefined, undefined]);
});

test("an XLSX is cited by sheet, and every value carries its column", async () => {
  const content = await read(
    xlsxOf([
      {
        name: "Budget &amp; plan",
        rows: [
          ["Budget 2026"],
          ["Item", "Cost", "Due"],
          ["Rent", 1200.5, { days: 46_082 }],
          ["Light", 0.1 + 0.2, ""],
        ],
      },
      { name: "Empty", rows: [] },
      {
        name: "Numbers",
        rows: [
          [1, 2],
          [3, 4],
        ],
      },
    ]),
  );
  expect(content.pages).toMatchObject([
    {
      page: 1,
      location: "sheet Budget & plan",
      text: "Budget 2026\nItem: Rent; Cost: 1200.5; Due: 2026-03-01\nItem: Light; Cost: 0.3",
    },
    { page: 2, location: "sheet Empty", text: "" },
    { page: 3, location: "sheet Numbers", text: "1; 2\n3; 4" },
  ]);
});

test("a long sheet is several pages that name their rows", async () => {
  const rows = Array.from({ length: 600 }, (_, i) => [`Customer ${i + 1}`, i]);
  const { pages } = await read(xlsxOf([{ name: "All", rows: [["Name", "Sum"], ...rows] }]));
  expect(pages.length).toBeGreaterThan(1);
  expect(pages[0]?.location).toMatch(/^sheet All, rows 2–\d+$/);
  expect(pages.at(-1)?.location).toMatch(/–601$/);
  expect(pages.at(-1)?.text).toMatch(/Name: Customer 600; Sum: 599$/);
});

test("an EPUB is cited by the headings of its chapters", async () => {
  const content = await read(epubOf("Whales", ["<h1>One</h1><p>Call me.</p>", "<h1>Two</h1><p>More.</p>"]));
  expect(content.title).toBe("Whales");
  expect(cited(content)).toEqual([
    ["section One", "One\nCall me."],
    ["section Two", "Two\nMore."],
  ]);
});

test("an email is cited by its sender, with its encodings decoded", async () => {
  const content = await read(EMAIL);
  expect(content.title).toBe("Oil change");
  expect(cited(content)).toEqual([
    [
      "message from Ana Pérez <ana@example.org>",
      [
        "Oil change",
        "From: Ana Pérez <ana@example.org>",
        "To: Bo <bo@example.org>",
        "Date: 2026-03-03T09:00:00.000Z",
        "Attachments: offer.pdf",
        "The oil is changed at the café.",
      ].join("\n"),
    ],
  ]);
});

test("an email with HTML only is its visible text", async () => {
  const html =
    "From: a@b.c\nSubject: Hi\nContent-Type: text/html\n\n<p>One.</p><script>x()</script><p>Two.</p>";
  expect((await read(html)).pages[0]?.text).toBe("Hi\nFrom: a@b.c\nOne.\nTwo.");
});

test("[S27] a line of 10 MB, with or without blanks, is cut into pages", async () => {
  const cells = [Buffer.alloc(10 * 1024 * 1024 - 200_000, "a1,b2,c3,"), Buffer.alloc(200_000, "d4, ")];
  const { pages } = await read(Buffer.concat(cells));
  expect(pages.length).toBeGreaterThan(1700);
  expect(Math.max(...pages.map(({ text }) => text.length))).toBeLessThanOrEqual(6000);
});

test("[S27] an archive whose entries inflate beyond the limit in total is refused", async () => {
  const chapters = Array.from({ length: 12 }, () => `<p>${"x ".repeat(400_000)}</p>`);
  await expect(read(epubOf("Bomb", chapters))).rejects.toMatchObject({
    code: "unreadable_document",
    message: expect.stringContaining("inflates"),
  });
});

test("[S27] a cell far to the right or a deep nesting does not fill memory", async () => {
  const sheet =
    '<worksheet><sheetData><row r="1"><c r="ZZZ1"><v>1</v></c><c r="B1"><v>2</v></c></row></sheetData></worksheet>';
  expect(readSheet(sheet, { strings: [], dates: new Map(), from1904: false })).toEqual([
    {
      number: 1,
      cells: [
        { text: "", isNumber: false },
        { text: "2", isNumber: true },
      ],
    },
  ]);
  const deep = `<html>${"<div>".repeat(4000)}Deep.`;
  expect(cited(await read(deep))).toEqual([[undefined, "Deep."]]);
  // The parser takes a minute for 200,000 levels.
  await expect(read(deep.replaceAll("<div>", "<div><div>"))).rejects.toThrow("nested too deeply");
});
