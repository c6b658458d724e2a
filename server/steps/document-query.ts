import { QUERY_MAX_CHARACTERS } from "../../contract/documents.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { LiveAnswers } from "../agents/live-answers.ts";
import type { StepRunner } from "../engine/run/step-runner.ts";
import { AppError } from "../lib/errors.ts";
import { type DialogueTurn, readHistory } from "./document-history.ts";
import { createLiveReader } from "./live-reader.ts";
import { describeValue, invalidField, permanentFailure, requiredText } from "./step-failure.ts";

/** The part of `Documents` that the step uses. */
export interface AskDocuments {
  query(
    ownerId: string,
    question: {
      query: string;
      history?: DialogueTurn[];
      documentIds?: string[];
      collectionIds?: string[];
      topK?: number;
      signal: AbortSignal;
    },
    stream?: () => { onSources(): void; onText(text: string): void },
  ): Promise<{ answer: string; resolvedQuery: string; confidence: string; sources: object[] }>;
}

const MAX_TOP_K = 50;

/** Queries the documents of the workflow's owner. Of other users' documents it reaches only those in collections that the owner may read. */
export function createDocumentQueryRunner(
  documents: AskDocuments,
  liveAnswers: Pick<LiveAnswers, "readerOfStep">,
): StepRunner {
  return {
    async run(call) {
      const { ownerId, fields, redact, signal } = call;
      // A configured model may read the question and the dialogue, so secrets are redacted first.
      const asked = requiredText({ query: await redact(fields["query"] ?? null) }, "query");
      const query = cutAtWord(asked, QUERY_MAX_CHARACTERS);
      const history = readHistory(await redact(fields["history"] ?? null), asked);
      const documentIds = idsOf(fields, "documentIds");
      const collectionIds = idsOf(fields, "collectionIds");
      const topK = topKOf(fields["topK"]);
      const live = createLiveReader(call, liveAnswers.readerOfStep(call));
      const stream = live && {
        onSources: () => undefined,
        onText: (text: string) => live.onPart({ type: "text-delta", text }),
      };
      try {
        const { answer, resolvedQuery, confidence, sources } = await documents.query(
          ownerId,
          {
            query,
            ...(history.length > 0 && { history }),
            ...(documentIds && { documentIds }),
            ...(collectionIds && { collectionIds }),
            ...(topK !== undefined && { topK }),
            signal,
          },
          stream && (() => stream),
        );
        live?.end();
        return { output: { answer, resolvedQuery, confidence, sources: sources as JsonValue[] } };
      } catch (error) {
        if (!(error instanceof AppError) || error.retryable) throw error;
        throw permanentFailure(error.code, error.message, error);
      }
    },
  };
}

/** A pasted email or a long message of a chat is a question too: its beginning is searched for. */
function cutAtWord(asked: string, maxLength: number): string {
  if (asked.length <= maxLength) return asked;
  const text = asked.trim();
  // Half a surrogate pair is not a character.
  const cut = text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
  return /\s/.test(text.charAt(maxLength)) ? cut : cut.replace(/(?<=\s)\S+$/, "").trimEnd();
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
