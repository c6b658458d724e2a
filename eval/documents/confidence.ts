import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { HIGH_MARGIN, marginOf, nearnessOf } from "../../server/documents/answer/confidence.ts";
import type { Passage } from "../../server/documents/retrieve/retrieve.ts";
import { createLocalEmbedding } from "../../server/models/embedding/onnx-embedding.ts";
import { corpus, type Half, halfOf, paraphrases, tableQuestions } from "./corpus/corpus.ts";
import { toSetQuestion } from "./corpus/corpus-types.ts";
import { offTopic } from "./corpus/unanswerable.ts";
import type { SetDocument, SetQuestion } from "./eval-set.ts";
import { rightPages } from "./evaluate.ts";
import { buildLibrary, documentIdOf, type Library, OWNER } from "./library.ts";
import { cacheVectors } from "./vector-cache.ts";

const groups = ["words of the page", "everyday words", "off topic"] as const;

/** The best passages for one question in one scope. */
interface Sample {
  group: (typeof groups)[number];
  half: Half;
  scope: string;
  chunks: number;
  relevance: number;
  nearness: number;
  margin: number;
  question: string;
  /** The first passage is on a right page, and one of the first five is. */
  isRight: boolean;
  isRightInFive: boolean;
}

const { values } = parseArgs({
  options: {
    cache: { type: "string" },
    /** Writes all samples to this file. */
    samples: { type: "string" },
    "model-folder": { type: "string", default: join("data", "models") },
  },
});
const embedding = createLocalEmbedding({ modelFolder: values["model-folder"] });
await embedding.embed(["warm up"]);
const documentEmbedding = values.cache === undefined ? embedding : cacheVectors(embedding, values.cache);
const background = pagesOfDocs();
const library = await buildLibrary([...corpus.documents, ...background], embedding, documentEmbedding);
try {
  const samples = await collect(library);
  if (values.samples !== undefined) writeFileSync(values.samples, JSON.stringify(samples));
  for (const half of ["tune", "report"] as const) print(samples, half);
} finally {
  await library.close();
  if (documentEmbedding !== embedding) await documentEmbedding.close();
  await embedding.close();
}

/** The documentation of Baton makes a larger library in which no question has its answer. */
function pagesOfDocs(): SetDocument[] {
  const folder = "docs";
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  return names.toSorted().map((name) => ({
    id: `docs-${name}`,
    title: name,
    pages: [readFileSync(join(folder, name), "utf8")],
  }));
}

async function collect({ retrieve, ...rest }: Library): Promise<Sample[]> {
  const asking: [Sample["group"], SetQuestion[]][] = [
    ["words of the page", [...corpus.questions, ...tableQuestions].map(toSetQuestion)],
    ["everyday words", paraphrases.map(toSetQuestion)],
    ["off topic", offTopic.map((question) => ({ question, answerable: false }))],
  ];
  const ids = corpus.documents.map(({ id }) => id);
  const samples: Sample[] = [];
  for (const [group, questions] of asking)
    for (const [i, asked] of questions.entries()) {
      const own = ids.indexOf(asked.document ?? ids[i % ids.length]!);
      const some = Array.from({ length: 10 }, (_, n) => ids[(own + n) % ids.length]!);
      const scopes = {
        "one document": [ids[own]!],
        "ten documents": some,
        corpus: ids,
        "corpus and docs": undefined,
      };
      const right = asked.answerable === false ? new Set<string>() : rightPages({ retrieve, ...rest }, asked);
      for (const [name, documents] of Object.entries(scopes)) {
        const documentIds = documents?.map(documentIdOf);
        const scope = { ownerId: OWNER, ...(documentIds && { documentIds }) };
        const retrieval = await retrieve({ query: asked.question, scope, topK: 5 });
        const { passages, chunksInScope } = retrieval;
        const isRight = ({ chunk: { documentId, spans } }: Passage): boolean =>
          spans.some(({ page }) => right.has(`${documentId}:${page}`));
        samples.push({
          group,
          half: halfOf(asked),
          scope: name,
          question: asked.question,
          chunks: chunksInScope,
          relevance: passages[0]?.relevance ?? 0,
          nearness: nearnessOf(retrieval),
          margin: marginOf(passages),
          isRight: passages.slice(0, 1).some(isRight),
          isRightInFive: passages.some(isRight),
        });
      }
    }
  return samples;
}

/** Every floor of `low` with the questions that it refuses, and of `high` with how often the first page above it is right. */
function print(samples: readonly Sample[], half: Half): void {
  for (const scope of new Set(samples.map((sample) => sample.scope))) {
    const mine = samples.filter((sample) => sample.half === half && sample.scope === scope);
    const chunks = Math.round(mine.reduce((sum, sample) => sum + sample.chunks, 0) / mine.length);
    console.log(`\n${half} half, ${scope}, about ${chunks} passages`);
    console.log("low    refused: words of the page  everyday words  off topic");
    for (const floor of [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1])
      console.log(
        `${floor.toFixed(2)}  ${groups.map((group) => share(mine, group, ({ nearness }) => nearness < floor)).join("  ")}`,
      );
    console.log("high   above: words of the page  everyday words  off topic   right page among them");
    for (const floor of [0.32, 0.34, 0.36, 0.38, 0.4, 0.42, 0.44, 0.46]) {
      const above = mine.filter(({ relevance, margin }) => relevance >= floor && margin >= HIGH_MARGIN);
      const shares = groups.map((group) => share(mine, group, (sample) => above.includes(sample)));
      const right = above.filter(({ isRight }) => isRight).length;
      console.log(`${floor.toFixed(2)}  ${shares.join("  ")}  ${percent(right, above.length)}`);
    }
  }
}

function share(
  samples: readonly Sample[],
  group: Sample["group"],
  holds: (sample: Sample) => boolean,
): string {
  const all = samples.filter((sample) => sample.group === group);
  return percent(all.filter(holds).length, all.length);
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? "–" : ((100 * part) / whole).toFixed(1)} %`.padStart(8);
}
