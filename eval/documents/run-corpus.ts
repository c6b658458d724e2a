import { extractDocument } from "../../server/documents/extract/extract.ts";
import type { EmbeddingModel } from "../../server/models/embedding/embedding-model.ts";
import { LOCAL_TOKENIZER_FILE } from "../../server/models/embedding/local-model-file.ts";
import { buildPdf } from "./build-pdf.ts";
import { corpus, halfOf, paraphrases, reports, tableQuestions } from "./corpus/corpus.ts";
import { type EvalQuestion, toSetQuestion } from "./corpus/corpus-types.ts";
import { offTopic, unanswerable } from "./corpus/unanswerable.ts";
import { unanswerableTopics } from "./corpus/unanswerable-topics.ts";
import { askQuestions, askUnanswerable, type Outcome } from "./evaluate.ts";
import type { SetQuestion } from "./eval-set.ts";
import { printScopes } from "./scopes.ts";
import { buildLibrary, cpuMs } from "./library.ts";
import type { SetOptions } from "./run-set.ts";
import { printGrades, printScores, rate } from "./print.ts";

interface Models {
  embedding: EmbeddingModel;
  documentEmbedding: EmbeddingModel;
}

/** Measures the own corpus, each half apart. */
export async function runCorpus(
  models: Models,
  { inside, onMiss }: Pick<SetOptions, "inside" | "onMiss">,
): Promise<void> {
  const library = await buildLibrary(corpus.documents, models.embedding, models.documentEmbedding);
  try {
    console.log(`${corpus.documents.length} documents, ${library.pages} pages, ${library.chunks} chunks`);
    console.log(`pages extracted per CPU second, one long file: ${await pagesPerSecond()}`);
    console.log(
      `chunks embedded with their sentences per CPU second: ${rate(library.chunks, library.embeddingCpuMs)}`,
    );
    const groups: [name: string, questions: EvalQuestion[]][] = [
      ["words of the page", corpus.questions],
      ["everyday words", paraphrases],
      ["tables", tableQuestions],
    ];
    const asked: (readonly [name: string, outcomes: Outcome[]])[] = [];
    for (const [name, questions] of groups)
      asked.push([name, await askQuestions(library, questions.map(toSetQuestion), { inside, onMiss })]);
    const everyday = asked[1]?.[1] ?? [];
    const languages = [...new Set(everyday.map(({ asked: { language } }) => language))];
    for (const half of ["tune", "report"] as const) {
      console.log(`\nhalf: ${half}`);
      const mine = (outcomes: readonly Outcome[]): Outcome[] =>
        outcomes.filter((o) => halfOf(o.asked) === half);
      printScores([
        ...asked.map(([name, outcomes]) => [name, mine(outcomes)] as const),
        ...languages.map(
          (language) =>
            [
              `everyday words, ${language}`,
              mine(everyday.filter((outcome) => outcome.asked.language === language)),
            ] as const,
        ),
      ]);
    }
    if (!inside) await printScopes(library, paraphrases.map(toSetQuestion));
    const without = [
      ["off topic", await askUnanswerable(library, offTopic.map(toQuestion), { onMiss })],
      [
        "on topic",
        await askUnanswerable(library, [...unanswerable.map(toQuestion), ...unanswerableTopics], {
          inside,
          onMiss,
        }),
      ],
    ] as const;
    await printReports(models, onMiss);
    printGrades(
      (["tune", "report"] as const).flatMap((half) =>
        without.map(
          ([name, outcomes]) =>
            [`${name}, ${half}`, outcomes.filter((o) => halfOf(o.asked) === half)] as const,
        ),
      ),
    );
  } finally {
    await library.close();
  }
}

/** Reports are a library of their own: their pages would be near to many questions about other documents. */
async function printReports(models: Models, onMiss: SetOptions["onMiss"]): Promise<void> {
  const library = await buildLibrary(reports.documents, models.embedding, models.documentEmbedding);
  try {
    const questions = reports.questions.map(toSetQuestion);
    const outcomes = await askQuestions(library, questions, { inside: true, onMiss });
    console.log("");
    printScores(
      (["tune", "report"] as const).map(
        (half) =>
          [
            `reports, inside the document, ${half}`,
            outcomes.filter((o) => halfOf(o.asked) === half),
          ] as const,
      ),
    );
  } finally {
    await library.close();
  }
}

function toQuestion(question: string): SetQuestion {
  return { question, answerable: false };
}

/** Measured with one long file, because short files spend most of their time starting a worker. */
async function pagesPerSecond(): Promise<string> {
  const blocks = corpus.documents.flatMap((document) => ("blocks" in document ? document.blocks : []));
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
