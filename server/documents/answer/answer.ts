import { AppError } from "../../lib/errors.ts";
import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import type { PageStore, Source } from "./quote.ts";
import type { ChunkStore, Passage, Question, Retrieval, Retriever } from "../retrieve/retrieve.ts";
import { extractiveAnswer } from "./extractive.ts";
import { type AnswerModel, groundedAnswer } from "./grounded.ts";
import { asksForOverview, leadPassages, overviewAnswer } from "./overview.ts";

export interface Answer {
  answer: string;
  /** Best first. */
  sources: Source[];
  /** The model's id, "extractive", or "none" when nothing relevant was found. */
  answeredBy: string;
}

export interface AnswererDependencies {
  retrieve: Retriever;
  embedding: EmbeddingModel;
  store: PageStore & ChunkStore;
  /** Unset: answers are the best sentences of the best passages. */
  model?: AnswerModel;
}

export type Answerer = (question: Question) => Promise<Answer>;

// On the evaluation set 0.36 refuses everything off topic, and below 0.38 lie two of 248 questions that have
// an answer. Larger libraries lift the scores of both.
const RELEVANCE_FLOOR = 0.38;
// "Can I get my money back?" shares no word with the refund policy and lies at 0.44. Of the 45 questions off topic the
// nearest lies at 0.32.
const MEANING_FLOOR = 0.4;

export function createAnswerer({ retrieve, embedding, store, model }: AnswererDependencies): Answerer {
  async function ofTheWhole(retrieval: Retrieval, question: Question): Promise<Passage[]> {
    if (!asksForOverview(question.query)) return [];
    return leadPassages(retrieval, question, { store, relevance: RELEVANCE_FLOOR });
  }

  async function byModel(retrieval: Retrieval, question: Question): Promise<Answer | undefined> {
    return model && groundedAnswer(retrieval, question, { model, store }).catch(fallBack(question));
  }

  return async (question) => {
    const retrieval = await retrieve(question);
    if (retrieval.passages.some(isRelevant))
      return (
        (await byModel(retrieval, question)) ?? extractiveAnswer(retrieval, question, { embedding, store })
      );
    const passages = await ofTheWhole(retrieval, question);
    if (passages.length === 0) return NOTHING;
    return (await byModel({ ...retrieval, passages }, question)) ?? overviewAnswer(passages, question, store);
  };
}

function isRelevant({ relevance, cosine }: Passage): boolean {
  return relevance >= RELEVANCE_FLOOR || cosine >= MEANING_FLOOR;
}

const NOTHING: Answer = {
  answer: "Nothing in the documents is relevant to this question.",
  sources: [],
  answeredBy: "none",
};

/** A model that is down must not take the documents down with it. A caller who left wants no answer at all. */
function fallBack(question: Question): (error: unknown) => undefined {
  return (error) => {
    question.signal?.throwIfAborted();
    if (error instanceof AppError && !error.retryable) throw error;
    return undefined;
  };
}
