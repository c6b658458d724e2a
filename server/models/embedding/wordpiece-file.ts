import { readFile } from "node:fs/promises";
import { z } from "zod";
import { AppError, messageOf } from "../../lib/errors.ts";
import { createWordPiece, type WordPiece } from "./wordpiece.ts";

const tokenizerFile = z.object({
  model: z.object({ type: z.literal("WordPiece").optional(), vocab: z.record(z.string(), z.number().int()) }),
  normalizer: z.object({ lowercase: z.boolean().optional() }).nullish(),
});

/** Reads the `tokenizer.json` of a model. */
export async function loadWordPiece(path: string): Promise<WordPiece> {
  try {
    const file = tokenizerFile.parse(JSON.parse(await readFile(path, "utf8")));
    return createWordPiece(new Map(Object.entries(file.model.vocab)), file.normalizer?.lowercase ?? true);
  } catch (error) {
    throw new AppError(
      "embedding_not_configured",
      `${path} is not a WordPiece tokenizer: ${messageOf(error).slice(0, 200)}`,
      { cause: error },
    );
  }
}
