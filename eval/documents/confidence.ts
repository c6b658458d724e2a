import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Confidence } from "../../contract/documents.ts";
import {
  HIGH_MARGIN,
  HIGH_PAGE_LEAD,
  HIGH_WORDS,
  WITHOUT_WORDS,
  highFloor,
  marginOf,
  nearnessOf,
  wordShareOf,
} from "../../server/documents/answer/confidence.ts";
import { createLocalEmbedding } from "../../server/models/embedding/onnx-embedding.ts";
import { corpus, type Half, halfOf, paraphrases, reports, tableQuestions } from "./corpus/corpus.ts";
import { toSetQuestion } from "./corpus/corpus-types.ts";
import { offTopic, unanswerable } from "./corpus/unanswerable.ts";
import { unanswerableTopics } from "./corpus/unanswerable-topics.ts";
import type { SetDocument, SetQuestion } from "./eval-set.ts";
import { rightPages } from "./evaluate.ts";
import { buildLibrary, documentIdOf, type Library, OWNER } from "./library.ts";
import { cacheVectors } from "./vector-cache.ts";

const groups = ["words of the page", "everyday words", "reports", "on topic", "off topic"] as const;

/** The result for one question in one scope. */
interface Sample {
  group: (typeof groups)[number];
  half: Half;
  scope: string;
  chunks: number;
  relevance: number;
  nearness: number;
  margin: number;
  /** What the first page is ahead of the next one. */
  pageLead: number;
  /** The share of the question's words beyond the title that the best passage contains. */
  wordShare: number;
  question: string;
  /** The first page is right. */
  isRight: boolean;
  confidence: Confidence;
}

const { values } = parseArgs({
  options: {
    cache: { type: "string" },
    /** Measures only this scope, and reports inside the document. */
    scope: { type: "string" },
    /** Writes all samples to this file. */
    samples: { type: "string" },
    "model-folder": { type: "string", default: join("data", "models") },
  },
});
const embedding = createLocalEmbedding({ modelFolder: values["model-folder"] });
await embedding.embed(["warm up"]);
const documentEmbedding = values.cache === undefined ? embedding : cacheVectors(embedding, values.cache);
const samples: Sample[] = [];
try {
  await collectCorpus();
  await collectReports();
  if (values.samples !== undefined) writeFileSync(values.samples, JSON.stringify(samples));
  for (const half of ["tune", "report"] as const) {
    for (const scope of new Set(samples.map((sample) => sample.scope)))
      print(
        samples.filter((sample) => sample.half === half && sample.scope === scope),
        `${half} half, ${scope}`,
      );
    printHigh(
      samples.filter(
        ({ half: own, scope }) => own === half && (scope === "corpus" || scope === "own document"),
      ),
      `${half} half, whole corpus, and reports inside the document`,
    );
  }
} finally {
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

async function collectCorpus(): Promise<void> {
  const asking: [Sample["group"], SetQuestion[]][] = [
    ["words of the page", [...corpus.questions, ...tableQuestions].map(toSetQuestion)],
    ["everyday words", paraphrases.map(toSetQuestion)],
    ["on topic", [...unanswerable.map(withoutAnswer), ...unanswerableTopics]],
    ["off topic", offTopic.map(withoutAnswer)],
  ];
  const ids = corpus.documents.map(({ id }) => id);
  const background = values.scope === "corpus" ? [] : pagesOfDocs();
  const library = await buildLibrary([...corpus.documents, ...background], embedding, documentEmbedding);
  for (const [group, questions] of asking)
    for (const [i, asked] of questions.entries()) {
      const own = ids.indexOf(asked.document ?? ids[i % ids.length]!);
      const some = Array.from({ length: 10 }, (_, n) => ids[(own + n) % ids.length]!);
      const scopes: [name: string, documents?: string[]][] = [
        ["one document", [ids[own]!]],
        ["ten documents", some],
        ["corpus", ids],
        ["corpus and docs"],
      ];
      for (const [name, documents] of scopes)
        if (values.scope === undefined || values.scope === name)
          await collect(library, group, asked, name, documents);
    }
  await library.close();
}

async function collectReports(): Promise<void> {
  const library = await buildLibrary(reports.documents, embedding, documentEmbedding);
  for (const asked of reports.questions.map(toSetQuestion))
    await collect(library, "reports", asked, "own document", [asked.document!]);
  await library.close();
}

function withoutAnswer(question: string): SetQuestion {
  return { question, answerable: false };
}

async function collect(
  library: Library,
  group: Sample["group"],
  asked: SetQuestion,
  scopeName: string,
  documents?: readonly string[],
): Promise<void> {
  const right = asked.answerable === false ? new Set<string>() : rightPages(library, asked);
  const documentIds = documents?.map(documentIdOf);
  const scope = { ownerId: OWNER, ...(documentIds && { documentIds }) };
  const retrieval = await library.retrieve({ query: asked.question, scope, topK: 5 });
  const { sources, confidence } = await library.query(OWNER, {
    query: asked.question,
    ...(documentIds && { documentIds }),
  });
  const [first, next] = sources;
  samples.push({
    group,
    half: halfOf(asked),
    scope: scopeName,
    question: asked.question,
    chunks: retrieval.chunksInScope,
    relevance: retrieval.passages[0]?.relevance ?? 0,
    nearness: nearnessOf(retrieval),
    margin: marginOf(retrieval.passages),
    pageLead: (first?.relevance ?? 0) - (next?.relevance ?? 0),
    wordShare: wordShareOf(retrieval),
    confidence,
    isRight: first !== undefined && right.has(`${first.documentId}:${first.page}`),
  });
}

/** Every floor of `low` with the questions that it refuses. */
function print(mine: readonly Sample[], title: string): void {
  const chunks = Math.round(mine.reduce((sum, sample) => sum + sample.chunks, 0) / mine.length);
  console.log(`\n${title}, about ${chunks} passages`);
  console.log(`low    refused: ${groups.join("  ")}`);
  for (const floor of [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1])
    console.log(
      `${floor.toFixed(2)}  ${groups.map((group) => share(mine, group, ({ nearness }) => nearness < floor)).join("  ")}`,
    );
}

/** Every rule of `high`: how often the first page is right, the right answers that get it, and the questions without one. */
function printHigh(mine: readonly Sample[], title: string): void {
  const rule =
    (raise: number, margin: number, pageLead: number, wordShare: number, withoutWords = WITHOUT_WORDS) =>
    (sample: Sample) =>
      sample.relevance >=
        highFloor(sample.chunks) + raise + (sample.wordShare >= wordShare ? 0 : withoutWords) &&
      sample.margin >= margin &&
      sample.pageLead >= pageLead;
  const rules: [name: string, isHigh: (sample: Sample) => boolean][] = [
    ["relevance alone", rule(0, 0, 0, 0)],
    ["and the lead of the passage", rule(0, HIGH_MARGIN, 0, 0)],
    ["and the lead of the page", rule(0, HIGH_MARGIN, HIGH_PAGE_LEAD, 0)],
    ["the lead of the passage and words", rule(0, HIGH_MARGIN, 0, HIGH_WORDS)],
    ["both leads and words", rule(0, HIGH_MARGIN, HIGH_PAGE_LEAD, HIGH_WORDS)],
    ["in use: and the passage speaks of what is asked", ({ confidence }) => confidence === "high"],
    [
      "both leads and words, but never without the words",
      rule(0, HIGH_MARGIN, HIGH_PAGE_LEAD, HIGH_WORDS, 1),
    ],
    ...[0.05, 0.1].map((withoutWords): (typeof rules)[number] => [
      `both leads and words, but ${withoutWords} on the floor without the words`,
      rule(0, HIGH_MARGIN, HIGH_PAGE_LEAD, HIGH_WORDS, withoutWords),
    ]),
    ...[0.1, 0.3, 0.4, 0.5].map((words): (typeof rules)[number] => [
      `both leads and words, but ${words} of the words`,
      rule(0, HIGH_MARGIN, HIGH_PAGE_LEAD, words),
    ]),
    ...[0.03, 0.05, 0.08].map((lead): (typeof rules)[number] => [
      `both leads and words, but a lead of the page of ${lead}`,
      rule(0, HIGH_MARGIN, lead, HIGH_WORDS),
    ]),
    ...[0.03, 0.07, 0.1].map((lead): (typeof rules)[number] => [
      `both leads and words, but a lead of the passage of ${lead}`,
      rule(0, lead, HIGH_PAGE_LEAD, HIGH_WORDS),
    ]),
    ...[-0.03, 0.03, 0.06].map((raise): (typeof rules)[number] => [
      `both leads and words, but ${raise} on the floor of relevance`,
      rule(raise, HIGH_MARGIN, HIGH_PAGE_LEAD, HIGH_WORDS),
    ]),
  ];
  const answerable = mine.filter(({ group }) => group !== "on topic" && group !== "off topic");
  const ofReports = answerable.filter(({ group }) => group === "reports");
  console.log(`\n${title}`);
  console.log(
    "| high | first page right | without reports | reports | right answers with high | on topic without an answer | off topic |",
  );
  console.log("|---|---|---|---|---|---|---|");
  for (const [name, isHigh] of rules) {
    const rightAmong = (some: readonly Sample[]): string => {
      const high = some.filter(isHigh);
      return percent(high.filter(({ isRight }) => isRight).length, high.length);
    };
    const right = answerable.filter(({ isRight }) => isRight);
    const cells = [
      rightAmong(answerable),
      rightAmong(answerable.filter((sample) => !ofReports.includes(sample))),
      rightAmong(ofReports),
      percent(right.filter(isHigh).length, right.length),
      share(mine, "on topic", isHigh),
      share(mine, "off topic", isHigh),
    ];
    console.log(`| ${[name, ...cells.map((cell) => cell.trim())].join(" | ")} |`);
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
