import * as z from "zod";
import { pageQuerySchema, success } from "../../../contract/api.ts";
import {
  collectionListResponseSchema,
  collectionResponseSchema,
  createCollectionSchema,
  deleteCollectionQuerySchema,
  updateCollectionSchema,
  uploadKeyResponseSchema,
} from "../../../contract/collections.ts";
import type { HttpServer } from "../../http/server.ts";
import type { Collections } from "./collections.ts";

const tags = ["documents"];
const params = z.object({ id: z.string() });
const response = { 200: collectionResponseSchema };

export function collectionRoutes(
  app: HttpServer,
  collections: Collections,
  publicUrl: string | undefined,
): void {
  app.post(
    "/api/v1/collections",
    {
      config: { access: { role: "builder", scope: "documents:write" } },
      schema: {
        tags,
        operationId: "createCollection",
        summary: "Create a collection of documents",
        description:
          "A collection groups documents, so that questions and agents can be limited to it, and can be shared to read.",
        body: createCollectionSchema,
        response: { 201: collectionResponseSchema },
      },
    },
    async (request, reply) =>
      reply.status(201).send({ ok: true, ...(await collections.create(request.workspaceId, request.body)) }),
  );

  app.get(
    "/api/v1/collections",
    {
      config: { access: { role: "viewer", scope: "documents:read" } },
      schema: {
        tags,
        operationId: "listCollections",
        summary: "List your collections and those shared with you, newest first",
        description:
          "Those of another account are included when it lets you read them; `shared_with` is null for you.",
        querystring: pageQuerySchema,
        response: { 200: collectionListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await collections.list(request.workspaceId, request.query);
      return { ok: true as const, collections: items, next_cursor: nextCursor, nextCursor };
    },
  );

  app.get(
    "/api/v1/collections/:id",
    {
      config: { access: { role: "viewer", scope: "documents:read" } },
      schema: {
        tags,
        operationId: "getCollection",
        summary: "Read a collection",
        description: "A collection of yours, or one that its owner shares with you.",
        params,
        response,
      },
    },
    async (request) => ({
      ok: true as const,
      ...(await collections.get(request.workspaceId, request.params.id)),
    }),
  );

  app.patch(
    "/api/v1/collections/:id",
    {
      config: { access: { role: "builder", scope: "documents:write" } },
      schema: {
        tags,
        operationId: "updateCollection",
        summary: "Rename a collection, or change who can read it",
        description:
          "Fields that are absent keep their value. Accounts that are no longer in `shared_with` lose access at once.",
        params,
        body: updateCollectionSchema,
        response,
      },
    },
    async (request) => ({
      ok: true as const,
      ...(await collections.update(request.workspaceId, request.params.id, request.body)),
    }),
  );

  app.delete(
    "/api/v1/collections/:id",
    {
      config: { access: { role: "builder", scope: "documents:write" } },
      schema: {
        tags,
        operationId: "deleteCollection",
        summary: "Delete a collection; its documents stay unless you ask to delete them",
        description: "`documents=delete` deletes its documents too.",
        params,
        querystring: deleteCollectionQuerySchema,
        response: { 200: success({ collection_id: z.string() }) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await collections.remove(request.workspaceId, id, request.query.documents === "delete");
      return { ok: true as const, collection_id: id };
    },
  );

  app.post(
    "/api/v1/collections/:id/upload-key",
    {
      config: { access: { role: "builder", scope: "documents:write" } },
      schema: {
        tags,
        operationId: "createUploadKey",
        summary: "Create the upload key of a collection; a former one stops working at once",
        description: "The key only adds documents to this collection. It is shown once.",
        params,
        response: { 201: uploadKeyResponseSchema },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const key = await collections.createUploadKey(request.workspaceId, id);
      const base = publicUrl ?? `${request.protocol}://${request.host}`;
      return reply
        .status(201)
        .send({ ok: true, upload_key: key, upload_url: `${base}/api/v1/collections/${id}/upload` });
    },
  );

  app.delete(
    "/api/v1/collections/:id/upload-key",
    {
      config: { access: { role: "builder", scope: "documents:write" } },
      schema: {
        tags,
        operationId: "revokeUploadKey",
        summary: "Revoke the upload key of a collection",
        description: "Uploads with the key are refused at once. Documents that were uploaded with it stay.",
        params,
        response,
      },
    },
    async ({ workspaceId, params: { id } }) => ({
      ok: true as const,
      ...(await collections.revokeUploadKey(workspaceId, id)),
    }),
  );

  const documentParams = params.extend({ documentId: z.string() });

  app.put(
    "/api/v1/collections/:id/documents/:documentId",
    {
      config: { access: { role: "builder", scope: "documents:write" } },
      schema: {
        tags,
        operationId: "addDocumentToCollection",
        summary: "Put a document into a collection",
        description: "A document can be in several collections. A repeated call changes nothing.",
        params: documentParams,
        response,
      },
    },
    async ({ workspaceId, params: { id, documentId } }) => ({
      ok: true as const,
      ...(await collections.add(workspaceId, id, documentId)),
    }),
  );

  app.delete(
    "/api/v1/collections/:id/documents/:documentId",
    {
      config: { access: { role: "builder", scope: "documents:write" } },
      schema: {
        tags,
        operationId: "removeDocumentFromCollection",
        summary: "Take a document out of a collection; the document stays",
        description: "A repeated call changes nothing.",
        params: documentParams,
        response,
      },
    },
    async ({ workspaceId, params: { id, documentId } }) => ({
      ok: true as const,
      ...(await collections.detach(workspaceId, id, documentId)),
    }),
  );
}
