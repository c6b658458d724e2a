import { expect, test } from "vitest";
import { type EmbeddingModel, toUnitLength } from "../../models/embedding/embedding-model.ts";
import { createChunkIndexer } from "../ingest/index-chunks.ts";
import { createMemoryStore } from "../testing/memory-store.ts";
import { findCandidates } from "./candidates.ts";
import { createRetriever, mergeRetrievals } from "./retrieve.ts";
import { createVectorIndex } from "./vector-index.ts";

const QUERY = "comet return";
const OWNER = "user_a";

/** Distances as a test says, without any relation to words: the first number is the cosine with the question. */
function embeddingOf(cosines: Record<string, number>): EmbeddingModel {
  const vectorOf = (text: string): Float32Array => {
    const cosine = text === QUERY ? 1 : (cosines[text] ?? 0);
    return Float32Array.from({ length: 64 }, (_, i) =>
      i === 0 ? cosine : i === 1 ? Math.sqrt(1 - cosine ** 2) : 0,
    );
  };
  return {
    id: "scripted",
    dimensions: 64,
    embed: (texts) => Promise.resolve(texts.map((text) => toUnitLength(vectorOf(text)))),
    close: () => Promise.resolve(),
  };
}

/** A library with one chunk per text. */
async function libraryOf(texts: readonly string[], embedding: EmbeddingModel) {
  const store = createMemoryStore();
  const index = createVectorIndex({ id: embedding.id, dimensions: 64 });
  const documentId = "doc_1";
  const chunks = texts.map((text, ordinal) => ({
    documentId,
    ordinal,
    chunkId: `chunk_${ordinal}`,
    title: "T",
    text,
    spans: [{ page: 1, start: 0, end: text.length }],
  }));
  const indexer = createChunkIndexer(embedding, "T", new AbortController().signal);
  const indexed = await indexer.add(chunks);
  index.add({ documentId, ownerId: OWNER, ...indexer.finish() });
  const sentences = indexed.map((chunk) => chunk.sentences);
  store.add({ documentId, ownerId: OWNER, pages: [], chunks, sentences });
  return { store, index, embedding };
}

test("words, the chunk's vector and the vector of one sentence each find a chunk alone", async () => {
  const others = Array.from({ length: 400 }, (_, i) => `Remark ${i}.`);
  const texts = [
    "Many things. It will be seen again in 2081. More things.",
    "It orbits for decades.",
    "A comet.",
    ...others,
  ];
  const embedding = embeddingOf({
    "It will be seen again in 2081.": 0.7,
    "T\nIt orbits for decades.": 0.7,
    "T\nMany things. It will be seen again in 2081. More things.": -0.5,
    "It orbits for decades.": -0.5,
    "T\nA comet.": -0.5,
    "A comet.": -0.5,
    ...Object.fromEntries(others.flatMap((text) => [`T\n${text}`, text]).map((text) => [text, 0.2])),
  });
  const library = await libraryOf(texts, embedding);
  const { candidates } = await findCandidates({ query: QUERY, scope: { ownerId: OWNER } }, library);
  expect(candidates.length).toBeLessThan(texts.length);
  const byOrdinal = (ordinal: number) => candidates.find((candidate) => candidate.ordinal === ordinal);
  expect(byOrdinal(0)?.sentenceCosines).toHaveLength(3);
  expect(byOrdinal(0)?.sentenceCosine).toBeCloseTo(0.7, 1);
  expect(byOrdinal(1)?.cosine).toBeCloseTo(0.7, 1);
  expect(byOrdinal(2)?.coverage).toBeGreaterThan(0.4);
});

test("a question is embedded without its instructions", async () => {
  const embedding = embeddingOf({});
  const library = await libraryOf(["A comet."], embedding);
  const embedded: string[] = [];
  const recording: EmbeddingModel = {
    ...embedding,
    embed(texts) {
      embedded.push(...texts);
      return embedding.embed(texts);
    },
  };
  const query = "When does the comet return? Answer in USD.";
  const scope = { ownerId: OWNER };
  const { question } = await findCandidates({ query, scope }, { ...library, embedding: recording });
  expect(embedded).toEqual(["When does the comet return?"]);
  expect(question).toMatchObject({ text: query, unknownNames: [] });
});

test("a chunk of an older index counts with its own cosine", async () => {
  const embedding = embeddingOf({ "T\nA comet.": 0.6, "A comet.": 0.9 });
  const { store, index } = await libraryOf(["A comet."], embedding);
  const evidence: typeof store.evidence = async (...args) =>
    (await store.evidence(...args)).map((entry) => ({ ...entry, sentences: null }));
  const old = { embedding, index, store: { ...store, evidence } };
  const { candidates } = await findCandidates({ query: QUERY, scope: { ownerId: OWNER } }, old);
  expect(candidates).toMatchObject([{ sentenceCosines: [] }]);
  expect(candidates[0]?.sentenceCosine).toBe(candidates[0]?.cosine);
});

test("in a script that the model does not know, words replace every cosine", async () => {
  const near = { "T\n彗星每年回来。": 0.9, "彗星每年回来。": 0.9, "T\n今天下雨。": 0.9, "今天下雨。": 0.9 };
  const library = await libraryOf(["彗星每年回来。", "今天下雨。"], embeddingOf(near));
  const ask = (knownScriptShare: number) =>
    findCandidates(
      { query: "彗星何时回来？", scope: { ownerId: OWNER } },
      { ...library, embedding: { ...library.embedding, knownScriptShare: () => knownScriptShare } },
    );
  const { candidates } = await ask(0);
  const [comet, rain] = candidates.toSorted((a, b) => a.ordinal - b.ordinal);
  expect(comet).toMatchObject({ cosine: 1, sentenceCosines: [1], sentenceCosine: 1, coverage: 1 });
  expect(rain).toMatchObject({ cosine: 0, sentenceCosines: [0], sentenceCosine: 0, coverage: 0 });
  const half = (await ask(0.5)).candidates.find(({ ordinal }) => ordinal === 0);
  expect(half?.cosine).toBeLessThan(1);
  expect(half?.cosine).toBeGreaterThan(0.4);
});

test("keywords whose language is not recognized find the words of the document's language", async () => {
  const texts = ["Die Wohnung und der Keller sind neu.", "The rent is due on the first day."];
  const library = await libraryOf(texts, embeddingOf({}));
  const coverageOf = async (query: string, ordinal: number) => {
    const { candidates } = await findCandidates({ query, scope: { ownerId: OWNER } }, library);
    return candidates.find((candidate) => candidate.ordinal === ordinal)?.coverage;
  };
  expect(await coverageOf("Wohnungen Keller", 0)).toBe(1);
  expect(await coverageOf("rents", 1)).toBe(1);
});

test("a name is unknown if no chunk of the scope contains it", async () => {
  const library = await libraryOf(["The comet of Halley returns in 2061."], embeddingOf({}));
  const unknownNames = async (query: string) =>
    (await findCandidates({ query, scope: { ownerId: OWNER } }, library)).question.unknownNames;
  expect(await unknownNames("When does the comet of Halley return?")).toEqual([]);
  expect(await unknownNames("When does the comet of Encke return?")).toEqual(["Encke"]);
});

test("a misspelled name, and one that other documents contain, is not unknown", async () => {
  const retrievalOf = async (text: string) => {
    const retrieve = createRetriever(await libraryOf([text], embeddingOf({})));
    return retrieve({ query: "Who are Encke and Haley?", scope: { ownerId: OWNER }, topK: 5 });
  };
  const halley = await retrievalOf("Halley calculated orbits.");
  expect(halley.question.unknownNames).toEqual(["Encke"]);
  const encke = await retrievalOf("Encke found a comet.");
  expect(encke.question.unknownNames).toEqual(["Haley"]);
  expect(mergeRetrievals([halley, encke]).question.unknownNames).toEqual([]);
});

test("a question in another language than the model's counts words and vectors half each", async () => {
  const library = await libraryOf(
    ["Der Komet kommt."],
    embeddingOf({ "T\nDer Komet kommt.": 1, "Der Komet kommt.": 1 }),
  );
  const ask = async (query: string) =>
    (
      await findCandidates(
        { query, scope: { ownerId: OWNER } },
        { ...library, embedding: { ...library.embedding, language: "en" } },
      )
    ).candidates[0];
  const german = await ask("Wann kommt der Komet?");
  expect(german).toMatchObject({ coverage: 1 });
  expect(german?.cosine).toBeCloseTo(0.5, 1);
  const english = await ask("What is a Komet?");
  expect(english).toMatchObject({ coverage: 1 });
  expect(english?.cosine).toBeCloseTo(0, 1);
});

test("a statement that a question names is found by its heading, and by its words where no document has it", async () => {
  const query = "How much grain is on the balance sheet?";
  const embedding = embeddingOf({});
  const mention = "The balance sheet is audited. Grain is stored dry.";
  const statement = "Statement of financial position\nGrain 40";
  const coverageIn = async (texts: readonly string[]): Promise<(number | undefined)[]> => {
    const { candidates } = await findCandidates(
      { query, scope: { ownerId: OWNER } },
      await libraryOf(texts, embedding),
    );
    return texts.map((_, i) => candidates.find(({ ordinal }) => ordinal === i)?.coverage);
  };
  const [ofStatement, ofMention] = await coverageIn([statement, mention]);
  expect(ofStatement).toBe(1);
  expect(ofMention).toBeLessThan(0.6);
  expect(await coverageIn([mention])).toEqual([1]);
});

test("a chunk is marked as part of a statement that the question is about", async () => {
  const texts = ["Statements of Cash Flows\nPurchases of equipment 78", "Capital expenditure fell to 78."];
  const marked = async (query: string) => {
    const { candidates } = await findCandidates(
      { query, scope: { ownerId: OWNER } },
      await libraryOf(texts, embeddingOf({})),
    );
    return texts.map((_, i) => candidates.find(({ ordinal }) => ordinal === i)?.isOfStatement);
  };
  expect(await marked("How high was capital expenditure?")).toEqual([true, false]);
  expect(await marked("Why did capital expenditure fall?")).toEqual([false, false]);
});
