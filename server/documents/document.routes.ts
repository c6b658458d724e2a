import * as z from "zod";
import { success } from "../../contract/api.ts";
import {
  chunkResponseSchema,
  documentResponseSchema,
  documentListResponseSchema,
  documentListQuerySchema,
  documentPageResponseSchema,
  reindexResponseSchema,
  reindexQuerySchema,
  type TextDestinations,
  textDestinationsResponseSchema,
  updateDocumentSchema,
} from "../../contract/documents.ts";
import type { Documents } from "./documents.ts";
import { DOCUMENT_MEDIA_TYPES } from "./extract/detect-format.ts";
import { attachmentHeader } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["documents"];
const params = z.object({ id: z.string() });

export function documentRoutes(app: HttpServer, documents: Documents, destinations: TextDestinations): void {
  app.get(
    "/api/v1/documents/destinations",
    {
      config: { access: { role: "viewer", scope: "documents:read" } },
      schema: {
        tags,
        operationId: "listDocumentDestinations",
        summary: "The hosts other than this machine that receive the text of documents",
        description:
          "The models and embedding services that receive text of your documents when you ask a question or upload a document. Empty when everything stays on this machine.",
        response: { 200: textDestinationsResponseSchema },
      },
    },
    () => ({ ok: true as const, destinations }),
  );

  app.get(
    "/api/v1/documents",
    {
      config: { access: { role: "viewer", scope: "documents:read" } },
      schema: {
        tags,
        operationId: "listDocuments",
        summary: "List your documents, newest first",
        description: "`tag` and `collection_id` select documents. `processing` ones are being ingested.",
        querystring: documentListQuerySchema,
        response: { 200: documentListResponseSchema },
      },
    },
    async (request) => {
      const { tag, collection_id: collectionId, ...page } = request.query;
      const { items, nextCursor } = await documents.list(request.workspaceId, page, { tag, collectionId });
      return { ok: true as const, documents: items, next_cursor: nextCursor, nextCursor };
    },
  );

  app.get(
    "/api/v1/documents/:id",
    {
      config: { access: { role: "viewer", scope: "documents:read" } },
      schema: {
        tags,
        operationId: "getDocument",
        summary: "Read a document's record, with its progress during ingestion",
        description:
          "`status` is `processing` until the document can be searched, then `indexed`, or `failed` with the `error`.",
        params,
        response: { 200: documentResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      ...(await documents.get(request.workspaceId, request.params.id)),
    }),
  );

  app.patch(
    "/api/v1/documents/:id",
    {
      config: { access: { role: "builder", scope: "documents:write" } },
      schema: {
        tags,
        operationId: "updateDocument",
        summary: "Change the tags of a document",
        description:
          "Questions and lists that name a tag use the new ones at once. The text is not indexed again.",
        params,
        body: updateDocumentSchema,
        response: { 200: documentResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      ...(await documents.setTags(request.workspaceId, request.params.id, request.body.tags)),
    }),
  );

  app.delete(
    "/api/v1/documents/:id",
    {
      config: { access: { role: "builder", scope: "documents:write" } },
      schema: {
        tags,
        operationId: "deleteDocument",
        summary: "Delete a document with its file, text and vectors, also during ingestion",
        description: "It disappears from search and answers at once.",
        errors: ["document_deleted"],
        params,
        response: { 200: success({ document_id: z.string() }) },
      },
    },
    async (request) => {
      await documents.remove(request.workspaceId, request.params.id);
      return { ok: true as const, document_id: request.params.id };
    },
  );

  app.get(
    "/api/v1/documents/:id/file",
    {
      config: { access: { role: "viewer", scope: "documents:read" }, audit: {} },
      schema: {
        tags,
        operationId: "downloadDocument",
        summary: "Download the file",
        description: "The bytes as they were uploaded, with their media type, as an attachment.",
        params,
        produces: [...DOCUMENT_MEDIA_TYPES],
        response: {
          200: z.string().meta({ format: "binary" }).describe("The file as it was uploaded"),
        },
      },
    },
    async (request, reply) => {
      const { stream, bytes, mediaType, name } = await documents.file(request.workspaceId, request.params.id);
      // Untrusted bytes under our origin: an attachment, never rendered, and sandboxed if a browser renders it anyway.
      return reply
        .headers({
          "content-type": mediaType,
          "content-length": bytes,
          "content-disposition": attachmentHeader(name),
          "content-security-policy": "sandbox; default-src 'none'",
          "cache-control": "private, no-store",
        })
        .send(stream as never);
    },
  );

  app.get(
    "/api/v1/documents/:id/pages/:page",
    {
      config: { access: { role: "viewer", scope: "documents:read" } },
      schema: {
        tags,
        operationId: "getDocumentPage",
        summary: "Read the text of a page",
        description: "The text as it was extracted, for the page of a quote.",
        params: params.extend({ page: z.coerce.number().int().min(1) }),
        response: { 200: documentPageResponseSchema },
      },
    },
    async (request) => {
      const { id, page: number } = request.params;
      const { page, pages, title, text, location } = await documents.page(request.workspaceId, id, number);
      return {
        ok: true as const,
        document_id: id,
        title,
        page,
        pages,
        ...(location !== undefined && { location }),
        text,
      };
    },
  );

  app.get(
    "/api/v1/documents/:id/chunks/:chunkId",
    {
      config: { access: { role: "viewer", scope: "documents:read" } },
      schema: {
        tags,
        operationId: "getDocumentChunk",
        summary: "Read a passage and its position on its pages",
        description: "Where the format has positions, `boxes` mark the passage on its pages.",
        params: params.extend({ chunkId: z.string() }),
        response: { 200: chunkResponseSchema },
      },
    },
    async (request) => {
      const { id, chunkId } = request.params;
      const chunk = await documents.chunk(request.workspaceId, id, chunkId);
      return {
        ok: true as const,
        chunk_id: chunk.chunkId,
        document_id: chunk.documentId,
        title: chunk.title,
        page: chunk.spans[0]?.page ?? 1,
        text: chunk.text,
        spans: chunk.spans.map(({ page, start, end }, i) => ({
          page,
          start,
          end,
          boxes: chunk.boxes[i] ?? [],
        })),
      };
    },
  );

  app.post(
    "/api/v1/documents/reindex",
    {
      config: { access: { role: "builder", scope: "documents:write" } },
      schema: {
        tags,
        operationId: "reindexDocuments",
        summary: "Embed your documents again after a change of the embedding model",
        description:
          "Needed after a change of `EMBEDDING_PROVIDER` or its model: until then search is a 409 `embedding_model_mismatch`. `async=true` returns at once.",
        errors: ["embedding_failed", "embedding_not_configured"],
        querystring: reindexQuerySchema,
        response: { 200: reindexResponseSchema, 202: reindexResponseSchema },
      },
    },
    async (request, reply) => {
      const { documents: count, end } = await documents.reindex(request.workspaceId);
      if (request.query.async !== "true") {
        await end;
        return { ok: true as const, documents: count, status: "indexed" as const };
      }
      end.catch((error: unknown) =>
        request.log.error({ requestId: request.id, err: error }, "failed: reindexing documents"),
      );
      return reply.status(202).send({ ok: true as const, documents: count, status: "processing" as const });
    },
  );
}
