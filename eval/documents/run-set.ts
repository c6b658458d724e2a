import type { EmbeddingModel } from "../../server/models/embedding/embedding-model.ts";
import { readEvalSet } from "./eval-set.ts";
import { askQuestions, askUnanswerable, type Miss } from "./evaluate.ts";
import { buildLibrary } from "./library.ts";
import { printGrades, printScores } from "./print.ts";

export interface SetOptions {
  /** Ask only the document that a question names. */
  inside: boolean;
  /** Ask only this many questions. */
  limit?: number | undefined;
  onMiss?: ((miss: Miss) => void) | undefined;
}

/** Measures one set: all its questions, and each language where it has several. */
export async function runSet(
  path: string,
  models: { embedding: EmbeddingModel; documentEmbedding: EmbeddingModel },
  { inside, limit, onMiss }: SetOptions,
): Promise<void> {
  const { name, documents, questions } = await readEvalSet(path);
  const asked = questions.slice(0, limit);
  const library = await buildLibrary(documents, models.embedding, models.documentEmbedding);
  try {
    console.log(`${name}: ${documents.length} documents, ${library.pages} pages, ${library.chunks} chunks`);
    const place = inside ? "inside its document" : "all documents";
    const answerable = asked.filter((question) => question.answerable !== false);
    const outcomes = await askQuestions(library, answerable, { inside, onMiss });
    const languages = [...new Set(answerable.map(({ language }) => language ?? "other"))];
    printScores([
      [place, outcomes],
      ...(languages.length > 1 ? languages : []).map(
        (language) => [language, outcomes.filter((o) => (o.asked.language ?? "other") === language)] as const,
      ),
    ]);
    const unanswerable = asked.filter((question) => question.answerable === false);
    if (unanswerable.length > 0)
      printGrades([[place, await askUnanswerable(library, unanswerable, { inside, onMiss })]]);
  } finally {
    await library.close();
  }
}
