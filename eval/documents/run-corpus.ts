import { extractDocument } from "../../server/documents/extract/extract.ts";
import type { EmbeddingModel } from "../../server/models/embedding/embedding-model.ts";
import { LOCAL_TOKENIZER_FILE } from "../../server/models/embedding/local-model-file.ts";
import { buildPdf } from "./build-pdf.ts";
import { corpus } from "./corpus/corpus.ts";
import { toSetQuestion } from "./corpus/corpus-types.ts";
import { offTopic, unanswerable } from "./corpus/unanswerable.ts";
import { gradeUnanswerable, type Miss, scoreQuestions } from "./evaluate.ts";
import { buildLibrary, cpuMs } from "./library.ts";
import { printGrades, printScores, rate } from "./print.ts";

/** Measures the own corpus. */
export async function runCorpus(
  models: { embedding: EmbeddingModel; documentEmbedding: EmbeddingModel },
  onMiss: ((miss: Miss) => void) | undefined,
): Promise<void> {
  const library = await buildLibrary(corpus.documents, models.embedding, models.documentEmbedding);
  try {
    console.log(`${corpus.documents.length} documents, ${library.pages} pages, ${library.chunks} chunks`);
    console.log(`pages extracted per CPU second, one long file: ${await pagesPerSecond()}`);
    console.log(
      `chunks embedded with their sentences per CPU second: ${rate(library.chunks, library.embeddingCpuMs)}`,
    );
    const questions = corpus.questions.map(toSetQuestion);
    printScores("whole library", await scoreQuestions(library, questions, { onMiss }));
    printScores("inside its document", await scoreQuestions(library, questions, { inside: true, onMiss }));
    for (const [name, texts] of [
      ["off topic", offTopic],
      ["on topic without an answer", unanswerable],
    ] as const) {
      const asked = texts.map((question) => ({ question }));
      printGrades(name, asked.length, await gradeUnanswerable(library, asked, { onMiss }));
    }
  } finally {
    await library.close();
  }
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
