import { AppError } from "../../lib/errors.ts";
import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import type { Answer, PageStore } from "./quote.ts";
import type { ChunkStore, Passage, Question, Retrieval, Retriever } from "../retrieve/retrieve.ts";
import { extractiveAnswer } from "./extractive.ts";
import { type AnswerModel, groundedAnswer } from "./grounded.ts";
import { asksForOverview, leadPassages, overviewAnswer } from "./overview.ts";

export interface AnswererDependencies {
  retrieve: Retriever;
  embedding: EmbeddingModel;
  store: PageStore & ChunkStore;
  /** Unset: answers are the best sentences of the best passages. */
  model?: AnswerModel;
}

export type Answerer = (question: Question) => Promise<Answer>;

// On the evaluation set 0.36 refuses every off-topic question, and 2 of 248 answerable questions score below 0.38. Larger
// libraries raise both scores.
const RELEVANCE_FLOOR = 0.38;
// "Can I get my money back?" shares no term with the refund policy and scores 0.44. The best of 45 off-topic questions
// scores 0.32.
const MEANING_FLOOR = 0.4;

export function createAnswerer({ retrieve, embedding, store, model }: AnswererDependencies): Answerer {
  async function overviewPassages(retrieval: Retrieval, question: Question): Promise<Passage[]> {
    if (!asksForOverview(question.query)) return [];
    return leadPassages(retrieval, question, { store, relevance: RELEVANCE_FLOOR });
  }

  async function answerWithModel(retrieval: Retrieval, question: Question): Promise<Answer | undefined> {
    return model && groundedAnswer(retrieval, question, { model, store }).catch(fallBack(question));
  }

  return async (question) => {
    const retrieval = await retrieve(question);
    if (retrieval.passages.some(isRelevant))
      return (
        (await answerWithModel(retrieval, question)) ??
        extractiveAnswer(retrieval, question, { embedding, store })
      );
    const passages = await overviewPassages(retrieval, question);
    if (passages.length === 0) return NO_RELEVANT_PASSAGE;
    return (
      (await answerWithModel({ ...retrieval, passages }, question)) ??
      overviewAnswer(passages, question, store)
    );
  };
}

function isRelevant({ relevance, cosine }: Passage): boolean {
  return relevance >= RELEVANCE_FLOOR || cosine >= MEANING_FLOOR;
}

const NO_RELEVANT_PASSAGE: Answer = {
  answer: "Nothing in the documents is relevant to this question.",
  sources: [],
  answeredBy: "none",
};

/** When the model fails, the extractive answer replaces its text. An aborted request gets no answer. */
function fallBack(question: Question): (error: unknown) => undefined {
  return (error) => {
    question.signal?.throwIfAborted();
    if (error instanceof AppError && !error.retryable) throw error;
    return undefined;
  };
}
