import { expect, test } from "vitest";
import { wordVectors } from "../../server/documents/testing/word-vectors.ts";
import { createSearchIndex } from "../../server/documents/retrieve/search-index.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { OWNER, startProcess, useSharedPlace } from "./process-on-postgres.ts";

const pdf = (...texts: string[]) => pdfOf([lines(texts)]);
const QUESTION = "What is the greatest pressure of the pump?";

test("every process sees what another ingests or deletes with its next question, although every hint is lost", async () => {
  const place = await useSharedPlace();
  const [first, second] = [await startProcess(place), await startProcess(place)];
  // Both have their index open.
  expect([await first.ask(QUESTION), await second.ask(QUESTION)]).toEqual([[], []]);

  const one = await first.upload(await pdf("The greatest pressure of the pump is 6 bar."));
  expect(await second.ask(QUESTION)).toEqual([one.document.id]);
  // By its vectors and not by its terms only: the answer equals that of a process that has just read all of them.
  const fresh = await startProcess(place);
  const [told, expected] = [second, fresh].map(({ documents }) =>
    documents.query(OWNER, { query: QUESTION }),
  );
  expect(await told).toEqual(await expected);
  const two = await second.upload(await pdf("The greatest pressure of the other pump is 12 bar."));
  expect(new Set(await first.ask(QUESTION))).toEqual(new Set([one.document.id, two.document.id]));

  await second.documents.remove(OWNER, one.document.id);
  expect(await first.ask(QUESTION)).toEqual([two.document.id]);
});

test("a document is never answered from after its deletion, even if an index still holds its vectors", async () => {
  const place = await useSharedPlace();
  const [first, second] = [await startProcess(place), await startProcess(place)];
  const { document } = await first.upload(await pdf("The greatest pressure of the pump is 6 bar."));
  expect(await second.ask(QUESTION)).toEqual([document.id]);
  // Marked during a question, with an empty change log.
  await first.records.markDeleting(document.id, 0);
  await place.sql("delete from document_change");
  expect(await second.ask(QUESTION)).toEqual([]);
});

test("a document that another process embedded again has its new vectors here", async () => {
  const place = await useSharedPlace();
  const uploader = await startProcess(place);
  const { document } = await uploader.upload(await pdf("The greatest pressure of the pump is 6 bar."));
  await uploader.stop();
  // It has the old model, so it must not embed documents for the others.
  const old = await startProcess(place, { slots: 0 });
  const embedding = { ...wordVectors, id: "other-vectors" };
  const [first, second] = [
    await startProcess(place, { embedding }),
    await startProcess(place, { embedding }),
  ];
  const mismatch = { code: "embedding_model_mismatch" };
  await expect(second.ask(QUESTION)).rejects.toMatchObject(mismatch);
  await (
    await first.documents.reindex(OWNER)
  ).end;
  const answer = await second.documents.query(OWNER, { query: QUESTION });
  expect(answer.sources).toMatchObject([{ documentId: document.id }]);
  // Terms only would give it half.
  expect(answer).toEqual(await first.documents.query(OWNER, { query: QUESTION }));
  expect(answer.sources[0]?.relevance).toBeGreaterThan(0.6);
  await expect(old.ask(QUESTION)).rejects.toMatchObject(mismatch);
});

test("a change reads one document, and a process that is too far behind reads the whole library", async () => {
  const place = await useSharedPlace();
  const process = await startProcess(place);
  const reads: string[] = [];
  const { store } = process;
  const index = createSearchIndex({
    embedding: wordVectors,
    store: {
      ...store,
      vectors: (model, afterId, limit) => {
        if (afterId === "") reads.push("all");
        return store.vectors(model, afterId, limit);
      },
      vectorsOf: (model, ids) => {
        reads.push(ids.join(" "));
        return store.vectorsOf(model, ids);
      },
    },
  });
  const { document: one } = await process.upload(await pdf("One says that the valve opens."));
  const open = await index.open();
  expect([open.vectors.chunks, reads]).toEqual([1, ["all"]]);
  const { document: two } = await process.upload(await pdf("Two says that the valve closes."));
  // Concurrent questions share one read.
  await Promise.all(Array.from({ length: 5 }, () => index.open()));
  expect([open.vectors.chunks, reads]).toEqual([2, ["all", two.id]]);
  await process.documents.remove(OWNER, one.id);
  await index.open();
  await index.open();
  expect([open.vectors.chunks, reads]).toEqual([1, ["all", two.id, one.id]]);

  await process.upload(await pdf("Three says nothing of it."));
  await process.documents.remove(OWNER, two.id);
  // The log drops the oldest changes.
  await place.sql("delete from document_change where number < (select last from document_change_count)");
  expect((await index.open()).vectors.chunks).toBe(1);
  expect(reads.slice(3)).toEqual(["all"]);
});

test("a hint lets an open index catch up before the next question", async () => {
  const place = await useSharedPlace();
  const [first, second] = [
    await startProcess(place, { hints: true }),
    await startProcess(place, { hints: true }),
  ];
  await second.ask(QUESTION);
  let reads = 0;
  const { vectorsOf } = second.store;
  second.store.vectorsOf = (model, ids) => {
    reads += 1;
    return vectorsOf(model, ids);
  };
  await first.upload(await pdf("The greatest pressure of the pump is 6 bar."));
  await expect.poll(() => reads, { timeout: 20_000 }).toBe(1);
});
