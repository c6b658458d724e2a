import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { corpus, paraphrases, tableQuestions } from "../../../eval/documents/corpus/corpus.ts";
import { toSetQuestion } from "../../../eval/documents/corpus/corpus-types.ts";
import { offTopic } from "../../../eval/documents/corpus/unanswerable.ts";
import { askQuestions, askUnanswerable, gradesOf, scoresOf } from "../../../eval/documents/evaluate.ts";
import { buildLibrary, type Library } from "../../../eval/documents/library.ts";
import { linkLocalModel } from "../../../test/support/local-model.ts";
import { temporaryFolder } from "../../../test/support/test-app.ts";
import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import { createLocalEmbedding } from "../../models/embedding/onnx-embedding.ts";

// A fixed part of the evaluation, with every kind of document and the families that are hard to distinguish.
const SUBSET =
  /^(pump|lease)-|^(ferry-timetable|alloy-datasheet|article-bumblebees|article-lime-mortar|letter-hospital|minutes-bridge)$/;
// Short documents in seven languages, asked about in everyday words, and tables.
const EVERYDAY =
  /^(museum-leaflet|router-guide|de-fahrradverleih|es-piscina|ru-library|zh-leave|ja-pool|ar-library|orchards-accounts|energy-tariffs)$/;
const documents = corpus.documents.filter(({ id }) => SUBSET.test(id) || EVERYDAY.test(id));
const questions = corpus.questions.filter(({ document }) => SUBSET.test(document)).map(toSetQuestion);
const everyday = paraphrases.filter(({ document }) => EVERYDAY.test(document)).map(toSetQuestion);
const figures = tableQuestions.filter(({ document }) => EVERYDAY.test(document)).map(toSetQuestion);

let folder: string;
let embedding: EmbeddingModel;
let library: Library;

beforeAll(async () => {
  folder = await temporaryFolder();
  await linkLocalModel(folder);
  embedding = createLocalEmbedding({ modelFolder: join(folder, "models") });
  library = await buildLibrary(documents, embedding);
  // Embedding takes 30 s of CPU time, which a busy machine may stretch to minutes.
}, 600_000);

afterAll(async () => {
  await embedding.close();
  await library.close();
  await rm(folder, { recursive: true });
});

/** The last measured scores of the subset, minus one point. */
const FLOOR = { pageHitAt1: 0.959, pageHitAt5: 0.99, ndcgAt10: 0.979, answerHit: 0.939 };

test(
  "retrieval finds the right page at least as often as in the last measurement",
  { timeout: 600_000 },
  async () => {
    const scores = scoresOf(await askQuestions(library, questions));
    expect(scores.questions).toBe(98);
    expect(scores.pageHitAt1).toBeGreaterThanOrEqual(FLOOR.pageHitAt1);
    expect(scores.pageHitAt5).toBeGreaterThanOrEqual(FLOOR.pageHitAt5);
    expect(scores.ndcgAt10).toBeGreaterThanOrEqual(FLOOR.ndcgAt10);
    expect(scores.answerHit).toBeGreaterThanOrEqual(FLOOR.answerHit);
    expect(scores.rightAmongHigh).toBeGreaterThanOrEqual(0.958);
    expect(scores.wronglyRefused).toBeLessThanOrEqual(0.02);
  },
);

test(
  "everyday words in seven languages, and tables, find the right page as in the last measurement",
  { timeout: 600_000 },
  async () => {
    const words = scoresOf(await askQuestions(library, everyday));
    const tables = scoresOf(await askQuestions(library, figures));
    expect([words.questions, tables.questions]).toEqual([55, 17]);
    // The last measured scores, minus two of 55 and one of 17 questions.
    expect(words.pageHitAt1).toBeGreaterThanOrEqual(12 / 55);
    expect(words.pageHitAt5).toBeGreaterThanOrEqual(33 / 55);
    expect(words.wronglyRefused).toBeLessThanOrEqual(20 / 55);
    expect(tables.pageHitAt1).toBeGreaterThanOrEqual(14 / 17);
    expect(tables.pageHitAt5).toBeGreaterThanOrEqual(16 / 17);
  },
);

test(
  "off-topic questions are refused or get the closest passages, never a confident answer",
  { timeout: 600_000 },
  async () => {
    const { none, high } = gradesOf(
      await askUnanswerable(
        library,
        offTopic.map((question) => ({ question })),
      ),
    );
    // The last measured share, minus two of 85 questions.
    expect(none).toBeGreaterThanOrEqual(66 / 85);
    expect(high).toBe(0);
  },
);
