import { expect, test } from "vitest";
import { toUnitLength } from "../../models/embedding/embedding-model.ts";
import { encodeVectors } from "./vector-encoding.ts";
import { createSignEncoder } from "./sentence-signs.ts";
import { createVectorIndex } from "./vector-index.ts";

const model = { id: "test-model", dimensions: 64 };
const owner = "user_a";

/** Deterministic: the same numbers in every run. */
function randomVectors(count: number, seed: number): Float32Array[] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return Array.from({ length: count }, () => toUnitLength(Float32Array.from({ length: 64 }, next)));
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

function signsOf(chunks: Float32Array[][]): Uint8Array {
  const encoder = createSignEncoder();
  encoder.add(chunks);
  return encoder.finish();
}

const document = (documentId: string, vectors: Float32Array[], ownerId = owner) => ({
  documentId,
  ownerId,
  modelId: model.id,
  vectors: encodeVectors(vectors),
  sentences: signsOf(vectors.map((vector) => [vector])),
});

test("the nearest chunks come first, with a cosine accurate to 0.002", async () => {
  const vectors = randomVectors(500, 1);
  const index = createVectorIndex(model);
  index.add(document("doc_1", vectors));
  const query = vectors[137]!;
  const hits = await index.search(query, { ownerId: owner }, 5);
  expect(hits[0]).toMatchObject({ documentId: "doc_1", ordinal: 137 });
  for (const hit of hits)
    expect(Math.abs(hit.cosine - dot(query, vectors[hit.ordinal]!))).toBeLessThan(0.002);
});

test("the binary prefilter over many chunks finds the hits of an exact search", async () => {
  const vectors = randomVectors(20_000, 2);
  const index = createVectorIndex(model);
  for (let i = 0; i < 20; i++) index.add(document(`doc_${i}`, vectors.slice(i * 1000, (i + 1) * 1000)));
  let found = 0;
  const queries = vectors
    .slice(0, 20)
    .map((vector, i) => toUnitLength(vector.map((value, k) => value + 0.5 * (vectors[19_999 - i]![k] ?? 0))));
  for (const query of queries) {
    const exact = vectors
      .map((vector, i) => ({ i, cosine: dot(query, vector) }))
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, 5);
    const hits = await index.search(query, { ownerId: owner }, 5);
    const names = new Set(hits.map((hit) => Number(hit.documentId.slice(4)) * 1000 + hit.ordinal));
    found += exact.filter(({ i }) => names.has(i)).length;
  }
  expect(found / (queries.length * 5)).toBeGreaterThan(0.95);
});

test("only the owner's chunks are found, and only in the chosen documents", async () => {
  const [mine = [], other = [], foreign = []] = [3, 4, 5].map((seed) => randomVectors(10, seed));
  const index = createVectorIndex(model);
  index.add(document("doc_mine", mine));
  index.add(document("doc_other", other));
  index.add(document("doc_foreign", foreign, "user_b"));
  const found = async (documentIds?: string[]) => {
    const scope = { ownerId: owner, ...(documentIds && { documentIds }) };
    const hits = await index.search(foreign[0]!, scope, 100);
    const bySentence = await index.searchSentences(foreign[0]!, scope, 100);
    expect(new Set(bySentence.map((hit) => hit.documentId))).toEqual(
      new Set(hits.map((hit) => hit.documentId)),
    );
    return new Set(hits.map((hit) => hit.documentId));
  };
  expect(await found()).toEqual(new Set(["doc_mine", "doc_other"]));
  expect(await found(["doc_other", "doc_foreign", "doc_unknown"])).toEqual(new Set(["doc_other"]));
  expect(await found([])).toEqual(new Set());
  expect(
    index.cosine(foreign[0]!, { ownerId: owner }, { documentId: "doc_foreign", ordinal: 0 }),
  ).toBeUndefined();
  expect(
    index.cosine(
      mine[0]!,
      { ownerId: owner, documentIds: ["doc_other"] },
      { documentId: "doc_mine", ordinal: 0 },
    ),
  ).toBeUndefined();
  expect(index.vector({ ownerId: owner }, { documentId: "doc_foreign", ordinal: 0 })).toBeUndefined();
  expect(index.vector({ ownerId: owner }, { documentId: "doc_mine", ordinal: 10 })).toBeUndefined();
  const stored = index.vector({ ownerId: owner }, { documentId: "doc_mine", ordinal: 3 });
  expect(stored).toHaveLength(mine[3]!.length);
  expect(Math.max(...stored!.map((value, i) => Math.abs(value - mine[3]![i]!)))).toBeLessThan(0.005);
});

test("a chunk is found by one near sentence, although its own vector is far", async () => {
  const chunks = randomVectors(300, 10);
  const sentences = Array.from({ length: 300 }, (_, i) => randomVectors(1 + (i % 5), 11 + i));
  const index = createVectorIndex(model);
  index.add({ ...document("doc_1", chunks), sentences: signsOf(sentences) });
  index.add({ ...document("doc_old", chunks), sentences: null });
  for (const ordinal of [0, 1, 137, 299]) {
    const query = sentences[ordinal]!.at(-1)!;
    const [first] = await index.searchSentences(query, { ownerId: owner }, 3);
    expect(first).toEqual({ documentId: "doc_1", ordinal });
    expect((await index.search(query, { ownerId: owner }, 3)).map((hit) => hit.ordinal)).not.toContain(
      ordinal,
    );
  }
  expect(await index.searchSentences(chunks[0]!, { ownerId: owner }, 1000)).toHaveLength(300);
});

test("a removed document is not found, and adding a document again replaces it", async () => {
  const index = createVectorIndex(model);
  index.add(document("doc_1", randomVectors(10, 6)));
  index.add(document("doc_1", randomVectors(4, 7)));
  expect(index.chunks).toBe(4);
  index.remove("doc_1");
  expect(index.chunks).toBe(0);
  expect(await index.search(randomVectors(1, 8)[0]!, { ownerId: owner }, 5)).toEqual([]);
});

test("a document that is added for another owner is no longer found by the former one", async () => {
  const index = createVectorIndex(model);
  const moved = document("doc_1", randomVectors(4, 7));
  index.add(moved);
  index.add({ ...moved, ownerId: "ws_other" });
  expect(index.chunks).toBe(4);
  const query = randomVectors(1, 8)[0]!;
  expect(await index.search(query, { ownerId: owner }, 5)).toEqual([]);
  expect(await index.search(query, { ownerId: "ws_other" }, 5)).toHaveLength(4);
  index.remove("doc_1");
  expect(index.chunks).toBe(0);
});

test("vectors of another model or length are rejected, never compared", async () => {
  const index = createVectorIndex(model);
  const refused = { code: "embedding_model_mismatch" };
  const good = document("doc_1", randomVectors(2, 9));
  expect(() => index.add({ ...good, modelId: "other-model" })).toThrow(expect.objectContaining(refused));
  expect(() => index.add({ ...good, vectors: good.vectors.subarray(1) })).toThrow(
    expect.objectContaining(refused),
  );
  const short = new Float32Array(32);
  await expect(index.search(short, { ownerId: owner }, 5)).rejects.toMatchObject(refused);
  await expect(index.searchSentences(short, { ownerId: owner }, 5)).rejects.toMatchObject(refused);
  expect(index.chunks).toBe(0);
});
