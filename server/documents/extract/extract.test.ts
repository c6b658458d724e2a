import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { PDFDocument } from "pdf-lib";
import { expect, test } from "vitest";
import { type Drawing, lines, pdfOf, rawPdf } from "../../../test/support/pdf.ts";
import { startWorker } from "../../lib/worker-file.ts";
import { LOCAL_TOKENIZER_FILE } from "../../models/embedding/local-model-file.ts";
import { type ExtractedDocument, type ExtractOptions, extractDocument } from "./extract.ts";
import { looksLikePdf } from "./detect-format.ts";
import type { ExtractionInput, ExtractionMessage } from "./extraction-message.ts";
import { boxesOf } from "./page-text.ts";

function extract(
  bytes: Uint8Array | string,
  options: Partial<ExtractOptions> = {},
): Promise<ExtractedDocument> {
  return extractDocument(bytes, { tokenizerFile: LOCAL_TOKENIZER_FILE, ...options });
}

async function textOf(...pages: Drawing[][]): Promise<string[]> {
  return (await extract(await pdfOf(pages))).pages.map((page) => page.text);
}

test("lines of a paragraph become running text, and paragraphs end with a line break", async () => {
  const [text] = await textOf([
    ...lines(["The pump stands on level ground and", "must not be moved while it runs."]),
    ...lines(["A second paragraph follows after a gap."], 60, 210),
  ]);
  expect(text).toBe(
    "The pump stands on level ground and must not be moved while it runs.\nA second paragraph follows after a gap.",
  );
});

test("a word divided at the end of a line is joined, a compound keeps its hyphen", async () => {
  const [text] = await textOf(
    lines([
      "The installation of a long-term store needs per-",
      "mission, and this permission is a long-",
      "term affair that everybody has to wait for.",
    ]),
  );
  expect(text).toBe(
    "The installation of a long-term store needs permission, and this permission is a long-term affair that everybody has to wait for.",
  );
});

const left = [
  "The left column tells of the river and",
  "how it was bridged by the monks in the",
  "year of the flood, with stone that they",
  "had brought from the quarry on a sledge",
  "drawn by oxen over the frozen meadows.",
];
const right = [
  "The right column tells of the railway,",
  "which came much later and was built by",
  "men from the north who slept in tents,",
  "and who were paid by the yard of track",
  "that they had laid before the evening.",
];

test("two columns are read one after the other, also when the file draws them row by row", async () => {
  const rows = left.flatMap((text, i): Drawing[] => [
    [text, 50, 200 + i * 14],
    [right[i] ?? "", 320, 200 + i * 14],
  ]);
  const [text] = await textOf([["The history of the valley in two columns", 120, 120, 18], ...rows]);
  expect(text).toBe(`The history of the valley in two columns\n${left.join(" ")}\n${right.join(" ")}`);
});

test("a table is read row by row", async () => {
  const table = [
    ["Inchmore", "09.40", "takes cars"],
    ["Sula Bay", "16.30", "foot passengers"],
    ["Kettle Point", "13.10", "on request"],
    ["Great Skerry", "17.45", "in summer"],
    ["Inchmore", "18.20", "takes cars"],
  ];
  const [text] = await textOf(
    // Drawn column by column: only the positions show that these are rows.
    [0, 1, 2].flatMap((column) =>
      table.map((row, i): Drawing => [row[column] ?? "", 60 + column * 150, 200 + i * 16]),
    ),
  );
  expect(text).toBe(table.map((row) => row.join(" ")).join("\n"));
});

test("a table in one of two columns does not mix them, and a sentence goes on in the next column", async () => {
  const cells = (top: number): Drawing[] =>
    ["Rent", "Repairs", "Insurance", "Fuel", "Taxes"].flatMap((label, i): Drawing[] => [
      [label, 50, top + i * 14],
      [`${i + 3},140`, 180, top + i * 14],
      [`${i + 2},990`, 230, top + i * 14],
    ]);
  const prose = [...left.slice(0, 4), "drawn by oxen that were bought from the"];
  const [text] = await textOf([
    ...lines(prose, 50, 200),
    ...cells(290),
    ...lines(prose, 50, 380),
    ...lines(["Bishop of Kettle, as they had been for", ...right, ...right, ...right], 320, 200),
  ]);
  const lineAfter = (start: string): string | undefined =>
    text?.split("\n").find((line) => line.startsWith(start));
  expect(lineAfter("Repairs")).toBe("Repairs 4,140 3,990");
  expect(text).toContain("bought from the Bishop of Kettle, as they had been");
});

test("a line that is short because the next word did not fit ends no paragraph", async () => {
  const [text] = await textOf([
    ...lines([
      "The committee met in the old harbour office and was led by the",
      "Harbourmaster of Inchmore, whose report of the year was read aloud and",
      "accepted without a vote. It names the storm of the 3rd of March",
      "1978 as the worst in a hundred years, and the repairs as not yet paid.",
    ]),
    ...lines(
      [
        "Repairs",
        "The quay was mended first, and the light on the mole was mended last of",
        "all because no ship had come to grief there.",
      ],
      60,
      230,
    ),
  ]);
  expect(text?.split("\n")).toEqual([
    expect.stringMatching(
      /^The committee .* by the Harbourmaster .* 3rd of March 1978 as .* paid\.$/,
    ) as string,
    "Repairs",
    expect.stringMatching(/^The quay .* there\.$/) as string,
  ]);
});

test("repeated headers and footers are dropped, the first header stays and page numbers are the file's own", async () => {
  const pages = Array.from({ length: 6 }, (_, i): Drawing[] => [
    ["Operating manual, edition 4", 60, 40, 9],
    ...lines([`Chapter ${"abcdef"[i]} speaks of something else altogether.`]),
    [`Page ${i + 11} of 16`, 480, 815, 9],
  ]);
  const { pages: texts } = await extract(await pdfOf(pages));
  expect(texts.map((page) => page.page)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(texts[0]?.text).toBe("Operating manual, edition 4\nChapter a speaks of something else altogether.");
  expect(texts[4]?.text).toBe("Chapter e speaks of something else altogether.");
});

test("footers right below the text are dropped if their numbers count the pages", async () => {
  const pages = Array.from({ length: 5 }, (_, i): Drawing[] => [
    ...lines([`Chapter ${"abcde"[i]} speaks of something else altogether.`]),
    [i < 3 ? `Overview ${i + 11}` : `Notes ${i + 11}`, 60, 300 + 40 * i, 9],
  ]);
  const { pages: texts } = await extract(await pdfOf(pages));
  expect(texts.map(({ text }) => text.split("\n").at(-1))).toEqual([
    "Overview 11",
    "Chapter b speaks of something else altogether.",
    "Chapter c speaks of something else altogether.",
    "Notes 14",
    "Chapter e speaks of something else altogether.",
  ]);
});

test("a last line that ends with a figure stays", async () => {
  const figures = [120, 95, 131, 88];
  const pages = figures.map((figure, i): Drawing[] => [
    ...lines([`Chapter ${"abcd"[i]} speaks of something else altogether.`]),
    [`Total ${figure}`, 60, 300, 9],
  ]);
  const { pages: texts } = await extract(await pdfOf(pages));
  expect(texts.map(({ text }) => text.split("\n").at(-1))).toEqual(
    figures.map((figure) => `Total ${figure}`),
  );
});

test("a last line that is too long for a footer stays, even if its numbers count the pages", async () => {
  const sentence =
    "The accounts of this part of the report are explained, with all their figures, in the note with number";
  const pages = Array.from({ length: 5 }, (_, i): Drawing[] => [
    ...lines([`Chapter ${"abcde"[i]} speaks of something else altogether.`]),
    [`${sentence} ${i + 11}`, 60, 300, 9],
  ]);
  const { pages: texts } = await extract(await pdfOf(pages));
  expect(texts.map(({ text }) => text.includes(sentence))).toEqual([true, true, true, true, true]);
});

test("a slanted stamp below a footer hides no footer", async () => {
  const pages = Array.from({ length: 5 }, (_, i): Drawing[] => [
    ...lines([`Chapter ${"abcde"[i]} speaks of something else altogether.`]),
    [`Notes ${i + 11}`, 60, 300, 9],
    ["Draft of the harbour office", 150, 600, 20, 45],
  ]);
  const { pages: texts } = await extract(await pdfOf(pages));
  expect(texts.map(({ text }) => text.includes("Notes"))).toEqual([true, false, false, false, false]);
});

test("pages without text are reported", async () => {
  const { pagesWithoutText, chunks } = await extract(
    await pdfOf([lines(["Only this page speaks."]), [], lines(["And this."])]),
  );
  expect(pagesWithoutText).toEqual([2]);
  expect(chunks.map((chunk) => chunk.text)).toEqual(["Only this page speaks.\nAnd this."]);
});

test("a quote is located on the page", async () => {
  const { pages } = await extract(
    await pdfOf([lines(["First line of the page.", "The quote stands here."])]),
  );
  const page = pages[0]!;
  const start = page.text.indexOf("The quote");
  const [box] = boxesOf(page, start, start + "The quote stands here.".length);
  expect(box).toMatchObject({ x: 60 });
  expect(box!.y).toBeGreaterThan(150);
  expect(box!.y + box!.height).toBeLessThan(172);
  const [word] = boxesOf(page, page.text.indexOf("stands"), page.text.indexOf("stands") + 6);
  expect(word!.x).toBeGreaterThan(90);
  expect(word!.width).toBeLessThan(box!.width / 2);
});

test("the title in the file's properties is returned", async () => {
  const pdf = await PDFDocument.load(await pdfOf([lines(["Text."])]));
  pdf.setTitle("Annual report");
  expect((await extract(await pdf.save())).title).toBe("Annual report");
});

test("a file on the disk is read by the worker itself", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-pdf-"));
  const path = join(folder, "upload");
  await writeFile(path, await pdfOf([lines(["From the disk."])]));
  expect((await extract(path)).pages[0]?.text).toBe("From the disk.");
  await rm(folder, { recursive: true });
});

test("a file is a PDF by its bytes", async () => {
  expect(looksLikePdf(await pdfOf([[]]))).toBe(true);
  expect(looksLikePdf(Buffer.from('{"file": "/etc/passwd"}'))).toBe(false);
  expect(looksLikePdf(new Uint8Array())).toBe(false);
});

test("a file of images has no text", async () => {
  await expect(extract(await pdfOf([[], []]))).rejects.toMatchObject({ code: "no_text" });
});

test("a file that is cut off, not a PDF, or without pages is unreadable", async () => {
  const whole = await pdfOf([lines(["Text."])]);
  for (const bytes of [whole.subarray(0, 200), Buffer.from("%PDF-1.7\nnothing more"), new Uint8Array(0)])
    await expect(extract(bytes)).rejects.toMatchObject({ code: "unreadable_document" });
  const empty = rawPdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"]);
  await expect(extract(empty)).rejects.toMatchObject({ code: "unreadable_document" });
});

test("an encrypted file is unreadable and the message says why", async () => {
  const secret = "<0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef>";
  const locked = rawPdf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R >>",
      `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O ${secret} /U ${secret} >>`,
    ],
    "/Encrypt 4 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]",
  );
  await expect(extract(locked)).rejects.toMatchObject({
    code: "unreadable_document",
    message: expect.stringContaining("encrypted") as string,
  });
});

test("[S27] a file with too many pages is rejected", async () => {
  const bytes = await pdfOf(Array.from({ length: 12 }, () => lines(["Text."])));
  await expect(extract(bytes, { limits: { maxPages: 10 } })).rejects.toMatchObject({
    code: "unreadable_document",
    message: expect.stringContaining("12 pages") as string,
  });
});

test("a file with more text than allowed is rejected", async () => {
  const bytes = await pdfOf(Array.from({ length: 4 }, () => lines([...left, ...right])));
  await expect(extract(bytes, { limits: { maxChunks: 0 } })).rejects.toMatchObject({
    code: "unreadable_document",
    message: expect.stringContaining("more text") as string,
  });
});

test("pages are delivered a few at a time, and a receiver that fails ends the extraction", async () => {
  const bytes = await pdfOf(Array.from({ length: 20 }, (_, i) => (i === 4 ? [] : lines([`Page ${i + 1}.`]))));
  const taken: number[] = [];
  const result = await extract(bytes, {
    onPages: async (pages) => void taken.push(...pages.map(({ page }) => page)),
  });
  expect(taken).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  expect(result).toMatchObject({ pages: [], pagesWithoutText: [5] });
  await expect(extract(bytes, { onPages: () => Promise.reject(new Error("full")) })).rejects.toThrow("full");
});

test("[S27] a stream that inflates beyond the limit is rejected", async () => {
  const content = deflateSync(
    Buffer.concat([Buffer.from("BT /F1 12 Tf (hello) Tj ET "), Buffer.alloc(48 * 1024 * 1024, " ")]),
  );
  const bomb = rawPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    Buffer.concat([
      Buffer.from(`<< /Filter /FlateDecode /Length ${content.length} >>\nstream\n`),
      content,
      Buffer.from("\nendstream"),
    ]),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ]);
  expect(bomb.length).toBeLessThan(100_000);
  await expect(extract(bomb, { limits: { maxStreamBytes: 16 * 1024 * 1024 } })).rejects.toMatchObject({
    code: "unreadable_document",
    message: expect.stringContaining("inflates") as string,
  });
});

test("[S27] a file that needs more memory than the worker has ends the worker and nothing else", async () => {
  const bytes = await pdfOf([lines(["Text."])]);
  await expect(extract(bytes, { limits: { maxHeapMb: 8 } })).rejects.toMatchObject({
    code: "unreadable_document",
    message: expect.stringContaining("memory") as string,
  });
});

test("extraction ends at the time limit and when it is aborted", async () => {
  const bytes = await pdfOf([lines(["Text."])]);
  await expect(extract(bytes, { limits: { timeoutMs: 1 } })).rejects.toMatchObject({
    code: "unreadable_document",
    message: expect.stringContaining("longer than") as string,
  });
  const caller = new AbortController();
  const reading = extract(bytes, { signal: caller.signal });
  caller.abort(new Error("left"));
  await expect(reading).rejects.toThrow("left");
});

test("[S27] a circular page tree ends", async () => {
  const circle = rawPdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R] /Count 5 >>"]);
  await expect(extract(circle, { limits: { timeoutMs: 10_000 } })).rejects.toMatchObject({
    code: "unreadable_document",
  });
});

test("500 pages arrive in small messages, one per turn of the event loop, so that it is never blocked", async () => {
  const bytes = await pdfOf(
    Array.from({ length: 500 }, (_, i) => lines([`Chapter ${i} begins here.`, ...left, ...right])),
  );
  const workerData: ExtractionInput = {
    source: bytes,
    tokenizerFile: LOCAL_TOKENIZER_FILE,
    maxPages: 500,
    maxStreamBytes: 2 ** 20,
    maxChunks: 20_000,
  };
  const worker = startWorker(new URL("./extract.worker.ts", import.meta.url), { workerData });
  const waiting = { now: 0, most: 0, pages: 0, largest: 0 };
  worker.on("message", (message: ExtractionMessage) => {
    if (message.type !== "pages" && message.type !== "chunks") return;
    waiting.now += 1;
    waiting.most = Math.max(waiting.most, waiting.now);
    waiting.largest = Math.max(waiting.largest, JSON.stringify(message).length);
    if (message.type === "pages") waiting.pages += message.pages.length;
    setImmediate(() => {
      waiting.now -= 1;
      worker.postMessage("received");
    });
  });
  await once(worker, "exit");
  expect(waiting).toMatchObject({ now: 0, most: 1, pages: 500 });
  expect(waiting.largest).toBeLessThan(200_000);
});
