import type { Confidence } from "../../contract/documents.ts";
import type { Answerer } from "./answer/answer.ts";
import { type Answer, placeOf } from "./answer/quote.ts";
import { mentions, namesIn } from "./retrieve/names.ts";
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
  /\b(?:compar\w*|differ(?:s|ent|ence|ences)?|versus|vs|both|each|between|vergleich\w*|unterschied\w*|beide[rn]?|différen\w*|diferenci\w*|which of (?:the|these|those|my|our)|lequel|laquelle|cuál de)\b/iu;
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
  const search = ({ id, ownerId }: ComparedDocument, query: string): Promise<Retrieval> =>
    retrieve({ ...question, query, topK, scope: { ownerId, documentIds: [id] } });
  const found = await Promise.all(documents.map((document) => search(document, question.query)));
  if (hasModel) {
    const merged = mergeRetrievals(found);
    const answer = await answererOf(fixed(merged), true)({ ...question, topK: merged.passages.length });
    if (answer.answeredBy !== "extractive") return answer;
  }
  const texts = documents.map(({ title }, i) => textOf(title, found[i]!));
  const answers = await Promise.all(
    documents.map(async (document, i) => {
      const query = questionAbout(i, question.query, texts);
      const own = query === question.query ? found[i]! : await search(document, query);
      return answererOf(fixed(own), false)({ ...question, query, topK });
    }),
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

function textOf(title: string, { passages }: Retrieval): string {
  return [title, ...passages.map(({ chunk }) => `${chunk.heading ?? ""}\n${chunk.text}`)].join("\n");
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’&-]*/gu;

/**
 * The question for one of the compared documents: without the names and years that only the others contain. Its pages
 * cannot speak of them, and would seem to answer another question.
 */
function questionAbout(index: number, query: string, texts: readonly string[]): string {
  const names = new Set(namesIn(query));
  const isOfOthers = (word: string): boolean => {
    const isNameOrNumber = names.has(word) || /^\p{N}/u.test(word);
    return isNameOrNumber && !mentions(texts[index]!, word) && texts.some((text) => mentions(text, word));
  };
  return query.replace(WORD, (word) => (isOfOthers(word) ? "" : word)).replace(/ {2,}/g, " ");
}

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
