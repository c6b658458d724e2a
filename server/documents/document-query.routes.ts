import {
  documentQueryEventSchema,
  documentQueryResponseSchema,
  documentQuerySchema,
  documentQueryStreamSchema,
  type DocumentSource,
} from "../../contract/documents.ts";
import { createEventStreams, type EventStream } from "../http/event-stream.ts";
import type { HttpServer } from "../http/server.ts";
import { AppError } from "../lib/errors.ts";
import type { Limits } from "../limits/limits.ts";
import type { Source } from "./answer/quote.ts";
import type { DocumentAnswer } from "./ask.ts";
import type { Documents } from "./documents.ts";

export interface DocumentQueryRoutesDeps {
  documents: Pick<Documents, "query">;
  openStream: Limits["openStream"];
  report(error: unknown, what: string): void;
}

export function documentQueryRoutes(app: HttpServer, deps: DocumentQueryRoutesDeps): void {
  const { documents, openStream, report } = deps;
  const openEvents = createEventStreams(app, openStream);

  app.post(
    "/api/v1/documents/query",
    {
      config: { access: { role: "viewer", scope: "documents:read" }, audit: { none: "changes nothing" } },
      schema: {
        tags: ["documents"],
        operationId: "queryDocuments",
        summary: "Ask your documents",
        errors: [
          "forbidden",
          "document_not_found",
          "collection_not_found",
          "embedding_model_mismatch",
          "limit_reached",
          "llm_not_configured",
          "model_failed",
          "embedding_failed",
        ],
        description:
          "Every source is a verbatim quote from one of the documents with its page. With `Accept: text/event-stream` or `?stream=true` the answer arrives while it is written: `sources` with the passages, `text` for each piece of the answer, whose numbers are those of the last `sources`, and `finished` with the response as it is without a stream, or `failed`.",
        querystring: documentQueryStreamSchema,
        body: documentQuerySchema,
        events: documentQueryEventSchema,
        response: { 200: documentQueryResponseSchema },
      },
    },
    async (request, reply) => {
      const { query, history, tags, top_k: topK } = request.body;
      const { document_ids: documentIds, collection_ids: collectionIds } = request.body;
      const question = {
        query,
        ...(history && { history }),
        ...(documentIds && { documentIds }),
        ...(collectionIds && { collectionIds }),
        ...(tags && { tags }),
        topK,
      };
      const wantsStream =
        request.query.stream === "true" || /\btext\/event-stream\b/i.test(request.headers.accept ?? "");
      if (!wantsStream) {
        const left = new AbortController();
        reply.raw.on("close", () => left.abort());
        return toResponse(await documents.query(request.workspaceId, { ...question, signal: left.signal }));
      }
      const events = openEvents(request, reply);
      try {
        const answer = await documents.query(
          request.workspaceId,
          { ...question, signal: events.signal },
          streamTo(events),
        );
        events.send("finished", toResponse(answer));
      } catch (error) {
        // Before the first event the error is a normal response.
        if (!events.hasBegun) throw error;
        if (!events.signal.aborted) events.send("failed", failureOf(error, report));
      } finally {
        events.end();
      }
      return reply;
    },
  );
}

function streamTo(events: EventStream) {
  return (resolvedQuery: string) => ({
    onSources: (sources: readonly Source[]) =>
      events.send("sources", { resolved_query: resolvedQuery, sources: sources.map(toDocumentSource) }),
    onText: (text: string) => events.send("text", { text }),
  });
}

function failureOf(
  error: unknown,
  report: DocumentQueryRoutesDeps["report"],
): { error: string; message: string } {
  if (error instanceof AppError) return { error: error.code, message: error.message };
  report(error, "answering a question");
  return { error: "internal_error", message: "The answer failed with an internal error." };
}

function toResponse({ answer, resolvedQuery, confidence, sources, answeredBy }: DocumentAnswer) {
  return {
    ok: true as const,
    answer,
    resolved_query: resolvedQuery,
    confidence,
    sources: sources.map(toDocumentSource),
    answered_by: answeredBy,
  };
}

function toDocumentSource({ chunkId, documentId, ...source }: Source): DocumentSource {
  return { chunk_id: chunkId, document_id: documentId, ...source };
}
