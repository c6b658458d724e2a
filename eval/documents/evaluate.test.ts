import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { wordVectors } from "../../server/documents/testing/word-vectors.ts";
import { readEvalSet } from "./eval-set.ts";
import { askQuestions, askUnanswerable, gradesOf, scoresOf } from "./evaluate.ts";
import { buildLibrary } from "./library.ts";
import { cacheVectors } from "./vector-cache.ts";

const documents = [
  {
    id: "travel",
    title: "Travel policy",
    pages: ["Book every train journey in advance.", "The company pays for a taxi after ten o'clock."],
  },
  { id: "garten", title: "Gartenordnung", pages: ["Äste über dem Weg schneidet der Pächter im März."] },
];
const travel = { document: "travel", question: "Who pays for a taxi?", answers: ["The company"] };

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "baton-eval-test-"));
});

afterAll(() => rm(folder, { recursive: true }));

async function write(set: unknown): Promise<string> {
  const path = join(folder, "set.json");
  await writeFile(path, JSON.stringify(set));
  return path;
}

test("a set is scored by the pages that contain an answer or that a question names", async () => {
  const questions = [
    travel,
    { document: "travel", question: "When does the company pay for a taxi?", pages: [1] },
    { question: "Wer schneidet Äste über dem Weg?", answers: ["pächter"] },
    { document: "travel", question: "Who pays for a taxi?", answerable: false },
  ];
  const set = await readEvalSet(await write({ name: "small", documents, questions }));
  const library = await buildLibrary(set.documents, wordVectors);
  const answerable = set.questions.filter((question) => question.answerable !== false);
  const scores = scoresOf(await askQuestions(library, answerable));
  expect(library).toMatchObject({ pages: 3, chunks: 2 });
  expect(scores).toMatchObject({ questions: 3, firstQuoteHit: 1, answerHit: 1, wronglyRefused: 0 });
  expect(scores.pageHitAt1).toBeCloseTo(2 / 3);
  expect(scores.rightAmongHigh).toBeLessThan(1);
  const { none } = gradesOf(await askUnanswerable(library, [{ question: "Why do whales sing?" }]));
  expect(none).toBe(1);
  await library.close();
});

test("a document of a set can be a file, and has the title that the set gives it", async () => {
  const html = "<!doctype html><title>Draft</title><p>The oil is changed after 500 hours.</p>";
  await writeFile(join(folder, "notes.html"), html);
  const notes = { id: "notes", title: "Pump manual", file: "notes.html" };
  const question = {
    document: "notes",
    question: "When is the oil changed?",
    answers: ["500 hours"],
    pages: [1],
  };
  const set = await readEvalSet(await write({ name: "x", documents: [notes], questions: [question] }));
  const library = await buildLibrary(set.documents, wordVectors);
  const [answer] = await askQuestions(library, set.questions);
  expect(answer).toMatchObject({ rank: 0 });
  const got: string[] = [];
  await askUnanswerable(library, [{ question: "When is the oil changed?" }], {
    onMiss: (miss) => void got.push(miss.got),
  });
  expect(got[0]).toMatch(/^Pump manual:1 /);
  await library.close();
});

test("a set whose question names an unknown document, or whose document has no text, is refused", async () => {
  await expect(
    write({ name: "x", documents, questions: [{ ...travel, document: "hotel" }] }).then(readEvalSet),
  ).rejects.toThrow("unknown document hotel");
  await expect(
    write({ name: "x", documents: [{ id: "a", title: "A" }], questions: [travel] }).then(readEvalSet),
  ).rejects.toThrow("either pages or a file");
});

test("vectors of the cache equal those of the model, and the model embeds a text once", async () => {
  const embedded: string[] = [];
  const model = {
    ...wordVectors,
    embed(texts: readonly string[]) {
      embedded.push(...texts);
      return wordVectors.embed(texts);
    },
  };
  const first = cacheVectors(model, folder);
  await first.embed(["a taxi", "a train"]);
  await first.close();
  const second = cacheVectors(model, folder);
  expect(await second.embed(["a train", "a boat", "a taxi"])).toEqual(
    await wordVectors.embed(["a train", "a boat", "a taxi"]),
  );
  await second.close();
  expect(embedded).toEqual(["a taxi", "a train", "a boat"]);
});
