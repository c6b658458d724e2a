import { join } from "node:path";
import { parseArgs } from "node:util";
import { createLocalEmbedding } from "../../server/models/embedding/onnx-embedding.ts";
import type { Miss } from "./evaluate.ts";
import { runCorpus } from "./run-corpus.ts";
import { runRephrased } from "./run-rephrased.ts";
import { runSet } from "./run-set.ts";
import { cacheVectors } from "./vector-cache.ts";

const { values } = parseArgs({
  options: {
    /** A set in the format of docs/build/evaluate-documents.md. Without it, the own corpus is measured. */
    set: { type: "string", multiple: true, default: [] },
    /** The own corpus in other words than those of its pages. */
    rephrased: { type: "boolean", default: false },
    inside: { type: "boolean", default: false },
    limit: { type: "string" },
    /** Keeps the vectors of documents in this folder, so that the next run is fast. */
    cache: { type: "string" },
    misses: { type: "boolean", default: false },
    "model-folder": { type: "string", default: join("data", "models") },
  },
});
const embedding = createLocalEmbedding({ modelFolder: values["model-folder"] });
const documentEmbedding = values.cache === undefined ? embedding : cacheVectors(embedding, values.cache);
const onMiss = values.misses
  ? (miss: Miss): void =>
      console.log(`  ${miss.question}\n    expected ${miss.expected}\n    got      ${miss.got}`)
  : undefined;
try {
  // Preparing and loading the model happens once and is not part of the rates.
  await embedding.embed(["warm up"]);
  const models = { embedding, documentEmbedding };
  const limit = values.limit === undefined ? undefined : Number(values.limit);
  const { inside } = values;
  for (const set of values.set) await runSet(set, models, { inside, limit, onMiss });
  if (values.rephrased) await runRephrased(models, { inside, onMiss });
  else if (values.set.length === 0) await runCorpus(models, { inside, onMiss });
} finally {
  if (documentEmbedding !== embedding) await documentEmbedding.close();
  await embedding.close();
}
