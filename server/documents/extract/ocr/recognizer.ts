import { copyFile, mkdir, rename, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { startWorker } from "../../../lib/worker-file.ts";
import type { OcrInput, OcrMessage } from "./ocr-message.ts";

export interface RecognizeOptions {
  signal?: AbortSignal | undefined;
  /** Called after every page. */
  onPage(done: number): void;
}

/** Recognizes the text of scanned pages of a PDF. Pages that fail have no lines. Rejects only when it is aborted. */
export type Recognize = (
  source: Uint8Array | string,
  pages: readonly number[],
  options: RecognizeOptions,
) => Promise<OcrMessage[]>;

interface RecognizerDeps {
  languages: readonly string[];
  /** Receives the data of the languages. */
  languageFolder: string;
  onError(error: unknown, what: string): void;
  pageTimeoutMs?: number;
}

/** A dense page takes three seconds on an idle core. */
const PAGE_TIMEOUT_MS = 60_000;
/** Leaves time for the rest of the ingestion, which ends after 30 minutes. */
const TOTAL_TIMEOUT_MS = 20 * 60_000;
/** A page of A3 at 400 dots per inch has 31 million. */
const MAX_PIXELS = 40_000_000;
const MAX_HEAP_MB = 512;

/** Throws when the package of a language is not installed. */
export function createRecognizer({
  languages,
  languageFolder,
  onError,
  pageTimeoutMs = PAGE_TIMEOUT_MS,
}: RecognizerDeps): Recognize {
  const sources = languages.map(languageFile);
  let copied: Promise<void> | undefined;

  return async (source, pages, { signal, onPage }) => {
    const input: OcrInput = { source, pages, languages, languageFolder, maxPixels: MAX_PIXELS };
    signal?.throwIfAborted();
    try {
      copied ??= copyMissing(sources, languageFolder);
      await copied;
    } catch (error) {
      copied = undefined;
      onError(error, "copying the data of the OCR languages");
      return [];
    }
    const worker = startWorker(new URL("./ocr.worker.ts", import.meta.url), {
      workerData: input,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 32 },
    });
    const recognized: OcrMessage[] = [];
    try {
      await new Promise<void>((resolve, reject) => {
        const expire = (): void => reject(new Error(`A page took longer than ${pageTimeoutMs} ms.`));
        let timer = setTimeout(expire, pageTimeoutMs);
        const endsAt = performance.now() + TOTAL_TIMEOUT_MS;
        const end = (settle: () => void) => (): void => {
          clearTimeout(timer);
          settle();
        };
        worker.on("message", (message: OcrMessage) => {
          clearTimeout(timer);
          timer = setTimeout(expire, pageTimeoutMs);
          recognized.push(message);
          onPage(recognized.length);
          if (performance.now() > endsAt) end(resolve)();
        });
        worker.on("error", (error) => end(() => reject(error as Error))());
        worker.on("exit", end(resolve));
        signal?.addEventListener("abort", end(resolve), { once: true });
      });
    } catch (error) {
      // The pages so far are kept: a document with some text is better than none.
      onError(error, "recognizing the text of scanned pages");
    } finally {
      await worker.terminate();
    }
    signal?.throwIfAborted();
    return recognized;
  };
}

/** At the first scan in place of the start, so that a service without scans, or on a full disk, starts without them. */
async function copyMissing(sources: readonly string[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const source of sources) {
    const target = join(folder, basename(source));
    const [wanted, found] = await Promise.all([stat(source), stat(target).catch(() => undefined)]);
    if (found?.size === wanted.size) continue;
    // Another process that shares the folder may read the file.
    const unfinished = `${target}.${process.pid}`;
    await copyFile(source, unfinished);
    await rename(unfinished, target);
  }
}

function languageFile(language: string): string {
  try {
    const description = createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/package.json`);
    return join(dirname(description), "4.0.0_best_int", `${language}.traineddata.gz`);
  } catch (cause) {
    throw new Error(
      `OCR_LANGUAGES names "${language}", whose data is not installed. Run: npm install @tesseract.js-data/${language}`,
      { cause },
    );
  }
}
