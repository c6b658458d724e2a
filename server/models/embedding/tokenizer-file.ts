import { readFile } from "node:fs/promises";
import { AppError, messageOf } from "../../lib/errors.ts";
import { scriptsOf } from "./known-scripts.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { createUnigram } from "./unigram.ts";
import { createWordPiece, type WordPiece } from "./wordpiece.ts";

export interface LoadedTokenizer {
  tokenizer: Tokenizer;
  /** The scripts that the vocabulary knows. */
  scripts: string[];
}

// Checked without zod: every document starts a worker that loads this module, and zod was two thirds of its code.

/** Reads the `tokenizer.json` of a model: WordPiece, as of BERT, or Unigram, as of SentencePiece. */
export function loadTokenizer(path: string): Promise<LoadedTokenizer> {
  return readTokenizer(path, "a WordPiece or Unigram tokenizer", (file) => {
    const model = recordAt(file, "model");
    if (Array.isArray(model["vocab"])) {
      const vocabulary = unigramVocabulary(model);
      return {
        tokenizer: createUnigram(vocabulary),
        scripts: scriptsOf(vocabulary.map(([piece]) => piece)),
      };
    }
    const vocabulary = wordPieceVocabulary(model);
    return { tokenizer: wordPieceOf(file, vocabulary), scripts: scriptsOf(Object.keys(vocabulary)) };
  });
}

/** Reads the `tokenizer.json` of a BERT model. */
export function loadWordPiece(path: string): Promise<WordPiece> {
  return readTokenizer(path, "a WordPiece tokenizer", (file) =>
    wordPieceOf(file, wordPieceVocabulary(recordAt(file, "model"))),
  );
}

type Json = Record<string, unknown>;

function wordPieceOf(file: unknown, vocabulary: Record<string, number>): WordPiece {
  const { normalizer } = file as Json;
  const lowercase = normalizer == null ? undefined : recordAt(file, "normalizer")["lowercase"];
  if (lowercase !== undefined && typeof lowercase !== "boolean")
    throw new Error("normalizer.lowercase is not true or false");
  return createWordPiece({ get: (piece) => vocabulary[piece] }, lowercase ?? true);
}

/** The parsed object itself: a map of its 30,000 pieces would take 65 ms of CPU more for every document. */
function wordPieceVocabulary(model: Json): Record<string, number> {
  requireType(model, "WordPiece");
  const vocabulary = recordAt(model, "vocab");
  // The vocabulary does not have a piece "constructor".
  Object.setPrototypeOf(vocabulary, null);
  for (const piece in vocabulary)
    if (!Number.isInteger(vocabulary[piece])) throw new Error(`the id of ${piece} is not a whole number`);
  return vocabulary as Record<string, number>;
}

function unigramVocabulary(model: Json): [piece: string, score: number][] {
  requireType(model, "Unigram");
  const vocabulary = model["vocab"] as [string, number][];
  for (const [index, entry] of vocabulary.entries())
    if (
      !Array.isArray(entry) ||
      entry.length !== 2 ||
      typeof entry[0] !== "string" ||
      typeof entry[1] !== "number"
    )
      throw new Error(`entry ${index} of the vocabulary is not a piece with its score`);
  return vocabulary;
}

function requireType(model: Json, type: string): void {
  if (model["type"] !== undefined && model["type"] !== type) throw new Error(`model.type is not ${type}`);
}

function recordAt(value: unknown, name: string): Json {
  const found = isRecord(value) ? value[name] : undefined;
  if (!isRecord(found)) throw new Error(`${name} is not an object`);
  return found;
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

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
