import type { ContentStore } from "../../server/documents/store/content-store.ts";
import type { DocumentStore } from "../../server/documents/store/document-record.ts";
import { INDEX_VERSION } from "../../server/documents/ingest/index-chunks.ts";
import { createSignEncoder } from "../../server/documents/retrieve/sentence-signs.ts";
import { encodeVectors } from "../../server/documents/retrieve/vector-encoding.ts";
import { createVectorEncoder } from "../../server/documents/retrieve/vector-encoder.ts";
import { createId } from "../../server/lib/ids.ts";
import { toUnitLength } from "../../server/models/embedding/embedding-model.ts";
import { createBareDocument, leaseOf } from "./store.ts";

export const OWNER = "user_scale";

const CHUNKS = 100;
const TERMS = 110;
const SENTENCES = 5;
const SENTENCE = TERMS / SENTENCES;
const VOCABULARY = 60_000;
const DIMENSIONS = 384;

interface FillOptions {
  records: DocumentStore;
  store: ContentStore;
  modelId: string;
  documents: number;
}

/** Writes documents of invented words, distributed like those of a language, directly into the store. */
export async function fillStore({ records, store, modelId, documents }: FillOptions): Promise<void> {
  const { items } = await records.list(OWNER, { limit: 1 });
  if (items.length > 0) return;
  for (let number = 1; number <= documents; number++) await fillDocument(number, { records, store, modelId });
}

async function fillDocument(
  number: number,
  { records, store, modelId }: Omit<FillOptions, "documents">,
): Promise<void> {
  const next = randomOf(number);
  const id = createId("doc");
  const title = `Document ${number}`;
  const document = createBareDocument(id, OWNER, title);
  const lease = leaseOf(document);
  await records.insert(document, 0);
  const encoder = createVectorEncoder();
  const signs = createSignEncoder();
  // Biased in one direction, as real embeddings are.
  const vectors = (count: number): Float32Array[] =>
    Array.from({ length: count }, () =>
      toUnitLength(Float32Array.from({ length: DIMENSIONS }, () => next() - 0.45)),
    );
  const chunks = Array.from({ length: CHUNKS }, (_, ordinal) => {
    const terms = Array.from({ length: TERMS }, () => word(next()));
    const text = sentencesOf(terms);
    const spans = [{ page: 1, start: 0, end: text.length }];
    const sentences = vectors(SENTENCES);
    signs.add([sentences]);
    return { id: createId("chunk"), ordinal, text, spans, terms, sentences: encodeVectors(sentences) };
  });
  const page = { page: 1, width: 595, height: 842, text: chunks[0]?.text ?? "", runs: [] };
  await store.addPages(lease, [page]);
  await store.addChunks(lease, modelId, chunks);
  encoder.add(vectors(CHUNKS));
  await store.finish(lease, {
    documentId: id,
    ownerId: OWNER,
    modelId,
    ...encoder.finish(),
    sentences: signs.finish(),
    indexVersion: INDEX_VERSION,
    title,
    pages: 1,
    pagesWithoutText: [],
    chunks: CHUNKS,
    terms: CHUNKS * TERMS,
  });
}

function sentencesOf(terms: readonly string[]): string {
  const sentences: string[] = [];
  for (let i = 0; i < terms.length; i += SENTENCE) sentences.push(terms.slice(i, i + SENTENCE).join(" "));
  return sentences.map((sentence) => `W${sentence.slice(1)}.`).join(" ");
}

/** Six words, from common to rare. */
export function randomQuestion(seed: number): string {
  const next = randomOf(seed + 77_777);
  return Array.from({ length: 6 }, (_, i) => word(next() ** (i / 2 + 0.5))).join(" ");
}

/** Zipf's law: the word of rank n is drawn about 1/n times as often as the first. */
function word(random: number): string {
  return `word${Math.floor(VOCABULARY ** random)}`;
}

function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
