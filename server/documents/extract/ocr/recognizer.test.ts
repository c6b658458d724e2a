import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lines, pdfOf } from "../../../../test/support/pdf.ts";
import { SCANNED_TEXT, scannedPdf } from "../../../../test/support/scan.ts";
import { temporaryFolder, useTemporaryFolder } from "../../../../test/support/test-app.ts";
import { LOCAL_TOKENIZER_FILE } from "../../../models/embedding/local-model-file.ts";
import { extractDocument } from "../extract.ts";
import { boxesOf } from "../page-text.ts";
import { createRecognizer } from "./recognizer.ts";
import { rotated, toGray } from "./scan-image.ts";

const errors: unknown[] = [];
const languageFolder = await temporaryFolder();
afterAll(() => rm(languageFolder, { recursive: true, force: true }));
const onError = (error: unknown): void => void errors.push(error);
const recognize = createRecognizer({ languages: ["eng"], languageFolder, onError });

test("the text of scanned pages is recognized, turned upright, and located on the page", async () => {
  const progress: [number, number][] = [];
  const { pages, pagesWithoutText } = await extractDocument(
    scannedPdf([{}, { blank: true }, { rotate: 90 }, { size: { width: 12_000, height: 9000 } }]),
    {
      tokenizerFile: LOCAL_TOKENIZER_FILE,
      recognize,
      onRecognized: (done, total) => progress.push([done, total]),
    },
  );
  expect(errors).toEqual([]);
  const texts = pages.map(({ text }) => text.replaceAll("\n", " "));
  // A picture of 108 megapixels is skipped before it is decoded.
  expect(texts).toEqual([SCANNED_TEXT, "", SCANNED_TEXT, ""]);
  expect(pagesWithoutText).toEqual([2, 4]);
  expect(progress.at(-1)).toEqual([4, 4]);
  const [box] = boxesOf(pages[0]!, 0, "The scanned valve opens at 9 bar.".length);
  expect(box!.x).toBeGreaterThan(20);
  expect(box!.x).toBeLessThan(40);
  expect(box!.y).toBeGreaterThan(10);
  expect(box!.y + box!.height).toBeLessThan(60);
});

test("only pages without text are recognized, and none when it is off", async () => {
  const asked: number[][] = [];
  const options = { tokenizerFile: LOCAL_TOKENIZER_FILE };
  // A short letter has its text in the upper margin; without an image that is no scan.
  const mixed = await pdfOf([lines(["Printed text."]), [], lines(["Short text."], 60, 50)]);
  await extractDocument(mixed, {
    ...options,
    recognize: async (_source, pages) => {
      asked.push([...pages]);
      return [{ page: 2, lines: [{ text: "Found.", box: { x: 9, y: 9, width: 40, height: 10 } }] }];
    },
  }).then(({ pages }) => expect(pages[1]?.text).toBe("Found."));
  expect(asked).toEqual([[2]]);
  await expect(extractDocument(scannedPdf([{}]), options)).rejects.toMatchObject({ code: "no_text" });
});

test("a language without its package is an error that names the command", async () => {
  const missing = () => createRecognizer({ languages: ["tlh"], languageFolder, onError });
  expect(missing).toThrow("npm install @tesseract.js-data/tlh");
});

test("data of a language that cannot be copied fails the scan and not the start, and is copied by the next one", async () => {
  const folder = join(await useTemporaryFolder(), "ocr");
  await writeFile(folder, "a file");
  const later = createRecognizer({ languages: ["eng"], languageFolder: folder, onError });
  const recognized = () => later(scannedPdf([{}]), [1], { onPage: () => undefined });
  expect(await recognized()).toEqual([]);
  expect(errors.splice(0)).toMatchObject([{ code: "EEXIST" }]);
  await rm(folder);
  expect(await recognized()).toHaveLength(1);
  expect(await readdir(folder)).toEqual(["eng.traineddata.gz"]);
});

test("a page that takes too long ends recognition, and the pages before are kept", async () => {
  const impatient = createRecognizer({ languages: ["eng"], languageFolder, onError, pageTimeoutMs: 1 });
  expect(await impatient(scannedPdf([{}]), [1], { onPage: () => undefined })).toEqual([]);
  expect(errors.splice(0).map(String)).toEqual(["Error: A page took longer than 1 ms."]);
});

test("large pictures are reduced, and turned by quarters", () => {
  const wide = { width: 8000, height: 2, kind: 3, data: new Uint8Array(64_000).fill(200) };
  expect(toGray(wide)).toMatchObject({ width: 4000, height: 1 });
  const bits = toGray({ width: 3, height: 2, kind: 1, data: Uint8Array.from([0b01000000, 0b10000000]) });
  expect([...bits.pixels]).toEqual([0, 255, 0, 255, 0, 0]);
  expect([...rotated(bits, 1).pixels]).toEqual([255, 0, 0, 255, 0, 0]);
  expect([...rotated(bits, 2).pixels]).toEqual([0, 0, 255, 0, 255, 0]);
  expect([...rotated(bits, 3).pixels]).toEqual([0, 0, 255, 0, 0, 255]);
});
