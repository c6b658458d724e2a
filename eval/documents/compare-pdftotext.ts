import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { extractDocument } from "../../server/documents/extract/extract.ts";
import { AppError } from "../../server/lib/errors.ts";
import { LOCAL_TOKENIZER_FILE } from "../../server/models/embedding/local-model-file.ts";

/**
 * Reads every PDF of a folder and compares words and their order with `pdftotext` of poppler:
 * `node scripts/run.mjs eval/documents/compare-pdftotext.ts <folder> [--first n] [--count n]`.
 * Files that are refused with an error code are fine. Any other error is a bug and fails the run.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { first: { type: "string", default: "0" }, count: { type: "string", default: "1000000" } },
});
const pdftotext = promisify(execFile);

interface Comparison {
  words: number;
  found: number;
  pairs: number;
  inOrder: number;
}

async function main(): Promise<void> {
  const folder = positionals[0] ?? ".";
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.pdf$/i.test(name)).sort();
  const chosen = names.slice(Number(values.first), Number(values.first) + Number(values.count));
  const outcomes = new Map<string, number>();
  const sum: Comparison = { words: 0, found: 0, pairs: 0, inOrder: 0 };
  let bugs = 0;
  for (const name of chosen) {
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
  }
  console.log(
    `\n${chosen.length} files: ${[...outcomes].map(([code, n]) => `${n} ${code}`).join(", ")}, ${bugs} bugs`,
  );
  console.log(
    `words of pdftotext found: ${percent(sum.found, sum.words)}; adjacent words in the same order: ${percent(sum.inOrder, sum.pairs)}`,
  );
  if (bugs > 0) process.exitCode = 1;
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

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((part / whole) * 100).toFixed(1)} %`;
}

await main();
