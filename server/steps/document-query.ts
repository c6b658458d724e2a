import { QUERY_MAX_CHARACTERS } from "../../contract/documents.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { StepRunner } from "../engine/run/step-runner.ts";
import { AppError } from "../lib/errors.ts";
import { describeValue, invalidField, permanentFailure, requiredText } from "./step-failure.ts";

/** The part of `Documents` that the step uses. */
export interface AskDocuments {
  query(
    ownerId: string,
    question: {
      query: string;
      documentIds?: string[];
      collectionIds?: string[];
      topK?: number;
      signal: AbortSignal;
    },
  ): Promise<{ answer: string; confidence: string; sources: object[] }>;
}

const MAX_TOP_K = 50;

/** Queries the documents of the workflow's owner. Of other users' documents it reaches only those in collections that the owner may read. */
export function createDocumentQueryRunner(documents: AskDocuments): StepRunner {
  return {
    async run({ ownerId, fields, redact, signal }) {
      // A configured model may read the question, so secrets are redacted first.
      const query = requiredText({ query: redact(fields["query"] ?? null) }, "query");
      if (query.length > QUERY_MAX_CHARACTERS)
        throw invalidField("query", `must have at most ${QUERY_MAX_CHARACTERS} characters`);
      const documentIds = idsOf(fields, "documentIds");
      const collectionIds = idsOf(fields, "collectionIds");
      const topK = topKOf(fields["topK"]);
      try {
        const { answer, confidence, sources } = await documents.query(ownerId, {
          query,
          ...(documentIds && { documentIds }),
          ...(collectionIds && { collectionIds }),
          ...(topK !== undefined && { topK }),
          signal,
        });
        return { output: { answer, confidence, sources: sources as JsonValue[] } };
      } catch (error) {
        if (!(error instanceof AppError) || error.retryable) throw error;
        throw permanentFailure(error.code, error.message, error);
      }
    },
  };
}

function idsOf(fields: Readonly<Record<string, JsonValue>>, name: string): string[] | undefined {
  const value = fields[name];
  if (value === undefined || value === null || value === "") return undefined;
  const ids = Array.isArray(value) ? value : [value];
  if (!ids.every((id) => typeof id === "string"))
    throw invalidField(name, `must be a list of ids, not ${describeValue(value)}`);
  return ids;
}

function topKOf(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > MAX_TOP_K)
    throw invalidField("topK", `must be a whole number from 1 to ${MAX_TOP_K}`);
  return number;
}
