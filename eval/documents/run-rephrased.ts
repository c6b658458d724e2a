import type { EmbeddingModel } from "../../server/models/embedding/embedding-model.ts";
import { corpus } from "./corpus/corpus.ts";
import { rephrased, rephrasedUnanswerable } from "./corpus/rephrased.ts";
import { askQuestions, askUnanswerable } from "./evaluate.ts";
import { buildLibrary } from "./library.ts";
import { printGrades, printScores } from "./print.ts";
import type { SetOptions } from "./run-set.ts";

/** Measures the own corpus with questions in other words than those of the page. */
export async function runRephrased(
  models: { embedding: EmbeddingModel; documentEmbedding: EmbeddingModel },
  { inside, onMiss }: Pick<SetOptions, "inside" | "onMiss">,
): Promise<void> {
  const library = await buildLibrary(corpus.documents, models.embedding, models.documentEmbedding);
  try {
    const options = { inside, onMiss };
    printScores([["rephrased", await askQuestions(library, rephrased, options)]]);
    printGrades([["rephrased", await askUnanswerable(library, rephrasedUnanswerable, options)]]);
  } finally {
    await library.close();
  }
}
