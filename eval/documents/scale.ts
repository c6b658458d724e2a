import { parseArgs } from "node:util";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { extractDocument } from "../../server/documents/extract/extract.ts";
import { encodeVectors } from "../../server/documents/vector-code.ts";
import { createVectorIndex } from "../../server/documents/vector-index.ts";
import { toUnitLength } from "../../server/models/embedding/embedding-model.ts";
import { LOCAL_TOKENIZER_FILE } from "../../server/models/embedding/local-model-file.ts";
import { createLocalEmbedding } from "../../server/models/embedding/onnx-embedding.ts";
import { buildPdf } from "./build-pdf.ts";
import { corpus } from "./corpus/corpus.ts";
import { cpuMs } from "./library.ts";

/**
 * What size costs: an index of 100,000 chunks (time to open, memory, CPU for a question with its embedding),
 * and a file of 500 pages.
 */
const { values } = parseArgs({
  options: { "model-folder": { type: "string", default: join("data", "models") } },
});
const DOCUMENTS = 1000;
const CHUNKS = 100;
const SIZE = 384;
const QUESTIONS = 40;
const owner = "user_scale";

const embedding = createLocalEmbedding({ modelFolder: values["model-folder"] });
const [question = new Float32Array()] = await embedding.embed(["What is the greatest pressure of the pump?"]);
const blobs = Array.from({ length: DOCUMENTS }, (_, i) => encodeVectors(randomVectors(i + 1)));

globalThis.gc?.();
const memoryBefore = process.memoryUsage.rss();
const openedFrom = cpuMs();
const index = createVectorIndex({ id: embedding.id, dimensions: SIZE });
for (const [i, vectors] of blobs.entries())
  index.add({ documentId: `doc_${i}`, ownerId: owner, modelId: embedding.id, vectors });
console.log(`${index.chunks} chunks opened in ${(cpuMs() - openedFrom).toFixed(0)} CPU ms`);
console.log(`memory grew by ${((process.memoryUsage.rss() - memoryBefore) / 2 ** 20).toFixed(0)} MiB`);

for (let i = 0; i < 5; i++) index.search(question, { ownerId: owner }, 100);
const searchedFrom = cpuMs();
for (let i = 0; i < QUESTIONS; i++) index.search(question, { ownerId: owner }, 100);
console.log(`search over all: ${((cpuMs() - searchedFrom) / QUESTIONS).toFixed(1)} CPU ms`);
const insideFrom = cpuMs();
for (let i = 0; i < QUESTIONS; i++)
  index.search(question, { ownerId: owner, documentIds: [`doc_${i}`] }, 100);
console.log(`search inside one document: ${((cpuMs() - insideFrom) / QUESTIONS).toFixed(2)} CPU ms`);
const embeddedFrom = cpuMs();
for (let i = 0; i < QUESTIONS; i++)
  await embedding.embed([`What is the greatest pressure of pump number ${i}?`]);
console.log(`embedding of a question: ${((cpuMs() - embeddedFrom) / QUESTIONS).toFixed(1)} CPU ms`);
await embedding.close();
await measureLongFile();

/** The event loop must stay free while a long file is read: 50 ms at most. */
async function measureLongFile(): Promise<void> {
  const blocks = corpus.documents.flatMap((document) => document.blocks);
  const { bytes } = await buildPdf({
    id: "long",
    title: "All in one",
    layout: "report",
    blocks: Array.from({ length: 14 }, () => blocks).flat(),
  });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  // A turn of its own, or the building of the file above counts as the first delay.
  await new Promise((resolve) => setTimeout(resolve, 50));
  delay.enable();
  const { pages, chunks } = await extractDocument(bytes, { tokenizerFile: LOCAL_TOKENIZER_FILE });
  delay.disable();
  console.log(
    `${pages.length} pages, ${chunks.length} chunks: event loop held up for ${(delay.max / 1e6).toFixed(0)} ms at most`,
  );
}

/** Seeded, and leaning to one side as real embeddings do. */
function randomVectors(seed: number): Float32Array[] {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.45;
  };
  return Array.from({ length: CHUNKS }, () => toUnitLength(Float32Array.from({ length: SIZE }, next)));
}
