import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { QUERY_MAX_CHARACTERS } from "../../contract/documents.ts";
import type { Documents } from "../documents/documents.ts";
import { invalidRequest } from "../lib/errors.ts";
import type { ToolResult } from "./tool-result.ts";

export const SEARCH_INPUT_SCHEMA = {
  type: "object",
  properties: {
    question: {
      type: "string",
      description: "A complete question, in the language of the documents.",
      minLength: 1,
      maxLength: QUERY_MAX_CHARACTERS,
    },
    collection: { type: "string", description: "The id of a collection; all documents by default." },
  },
  required: ["question"],
  additionalProperties: false,
} as const;

export const SEARCH_OUTPUT_SCHEMA = {
  type: "object",
  properties: {
    answer: { type: "string" },
    confidence: {
      type: "string",
      enum: ["high", "low", "none"],
      description: "none: the documents do not answer the question.",
    },
    sources: {
      type: "array",
      items: {
        type: "object",
        properties: {
          uri: { type: "string", description: "The page as a resource." },
          title: { type: "string" },
          page: { type: "integer" },
          quote: { type: "string", description: "Word for word from the page." },
        },
        required: ["uri", "title", "page", "quote"],
      },
    },
  },
  required: ["answer", "confidence", "sources"],
} as const;

/** Answers from the documents, with the quotes that support the answer. */
export async function searchDocuments(
  documents: Pick<Documents, "query">,
  ownerId: string,
  { question, collection, ...others }: Record<string, JsonValue>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalidRequest(`There is no argument ${unknown.slice(0, 100)}.`);
  if (typeof question !== "string" || question.trim() === "" || question.length > QUERY_MAX_CHARACTERS)
    throw invalidRequest(`question must be a text of 1 to ${QUERY_MAX_CHARACTERS} characters.`);
  if (collection !== undefined && typeof collection !== "string")
    throw invalidRequest("collection must be the id of a collection.");
  const { answer, confidence, sources } = await documents.query(ownerId, {
    query: question,
    ...(collection !== undefined && { collectionIds: [collection] }),
    signal,
  });
  const cited = sources.map(({ documentId, title, page, quote }) => ({
    uri: `baton://documents/${documentId}/pages/${page}`,
    title,
    page,
    quote,
  }));
  const lines = cited.map(
    ({ title, page, quote }, index) => `[${index + 1}] ${title}, page ${page}: “${quote}”`,
  );
  return {
    content: [
      { type: "text", text: [answer, ...lines].join("\n\n") },
      ...cited.map(({ uri, title, page }) => ({
        type: "resource_link",
        uri,
        name: `${title}, page ${page}`,
        mimeType: "text/plain",
      })),
    ],
    structuredContent: { answer, confidence, sources: cited },
  };
}
