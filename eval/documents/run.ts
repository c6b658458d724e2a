import { join } from "node:path";
import { parseArgs } from "node:util";
import { extractDocument } from "../../server/documents/extract/extract.ts";
import { LOCAL_TOKENIZER_FILE } from "../../server/models/embedding/local-model-file.ts";
import { createLocalEmbedding } from "../../server/models/embedding/onnx-embedding.ts";
import { buildPdf } from "./build-pdf.ts";
import { corpus } from "./corpus/corpus.ts";
import { offTopic, unanswerable } from "./corpus/unanswerable.ts";
import { answererOf, type Miss, refusalRate, type Scores, scoreQuestions } from "./evaluate.ts";
import { buildLibrary, cpuMs } from "./library.ts";

const { values } = parseArgs({
  options: {
    misses: { type: "boolean", default: false },
    "model-folder": { type: "string", default: join("data", "models") },
  },
});
const embedding = createLocalEmbedding({ modelFolder: values["model-folder"] });
const onMiss = (miss: Miss): void => {
  if (values.misses)
    console.log(`  ${miss.question}\n    expected ${miss.expected}\n    got      ${miss.got}`);
};
try {
  // Preparing and loading the model happens once and is not part of the rates.
  await embedding.embed(["warm up"]);
  const library = await buildLibrary(corpus.documents, embedding);
  console.log(`${corpus.documents.length} documents, ${library.pages} pages, ${library.chunks} chunks`);
  console.log(`pages extracted per CPU second, one long file: ${await pagesPerSecond()}`);
  console.log(`chunks embedded per CPU second: ${rate(library.chunks, library.embeddingCpuMs)}`);
  const answer = answererOf(library, embedding);
  print("whole library", await scoreQuestions(library, answer, corpus.questions, { onMiss }));
  print(
    "inside its document",
    await scoreQuestions(library, answer, corpus.questions, { inside: true, onMiss }),
  );
  console.log(
    `refused, off topic (${offTopic.length}): ${percent(await refusalRate(answer, offTopic, onMiss))}`,
  );
  console.log(
    `refused, no answer in the documents (${unanswerable.length}): ${percent(await refusalRate(answer, unanswerable))}`,
  );
  await library.close();
} finally {
  await embedding.close();
}

/** Measured with one long file, because short files spend most of their time starting a worker. */
async function pagesPerSecond(): Promise<string> {
  const blocks = corpus.documents.flatMap((document) => document.blocks);
  const { bytes } = await buildPdf({
    id: "long",
    title: "All in one",
    layout: "report",
    blocks: Array.from({ length: 6 }, () => blocks).flat(),
  });
  const start = cpuMs();
  const { pages } = await extractDocument(bytes, { tokenizerFile: LOCAL_TOKENIZER_FILE });
  return rate(pages.length, cpuMs() - start);
}

function rate(count: number, ms: number): string {
  return (count / (ms / 1000)).toFixed(1);
}

function print(name: string, scores: Scores): void {
  console.log(`\n${name}, ${scores.questions} questions`);
  console.log(
    `  page-hit@1 ${percent(scores.pageHitAt1)}  page-hit@5 ${percent(scores.pageHitAt5)}  nDCG@10 ${percent(scores.ndcgAt10)}`,
  );
  console.log(
    `  answer in first quote ${percent(scores.firstQuoteHit)}  in the answer ${percent(scores.answerHit)}  wrongly refused ${percent(scores.wronglyRefused)}`,
  );
  console.log(`  CPU ms per question ${scores.cpuMsPerQuestion.toFixed(1)}`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
