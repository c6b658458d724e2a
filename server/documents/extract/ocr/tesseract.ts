import { createRequire } from "node:module";
import type { Box } from "../page-text.ts";
import type { GrayImage } from "./scan-image.ts";

interface TesseractLine {
  text: string;
  confidence: number;
  bbox: { x0: number; y0: number; x1: number; y1: number };
}

/** The part of `tesseract.js` that is used. Its own types need those of a browser. */
interface TesseractWorker {
  recognize(
    image: Buffer,
    options: object,
    output: { text: boolean; blocks: boolean },
  ): Promise<{ data: { blocks: { paragraphs: { lines: TesseractLine[] }[] }[] | null } }>;
  terminate(): Promise<unknown>;
}

interface TesseractModule {
  createWorker(languages: string[], engine: number, options: object): Promise<TesseractWorker>;
}

export interface Tesseract {
  /** The lines of a picture, with boxes in pixels. */
  recognize(image: GrayImage): Promise<{ text: string; box: Box }[]>;
  close(): Promise<void>;
}

const LSTM_ONLY = 1;
/** In percent. Stains and lines are recognized as letters with less. */
const MIN_CONFIDENCE = 40;

/** Starts the thread that recognizes text. Nothing is downloaded: the languages are files. */
export async function startTesseract(
  languages: readonly string[],
  languageFolder: string,
): Promise<Tesseract> {
  const { createWorker } = createRequire(import.meta.url)("tesseract.js") as TesseractModule;
  const worker = await createWorker([...languages], LSTM_ONLY, {
    langPath: languageFolder,
    cacheMethod: "none",
    gzip: true,
  });
  return {
    async recognize({ width, height, pixels }) {
      const header = Buffer.from(`P5\n${width} ${height}\n255\n`);
      const output = { text: false, blocks: true };
      const { data } = await worker.recognize(Buffer.concat([header, pixels]), {}, output);
      const lines = (data.blocks ?? []).flatMap((block) => block.paragraphs).flatMap((part) => part.lines);
      return lines.flatMap(({ text, confidence, bbox: { x0, y0, x1, y1 } }) =>
        confidence < MIN_CONFIDENCE
          ? []
          : [{ text: text.trim(), box: { x: x0, y: y0, width: x1 - x0, height: y1 - y0 } }],
      );
    },
    async close() {
      await worker.terminate();
    },
  };
}
