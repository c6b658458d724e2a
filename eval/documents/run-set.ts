import type { EmbeddingModel } from "../../server/models/embedding/embedding-model.ts";
import { readEvalSet, type SetQuestion } from "./eval-set.ts";
import { gradeUnanswerable, type Miss, scoreQuestions } from "./evaluate.ts";
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
    const groups = byLanguage(answerable);
    if (groups.length > 1)
      for (const [language, group] of groups)
        printScores(`${language}, ${place}`, await scoreQuestions(library, group, { inside }));
    if (answerable.length > 0)
      printScores(place, await scoreQuestions(library, answerable, { inside, onMiss }));
    const unanswerable = asked.filter((question) => question.answerable === false);
    if (unanswerable.length > 0)
      printGrades(
        `without an answer, ${place}`,
        unanswerable.length,
        await gradeUnanswerable(library, unanswerable, { inside, onMiss }),
      );
  } finally {
    await library.close();
  }
}

function byLanguage(questions: readonly SetQuestion[]): [string, SetQuestion[]][] {
  const languages = [...new Set(questions.map(languageOf))];
  return languages.map((language) => [language, questions.filter((asked) => languageOf(asked) === language)]);
}

function languageOf({ language }: SetQuestion): string {
  return language ?? "other";
}
