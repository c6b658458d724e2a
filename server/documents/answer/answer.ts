import { AppError } from "../../lib/errors.ts";
import type { EmbeddingModel } from "../../models/embedding/embedding-model.ts";
import type { Answer, PageStore } from "./quote.ts";
import type { ChunkStore, Passage, Question, Retrieval, Retriever } from "../retrieve/retrieve.ts";
import { demoteRepeats } from "./demote-repeats.ts";
import { confidenceOf, PASSAGES_GRADED } from "./confidence.ts";
import { extractiveAnswer } from "./extractive.ts";
import { type AnswerModel, type AnswerStream, groundedAnswer } from "./grounded.ts";
import { asksForOverview, leadPassages, overviewAnswer } from "./overview.ts";

export interface AnswererDependencies {
  retrieve: Retriever;
  embedding: EmbeddingModel;
  store: PageStore & ChunkStore;
  /** Unset: answers are the best sentences of the best passages. */
  model?: AnswerModel;
  /** Receives the model's answer while it is written. */
  stream?: AnswerStream | undefined;
}

/** More than are shown, because repetitions make room for others. */
const PASSAGES_COMPARED = 20;

export type Answerer = (question: Question) => Promise<Answer>;

export function createAnswerer(deps: AnswererDependencies): Answerer {
  const { retrieve, embedding, store, model, stream } = deps;

  async function overviewPassages(retrieval: Retrieval, question: Question): Promise<Passage[]> {
    if (!asksForOverview(question.query)) return [];
    return leadPassages(retrieval, question, store);
  }

  async function answerWithModel(retrieval: Retrieval, question: Question): Promise<Answer | undefined> {
    return model && groundedAnswer(retrieval, question, { model, store, stream }).catch(fallBack(question));
  }

  return async (question) => {
    const found = await retrieve({ ...question, topK: Math.max(question.topK, PASSAGES_COMPARED) });
    const confidence = confidenceOf({ ...found, passages: found.passages.slice(0, PASSAGES_GRADED) });
    const ordered = demoteRepeats(found.passages, found.question.vectorTrust);
    const retrieval = { ...found, passages: ordered.slice(0, question.topK) };
    if (confidence !== "high") {
      const beginnings = await overviewPassages(retrieval, question);
      if (beginnings.length > 0)
        return (
          (await answerWithModel({ ...retrieval, passages: beginnings }, question)) ??
          overviewAnswer(beginnings, question, store)
        );
    }
    if (confidence === "none") return NO_RELEVANT_PASSAGE;
    return (
      (await answerWithModel(retrieval, question)) ??
      extractiveAnswer({ ...found, passages: ordered }, question, { confidence, embedding, store })
    );
  };
}

const NO_RELEVANT_PASSAGE: Answer = {
  answer: "Nothing in the documents is relevant to this question.",
  confidence: "none",
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
