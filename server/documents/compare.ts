import type { Confidence } from "../../contract/documents.ts";
import type { Answerer } from "./answer/answer.ts";
import { type Answer, placeOf } from "./answer/quote.ts";
import { mergeRetrievals, type Question, type Retrieval, type Retriever } from "./retrieve/retrieve.ts";
import { termsOf } from "./retrieve/terms.ts";
import type { SearchScope } from "./retrieve/vector-index.ts";
import type { DocumentReads } from "./store/document-record.ts";

/** A document that a question compares with others. */
export interface ComparedDocument {
  id: string;
  ownerId: string;
  title: string;
}

const COMPARES =
  /\b(?:compar\w*|differ(?:s|ent|ence|ences)?|versus|vs|both|each|between|vergleich\w*|unterschied\w*|beide[rn]?|différen\w*|diferenci\w*)\b/iu;
const MAX_COMPARED = 10;
const TITLES_READ = 1000;

/**
 * The documents that a question compares: those whose titles it names, or the 2 to 10 documents that it was limited to.
 * Fewer than two when it compares none.
 */
export async function comparedDocuments(
  records: Pick<DocumentReads, "titles">,
  scopes: readonly SearchScope[],
  query: string,
): Promise<ComparedDocument[]> {
  if (!COMPARES.test(query)) return [];
  const inScope = await Promise.all(
    scopes.map(async (scope) =>
      (await records.titles(scope, TITLES_READ)).map((found) => ({ ...found, ownerId: scope.ownerId })),
    ),
  );
  const documents = inScope.flat();
  const asked = new Set(termsOf(query));
  const named = documents.filter(({ title }) => isNamed(title, asked));
  if (named.length >= 2) return named.slice(0, MAX_COMPARED);
  const isLimited = scopes.every(({ documentIds }) => documentIds !== undefined);
  return isLimited && documents.length <= MAX_COMPARED ? documents : [];
}

/** "Compare the Halden and the Orsk manuals" names the titles "Halden manual.pdf" and "Orsk manual". */
function isNamed(title: string, asked: ReadonlySet<string>): boolean {
  const terms = termsOf(title.replace(/\.\p{L}{2,5}$/u, ""));
  return terms.length > 0 && terms.every((term) => asked.has(term));
}

export interface CompareDeps {
  documents: readonly ComparedDocument[];
  retrieve: Retriever;
  /** Answers from the passages that `retrieve` returns, with the model if there is one. */
  answererOf(retrieve: Retriever, useModel: boolean): Answerer;
  hasModel: boolean;
}

/** An answer from the best passages of each document, so that none is outnumbered by the others. */
export async function compareAnswer(question: Question, deps: CompareDeps): Promise<Answer> {
  const { documents, retrieve, answererOf, hasModel } = deps;
  const topK = Math.ceil(question.topK / documents.length);
  const found = await Promise.all(
    documents.map(({ id, ownerId }) =>
      retrieve({ ...question, topK, scope: { ownerId, documentIds: [id] } }),
    ),
  );
  if (hasModel) {
    const merged = mergeRetrievals(found);
    const answer = await answererOf(fixed(merged), true)({ ...question, topK: merged.passages.length });
    if (answer.answeredBy !== "extractive") return answer;
  }
  const answers = await Promise.all(
    found.map((retrieval) => answererOf(fixed(retrieval), false)({ ...question, topK })),
  );
  return {
    answer: documents.map(({ title }, i) => sectionOf(title, answers[i]!)).join("\n\n"),
    confidence: leastOf(answers.map(({ confidence }) => confidence)),
    sources: answers.flatMap(({ sources }) => sources),
    answeredBy: answers.some(({ sources }) => sources.length > 0) ? "extractive" : "none",
  };
}

const fixed =
  (retrieval: Retrieval): Retriever =>
  () =>
    Promise.resolve(retrieval);

function sectionOf(title: string, { sources: [best], confidence }: Answer): string {
  if (best === undefined) return `${title}:\nNothing in it is relevant to this question.`;
  const lead = confidence === "low" ? "Closest: " : "";
  return `${title}:\n${lead}“${best.quote}” (${placeOf(best, [best])})`;
}

/** One document without an answer makes the comparison uncertain; all of them make it none. */
function leastOf(grades: readonly Confidence[]): Confidence {
  if (grades.every((grade) => grade === "none")) return "none";
  return grades.every((grade) => grade === "high") ? "high" : "low";
}
