import { execFile } from "node:child_process";
import { openAsBlob } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { extractDocument } from "../../server/documents/extract/extract.ts";
import { AppError } from "../../server/lib/errors.ts";
import { LOCAL_TOKENIZER_FILE } from "../../server/models/embedding/local-model-file.ts";

/**
 * Reads the PDFs of a folder and compares words and their order with `pdftotext` of poppler:
 * `npm run eval:pdfs -- <folder> [--every n] [--service http://127.0.0.1:3000]`.
 * With `--service`, each file is also uploaded to that service, with the access token of `BATON_TOKEN`, and deleted again. Files
 * that are refused with an error code are fine. Any other error, or a response of 5xx, is a bug and fails the run.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: { type: "string", default: "1" }, service: { type: "string" } },
});
const pdftotext = promisify(execFile);
const LANES = 2;

interface Comparison {
  words: number;
  found: number;
  pairs: number;
  inOrder: number;
}

async function main(): Promise<void> {
  const folder = positionals[0] ?? ".";
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.pdf$/i.test(name)).sort();
  const chosen = names.filter((_, i) => i % Number(values.every) === 0);
  const [outcomes, responses] = [new Map<string, number>(), new Map<string, number>()];
  const sum: Comparison = { words: 0, found: 0, pairs: 0, inOrder: 0 };
  let bugs = 0;
  const waiting = chosen.values();
  const lane = async (): Promise<void> => {
    for (const name of waiting) {
      const path = join(folder, name);
      const outcome = await read(path).catch((error: unknown) => error);
      if (typeof outcome === "string") {
        count(outcomes, "read");
        const result = compare(await reference(path), outcome);
        for (const key of ["words", "found", "pairs", "inOrder"] as const) sum[key] += result[key];
        if (result.words > 20 && result.inOrder < result.pairs * 0.7)
          console.log(
            `${percent(result.found, result.words)} words, ${percent(result.inOrder, result.pairs)} in order  ${name}`,
          );
      } else if (outcome instanceof AppError) {
        count(outcomes, outcome.code);
        console.log(`${outcome.message}  ${name}`);
      } else {
        bugs += 1;
        console.log(`BUG ${String(outcome)}  ${name}`);
      }
      if (values.service === undefined) continue;
      const response = await upload(values.service, path);
      count(responses, response);
      if (!/^[24]/.test(response)) {
        bugs += 1;
        console.log(`BUG upload: ${response}  ${name}`);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  console.log(`\n${chosen.length} files: ${inWords(outcomes)}, ${bugs} bugs`);
  if (values.service !== undefined) console.log(`uploads: ${inWords(responses)}`);
  console.log(
    `words of pdftotext found: ${percent(sum.found, sum.words)}; adjacent words in the same order: ${percent(sum.inOrder, sum.pairs)}`,
  );
  if (bugs > 0) process.exitCode = 1;
}

/** The status and the error code, or what went wrong instead of a response. */
async function upload(service: string, path: string): Promise<string> {
  const documents = `${service}/api/v1/documents`;
  const headers = { authorization: `Bearer ${process.env["BATON_TOKEN"] ?? ""}` };
  const body = new FormData();
  body.append("file", await openAsBlob(path), basename(path));
  try {
    const response = await fetch(`${documents}/upload`, { method: "POST", headers, body });
    const { document_id: id, error } = (await response.json()) as { document_id?: string; error?: string };
    if (id !== undefined) await fetch(`${documents}/${id}`, { method: "DELETE", headers });
    return error === undefined ? `${response.status}` : `${response.status} ${error}`;
  } catch (error) {
    return String(error);
  }
}

async function read(path: string): Promise<string> {
  const { pages } = await extractDocument(path, { tokenizerFile: LOCAL_TOKENIZER_FILE });
  return pages.map(({ text }) => text).join("\n");
}

async function reference(path: string): Promise<string> {
  try {
    return (await pdftotext("pdftotext", [path, "-"], { maxBuffer: 2 ** 28 })).stdout;
  } catch {
    return "";
  }
}

function compare(expected: string, actual: string): Comparison {
  const [wanted, got] = [wordsOf(expected), wordsOf(actual)];
  return {
    words: wanted.length,
    found: common(wanted, got),
    pairs: Math.max(0, wanted.length - 1),
    inOrder: common(pairsOf(wanted), pairsOf(got)),
  };
}

/** Words without punctuation; a word divided at the end of a line is one. */
function wordsOf(text: string): string[] {
  const joined = text.normalize("NFKC").replace(/(\p{L})[-\u00ad]\s*\n\s*(?=\p{Ll})/gu, "$1");
  return joined.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

const pairsOf = (words: readonly string[]): string[] =>
  words.slice(1).map((word, i) => `${words[i] ?? ""} ${word}`);

/** How many of the first list are also in the second, each copy once. */
function common(wanted: readonly string[], got: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of got) count(left, word);
  return wanted.filter((word) => {
    const copies = left.get(word) ?? 0;
    if (copies > 0) left.set(word, copies - 1);
    return copies > 0;
  }).length;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const inWords = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([key, n]) => `${n} ${key}`).join(", ");

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((part / whole) * 100).toFixed(1)} %`;
}

await main();
