import multipart from "@fastify/multipart";
import { validatorCompiler, type ZodTypeProvider } from "@fastify/type-provider-zod";
import type { FastifyRequest } from "fastify";
import { uploadResponseSchema, uploadFormSchema, uploadQuerySchema } from "../../contract/documents.ts";
import type { DocumentFiles } from "./store/document-files.ts";
import type { Documents } from "./documents.ts";
import { AppError } from "../lib/errors.ts";
import { fileRequired, fileTooLarge, readDocumentForm } from "./document-form.routes.ts";
import { countUpload, FORM_BYTES, type HourlyBytes, maxChunkedBytes } from "./upload-budget.routes.ts";
import type { HttpServer } from "../http/server.ts";
import { uploadReply } from "./upload-reply.ts";

export interface DocumentUploadDeps {
  documents: Documents;
  files: DocumentFiles;
  limitBytes: number;
  hourlyBytes: HourlyBytes;
}

const METADATA_BYTES = 64 * 1024;

/** In a Fastify scope without the JSON parser: a JSON body that names a file must never be read as an upload. */
export function documentUploadRoutes(
  app: HttpServer,
  { documents, files, limitBytes, hourlyBytes }: DocumentUploadDeps,
): void {
  void app.register(async (instance) => {
    const scope = instance.withTypeProvider<ZodTypeProvider>();
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, {
      limits: { fileSize: limitBytes, files: 2, fields: 10, fieldSize: METADATA_BYTES, parts: 12 },
    });

    scope.post(
      "/api/v1/documents/upload",
      {
        config: {
          access: { role: "builder", scope: "documents:write" },
          audit: { creates: "document" },
          maxChunkedBytes: maxChunkedBytes(limitBytes),
        },
        schema: {
          tags: ["documents"],
          operationId: "uploadDocument",
          summary: "Upload a document",
          errors: [
            "forbidden",
            "collection_not_found",
            "document_deleted",
            "file_required",
            "unreadable_document",
            "no_text",
            "limit_reached",
            "embedding_failed",
            "storage_unavailable",
          ],
          description:
            "The file is extracted, chunked, embedded and indexed completely or not at all. The same bytes return the same document with status 200 and its first title and tags. A document that takes longer than four minutes is answered with 202 while its ingestion continues.",
          consumes: ["multipart/form-data"],
          querystring: uploadQuerySchema,
          body: uploadFormSchema,
          response: {
            200: uploadResponseSchema,
            201: uploadResponseSchema,
            202: uploadResponseSchema,
          },
        },
        // The body schema is documentation only: the parts are a stream and are checked while it is read.
        validatorCompiler: (route) =>
          route.httpPart === "body"
            ? (value: unknown) => ({ value })
            : validatorCompiler(route as unknown as Parameters<typeof validatorCompiler>[0]),
        onRequest: async (request) => {
          rejectEarly(request, limitBytes);
          hourlyBytes.assertLeft(request.workspaceId);
        },
      },
      async (request, reply) => {
        const budget = { ownerId: request.workspaceId, limitBytes, hourlyBytes };
        const form = await countUpload(request, budget, () => readDocumentForm(request, files, limitBytes));
        const wait = request.query.async !== "true";
        const { document, created } = await documents.upload(request.workspaceId, { ...form, wait });
        const { status, body } = uploadReply(document, created);
        return reply.status(status).send(body);
      },
    );
  });
}

/** Checks the headers before the body is read. */
function rejectEarly(request: FastifyRequest, limitBytes: number): void {
  const type = request.headers["content-type"];
  if (type === undefined) throw fileRequired();
  if (!/^multipart\/form-data\b/i.test(type))
    throw new AppError(
      "unsupported_media_type",
      "The content type is not multipart/form-data. Send the file as multipart/form-data in the field `file`.",
    );
  if (Number(request.headers["content-length"] ?? 0) > limitBytes + FORM_BYTES)
    throw fileTooLarge(limitBytes);
}
