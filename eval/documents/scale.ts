import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createSearchIndex } from "../../server/documents/retrieve/search-index.ts";
import { createLocalEmbedding } from "../../server/models/embedding/onnx-embedding.ts";
import { cpuMs } from "./library.ts";
import { openDocuments, openStore } from "./store.ts";
import { fillStore, OWNER, randomQuestion } from "./synthetic-store.ts";

/** Measures 1,000 documents of 100 chunks in a real store, and questions over all of them. */
const { values } = parseArgs({
  options: {
    "model-folder": { type: "string", default: join("data", "models") },
    documents: { type: "string", default: "1000" },
    /** If given, the folder is kept and reused. */
    folder: { type: "string" },
  },
});
const QUESTIONS = 40;
const folder = values.folder ?? (await mkdtemp(join(tmpdir(), "baton-scale-")));
const opened = await openStore(folder, OWNER);
const { db, records, store } = opened;
const embedding = createLocalEmbedding({ modelFolder: values["model-folder"] });
try {
  const filledFrom = cpuMs();
  await fillStore({ records, store, modelId: embedding.id, documents: Number(values.documents) });
  console.log(`stored in ${seconds(cpuMs() - filledFrom)} CPU s (without extraction and embedding)`);

  await embedding.embed(["warm up"]);
  globalThis.gc?.();
  const memoryBefore = process.memoryUsage.rss();
  const openedFrom = cpuMs();
  const { vectors } = await createSearchIndex({ store, embedding }).open();
  console.log(`${vectors.chunks} chunks: index opened in ${seconds(cpuMs() - openedFrom)} CPU s`);
  globalThis.gc?.();
  console.log(`memory grew by ${((process.memoryUsage.rss() - memoryBefore) / 2 ** 20).toFixed(0)} MiB`);

  const documents = openDocuments(opened, folder, embedding);
  const { items } = await records.list(OWNER, { limit: 1 });
  const one = items.map(({ id }) => id);
  await measure("a question over all documents, answered", (i) =>
    documents.query(OWNER, { query: randomQuestion(i) }),
  );
  await measure("a question over one document", (i) =>
    documents.query(OWNER, { query: randomQuestion(i), documentIds: one }),
  );
  await measure("  of which: the question's embedding", (i) => embedding.embed([randomQuestion(i)]));
  await measure("  of which: candidates by words", (i) =>
    store.searchTerms({ ownerId: OWNER }, randomQuestion(i).split(" "), 100),
  );
  const [question = new Float32Array()] = await embedding.embed([
    "What is the maximum pressure of the pump?",
  ]);
  await measure("  of which: candidates by chunk vectors", () =>
    vectors.search(question, { ownerId: OWNER }, 100),
  );
  await measure("  of which: candidates by sentence vectors", () =>
    vectors.searchSentences(question, { ownerId: OWNER }, 100),
  );
  const keys = await vectors.searchSentences(question, { ownerId: OWNER }, 300);
  await measure("  of which: reading 300 candidates", () =>
    store.evidence({ ownerId: OWNER }, embedding.id, keys),
  );
} finally {
  await embedding.close();
  await db.close();
  if (values.folder === undefined) await rm(folder, { recursive: true });
}

async function measure(name: string, act: (i: number) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < 5; i++) await act(1000 + i);
  const from = cpuMs();
  for (let i = 0; i < QUESTIONS; i++) await act(i);
  console.log(`${name}: ${((cpuMs() - from) / QUESTIONS).toFixed(1)} CPU ms`);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}
