import { readFile } from "node:fs/promises";
import { z } from "zod";
import { AppError, messageOf } from "../../lib/errors.ts";
import { scriptsOf } from "./known-scripts.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { createUnigram } from "./unigram.ts";
import { createWordPiece, type WordPiece } from "./wordpiece.ts";

/** Not a `z.record`: its 30,000 entries took 80 ms for every document. */
const vocabulary = z.custom<Record<string, number>>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(Number.isInteger),
);

const wordPieceFile = z.object({
  model: z.object({ type: z.literal("WordPiece").optional(), vocab: vocabulary }),
  normalizer: z.object({ lowercase: z.boolean().optional() }).nullish(),
});

const unigramFile = z.object({
  model: z.object({
    type: z.literal("Unigram").optional(),
    vocab: z.array(z.tuple([z.string(), z.number()])),
  }),
});

export interface LoadedTokenizer {
  tokenizer: Tokenizer;
  /** The scripts that the vocabulary knows. */
  scripts: string[];
}

/** Reads the `tokenizer.json` of a model: WordPiece, as of BERT, or Unigram, as of SentencePiece. */
export function loadTokenizer(path: string): Promise<LoadedTokenizer> {
  return readTokenizer(path, "a WordPiece or Unigram tokenizer", (file) => {
    if (isUnigram(file)) {
      const { vocab } = unigramFile.parse(file).model;
      return { tokenizer: createUnigram(vocab), scripts: scriptsOf(vocab.map(([piece]) => piece)) };
    }
    const { model } = wordPieceFile.parse(file);
    return { tokenizer: wordPieceOf(file), scripts: scriptsOf(Object.keys(model.vocab)) };
  });
}

/** Reads the `tokenizer.json` of a BERT model. */
export function loadWordPiece(path: string): Promise<WordPiece> {
  return readTokenizer(path, "a WordPiece tokenizer", wordPieceOf);
}

function wordPieceOf(json: unknown): WordPiece {
  const file = wordPieceFile.parse(json);
  return createWordPiece(new Map(Object.entries(file.model.vocab)), file.normalizer?.lowercase ?? true);
}

const isUnigram = (file: unknown): boolean =>
  z.object({ model: z.object({ vocab: z.array(z.unknown()) }) }).safeParse(file).success;

async function readTokenizer<T>(path: string, kind: string, parse: (file: unknown) => T): Promise<T> {
  try {
    return parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    throw new AppError(
      "embedding_not_configured",
      `${path} is not ${kind}: ${messageOf(error).slice(0, 200)}`,
      { cause: error },
    );
  }
}
