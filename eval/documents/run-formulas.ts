import { join } from "node:path";
import { parseArgs } from "node:util";
import { createLocalEmbedding } from "../../server/models/embedding/onnx-embedding.ts";
import { corpus, paraphrases, tableQuestions } from "./corpus/corpus.ts";
import { toSetQuestion } from "./corpus/corpus-types.ts";
import { readEvalSet, type SetQuestion } from "./eval-set.ts";
import { rightPages } from "./evaluate.ts";
import { type Formula, formulas, type Found } from "./formulas.ts";
import { buildLibrary, type Library } from "./library.ts";
import { cacheVectors } from "./vector-cache.ts";

/** Ranks the same candidates with every formula: the own corpus, or a set of questions with an answer. */
const { values } = parseArgs({
  options: {
    set: { type: "string" },
    cache: { type: "string" },
    "model-folder": { type: "string", default: join("data", "models") },
  },
});
type Group = readonly [name: string, questions: readonly SetQuestion[]];
const local = createLocalEmbedding({ modelFolder: values["model-folder"] });
const embedding = values.cache === undefined ? local : cacheVectors(local, values.cache);
try {
  const { documents, groups } = values.set === undefined ? ownCorpus() : await setOf(values.set);
  const library = await buildLibrary(documents, embedding);
  const found = await Promise.all(groups.map(([, questions]) => search(library, questions)));
  console.log(
    `| page-hit@1/@5, % | ${groups.map(([name, { length }]) => `${name} (${length})`).join(" | ")} |`,
  );
  console.log(`|---|${groups.map(() => "---|").join("")}`);
  for (const [name, formula] of Object.entries(formulas))
    console.log(`| ${name} | ${found.map((results) => score(results, formula)).join(" | ")} |`);
  await library.close();
} finally {
  await embedding.close();
}

function ownCorpus() {
  const everyday = paraphrases.map(toSetQuestion);
  const groups: Group[] = [
    ["words of the page", corpus.questions.map(toSetQuestion)],
    ["everyday words, English", everyday.filter(({ language }) => language === "en")],
    ["everyday words, other languages", everyday.filter(({ language }) => language !== "en")],
    ["tables", tableQuestions.map(toSetQuestion)],
  ];
  return { documents: corpus.documents, groups };
}

async function setOf(path: string) {
  const { name, documents, questions } = await readEvalSet(path);
  const groups: Group[] = [[name, questions.filter(({ answerable }) => answerable !== false)]];
  return { documents, groups };
}

interface Result extends Found {
  right: ReadonlySet<string>;
}

async function search(library: Library, questions: readonly SetQuestion[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const asked of questions)
    results.push({ ...(await library.candidates(asked.question)), right: rightPages(library, asked) });
  return results;
}

/** A chunk counts as right if one of its pages is. */
function score(results: readonly Result[], formula: Formula): string {
  const ranks = results.map((result) => {
    const scores = formula(result);
    const order = result.chunks.map((_, i) => i).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
    return order.findIndex((i) => {
      const { documentId, pages } = result.chunks[i]!;
      return pages.some((page) => result.right.has(`${documentId}:${page}`));
    });
  });
  const share = (depth: number): string =>
    ((100 * ranks.filter((rank) => rank >= 0 && rank < depth).length) / results.length).toFixed(1);
  return `${share(1)} / ${share(5)}`;
}
