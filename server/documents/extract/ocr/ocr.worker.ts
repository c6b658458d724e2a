import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { limitBuffers } from "../buffer-ceiling.ts";
import type { Box } from "../page-text.ts";
import type { OcrInput, OcrMessage } from "./ocr-message.ts";
import { findScan, type ScanImage } from "./scan-image.ts";
import { startTesseract, type Tesseract } from "./tesseract.ts";

const port = parentPort;
if (port) {
  await recognizePages(workerData as OcrInput, (message) => port.postMessage(message));
  port.close();
}

async function recognizePages(input: OcrInput, post: (message: OcrMessage) => void): Promise<void> {
  const bytes = typeof input.source === "string" ? await readFile(input.source) : input.source;
  let tesseract: Tesseract | undefined;
  limitBuffers(input.maxPixels * 4);
  const { getDocumentProxy } = await import("unpdf");
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    verbosity: 0,
    // Larger pictures are dropped before they are decoded.
    maxImageSize: input.maxPixels,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
  });
  for (const page of input.pages) {
    // One page that cannot be decoded must not hide the others.
    const scan = await findScan(pdf, page).catch(() => undefined);
    if (scan === undefined) {
      post({ page, lines: [] });
      continue;
    }
    // A blank page in a file of text does not need it.
    tesseract ??= await startTesseract(input.languages, input.languageFolder);
    const lines = await tesseract.recognize(scan.image);
    post({ page, lines: lines.map(({ text, box }) => ({ text, box: onPage(box, scan) })) });
  }
  await tesseract?.close();
}

/** From pixels of the picture to points of the page. */
function onPage(line: Box, scan: ScanImage): Box {
  const [scaleX, scaleY] = [scan.box.width / scan.image.width, scan.box.height / scan.image.height];
  return {
    x: scan.box.x + line.x * scaleX,
    y: scan.box.y + line.y * scaleY,
    width: line.width * scaleX,
    height: line.height * scaleY,
  };
}
