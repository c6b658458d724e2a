import { AppError } from "../../lib/errors.ts";
import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import type { PageStore, Source } from "../quote.ts";
import type { Question, Retriever } from "../retrieve.ts";
import { extractiveAnswer } from "./extractive.ts";
import { type AnswerModel, groundedAnswer } from "./grounded.ts";

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
  store: PageStore;
  /** Unset: answers are the best sentences of the best passages. */
  model?: AnswerModel;
}

export type Answerer = (question: Question) => Promise<Answer>;

// On the evaluation set 0.36 refuses everything off topic, and below 0.38 lie two of 248 questions that have
// an answer. Larger libraries lift the scores of both.
const RELEVANCE_FLOOR = 0.38;

export function createAnswerer({ retrieve, embedding, store, model }: AnswererDependencies): Answerer {
  return async (question) => {
    const retrieval = await retrieve(question);
    const best = Math.max(0, ...retrieval.passages.map((passage) => passage.relevance));
    if (best < RELEVANCE_FLOOR)
      return {
        answer: "Nothing in the documents is relevant to this question.",
        sources: [],
        answeredBy: "none",
      };
    if (model) {
      const answer = await groundedAnswer(retrieval, question, { model, store }).catch(fallBack(question));
      if (answer) return answer;
    }
    return extractiveAnswer(retrieval, question, { embedding, store });
  };
}

/** A model that is down must not take the documents down with it. A caller who left wants no answer at all. */
function fallBack(question: Question): (error: unknown) => undefined {
  return (error) => {
    question.signal?.throwIfAborted();
    if (error instanceof AppError && !error.retryable) throw error;
    return undefined;
  };
}
