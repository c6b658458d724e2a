import type { EmbeddingModel } from "../models/embedding/embedding-model.ts";
import type { SharedEmbedding } from "../models/embedding/shared-embedding.ts";
import { type Answerer, createAnswerer } from "./answer/answer.ts";
import type { AnswerModel, AnswerStream } from "./answer/grounded.ts";
import type { Answer } from "./answer/quote.ts";
import { compareAnswer, comparedDocuments } from "./compare.ts";
import type { Turn } from "./dialogue/follow-up.ts";
import { resolveQuestion } from "./dialogue/resolve-question.ts";
import { type QuestionScope, scopesOf, searchAcross } from "./question-scope.ts";
import { createRetriever, type Retriever } from "./retrieve/retrieve.ts";
import type { SearchIndex } from "./retrieve/search-index.ts";
import { mismatch } from "./retrieve/vector-encoding.ts";
import type { ContentStore } from "./store/content-store.ts";
import type { DocumentStore } from "./store/document-record.ts";

export interface DocumentQuestion extends QuestionScope {
  query: string;
  /** Earlier questions and answers, oldest first. */
  history?: readonly Turn[];
  topK?: number;
  signal?: AbortSignal;
}

export interface DocumentAnswer extends Answer {
  /** The question that was answered: complete, although the user asked a follow-up. */
  resolvedQuery: string;
}

/** With `stream`, the answer is also passed on while it is written. */
export type AskDocuments = (
  readerId: string,
  question: DocumentQuestion,
  stream?: (resolvedQuery: string) => AnswerStream,
) => Promise<DocumentAnswer>;

export interface AskDeps {
  records: DocumentStore;
  store: ContentStore;
  index: SearchIndex;
  shared: SharedEmbedding;
  answerModel?: AnswerModel;
}

const DEFAULT_TOP_K = 5;

/** From a question in a dialogue to an answer: completes the question, searches its documents, answers from them. */
export function createAsk({ records, store, index, shared, answerModel }: AskDeps): AskDocuments {
  return async (readerId, { query, history = [], topK = DEFAULT_TOP_K, signal, ...scope }, openStream) => {
    const scopes = await scopesOf(records, readerId, scope);
    const { vectors, model } = await index.open();
    for (const { ownerId, documentIds } of scopes) {
      const [outdated] = await records.ofOtherModel(ownerId, model, documentIds);
      if (outdated !== undefined) throw mismatch(outdated.id);
    }
    const resolvedQuery = await resolveQuestion({ query, history, ownerId: readerId, signal }, answerModel);
    const stream = openStream && trackText(openStream(resolvedQuery));
    const embedding: EmbeddingModel = shared.forQuestions(readerId);
    const retrieve = createRetriever({ embedding, index: vectors, store });
    const search = searchAcross(scopes, { retrieve, store });
    const answererOf = (from: Retriever, useModel = true): Answerer =>
      createAnswerer({
        store: search.store,
        retrieve: from,
        embedding,
        ...(useModel && answerModel && { model: answerModel }),
        stream: stream?.whileWritten,
      });
    // The budget of the asker, also for the documents of others.
    const question = {
      query: resolvedQuery,
      scope: { ownerId: readerId },
      topK,
      ...(signal && { signal }),
    };
    const documents = await comparedDocuments(records, scopes, resolvedQuery);
    const hasModel = answerModel !== undefined;
    const found =
      documents.length >= 2
        ? await compareAnswer(question, { documents, retrieve, answererOf, hasModel })
        : await answererOf(search.retrieve)(question);
    const answered =
      found.confidence === "none"
        ? { ...found, answer: await explainRefusal(found.answer, records, readerId, scope) }
        : found;
    if (stream) stream.complete(answered);
    return { ...answered, resolvedQuery };
  };
}

/** The answer names none of the others in a longer list. */
const MAX_CHECKED = 20;

/** A document that is not indexed yet, or failed, must not look as if it did not contain the answer. */
async function explainRefusal(
  answer: string,
  records: Pick<DocumentStore, "find" | "list">,
  readerId: string,
  { documentIds = [], collectionIds = [], tags = [] }: QuestionScope,
): Promise<string> {
  const asksAll = documentIds.length + collectionIds.length + tags.length === 0;
  const { notes, isAll } = await (asksAll
    ? unsearchedOf(records, readerId)
    : unsearchedAmong(records, documentIds));
  return [...(isAll ? [] : [answer]), ...notes].join(" ");
}

/** Notes that name documents which could not be searched. */
interface Unsearched {
  notes: string[];
  /** Nothing else was searched. */
  isAll: boolean;
}

async function unsearchedAmong(
  records: Pick<DocumentStore, "find">,
  documentIds: readonly string[],
): Promise<Unsearched> {
  const named = await Promise.all(documentIds.slice(0, MAX_CHECKED).map((id) => records.find(id)));
  const notes = named.flatMap((document) => {
    if (document === undefined || document.status === "indexed") return [];
    return document.status === "failed"
      ? [`“${document.title}” could not be indexed, so it cannot be searched.`]
      : [stillIndexed(document)];
  });
  return { notes, isAll: notes.length > 0 && notes.length === documentIds.length };
}

/** Of all documents of a reader only those of the last uploads: earlier ones have been indexed, or their failure is known. */
async function unsearchedOf(records: Pick<DocumentStore, "list">, readerId: string): Promise<Unsearched> {
  const { items, nextCursor } = await records.list(readerId, { limit: MAX_CHECKED });
  if (items.length === 0) return { notes: ["There are no documents yet. Upload one first."], isAll: true };
  const waiting = items.filter(({ status }) => status === "processing");
  return { notes: waiting.map(stillIndexed), isAll: waiting.length === items.length && nextCursor === null };
}

function stillIndexed({ title }: { title: string }): string {
  return `“${title}” is still being indexed. Ask again when it is ready.`;
}

/** A model's answer streams by itself; of any other answer the sources are passed on, then the text by paragraphs. */
function trackText(stream: AnswerStream) {
  let hasText = false;
  return {
    whileWritten: {
      onSources: stream.onSources,
      onText(text: string) {
        hasText = true;
        stream.onText(text);
      },
    },
    complete({ answer, sources }: Answer): void {
      if (hasText) return;
      stream.onSources(sources);
      for (const paragraph of answer.split(/(?<=\n\n)/)) stream.onText(paragraph);
    },
  };
}
