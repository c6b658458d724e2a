import { PUBLIC_CALL } from "../../http/audit.ts";
import { anyOf } from "../../http/openapi/security.ts";
import { Readable } from "node:stream";
import multipart from "@fastify/multipart";
import { validatorCompiler, type ZodTypeProvider } from "@fastify/type-provider-zod";
import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { uploadFormSchema, uploadResponseSchema } from "../../../contract/documents.ts";
import type { HttpServer } from "../../http/server.ts";
import { limitRate } from "../../http/rate-limit.ts";
import { AppError } from "../../lib/errors.ts";
import { isId } from "../../lib/ids.ts";
import type { RateLimiter } from "../../lib/rate-limiter.ts";
import { hashKey } from "../../security/api-keys.ts";
import { type DocumentForm, fileRequired, fileTooLarge, readDocumentForm } from "../document-form.routes.ts";
import type { Documents } from "../documents.ts";
import type { DocumentFiles } from "../store/document-files.ts";
import { countUpload, FORM_BYTES, type HourlyBytes, maxChunkedBytes } from "../upload-budget.routes.ts";
import type { CollectionStore } from "./collection.sql.ts";

export interface CollectionIntakeDeps {
  documents: Pick<Documents, "upload">;
  files: DocumentFiles;
  store: Pick<CollectionStore, "findByUploadKey">;
  limiter: RateLimiter;
  limitBytes: number;
  hourlyBytes: HourlyBytes;
}

const params = z.object({ id: z.string() });
const querystring = z.object({
  key: z.string().optional().describe("The upload key; prefer the x-upload-key header"),
  name: z.string().max(500).optional().describe("The name of a file that is sent as the body"),
});

/**
 * Receives documents for a collection from callers that have its upload key and nothing else: the file as the body, or
 * as a form like an upload of its owner. A separate scope, since no body may be parsed before the key is checked.
 */
export function collectionIntakeRoutes(app: HttpServer, deps: CollectionIntakeDeps): void {
  const { documents, files, store, limiter, limitBytes, hourlyBytes } = deps;
  const owners = new WeakMap<FastifyRequest, string>();

  async function authorize(request: FastifyRequest): Promise<void> {
    const { id } = request.params as z.infer<typeof params>;
    const header = request.headers["x-upload-key"];
    const key = typeof header === "string" ? header : (request.query as { key?: unknown }).key;
    if (key === undefined || key === "")
      throw new AppError("missing_secret", "Send the upload key in the x-upload-key header.");
    const ownerId = await store.findByUploadKey(id, hashKey(String(key)));
    // The same for an unknown collection, one without a key, and a wrong key.
    if (ownerId === undefined)
      throw new AppError("invalid_secret", "The collection does not exist, or the upload key is wrong.");
    if (Number(request.headers["content-length"] ?? 0) > limitBytes + FORM_BYTES)
      throw fileTooLarge(limitBytes);
    hourlyBytes.assertLeft(ownerId);
    owners.set(request, ownerId);
  }

  async function readBody(request: FastifyRequest): Promise<DocumentForm> {
    if (request.isMultipart()) return readDocumentForm(request, files, limitBytes);
    if (!(request.body instanceof Readable)) throw fileRequired();
    const { name = "" } = request.query as z.infer<typeof querystring>;
    const file = await files.receive(Readable.from(upTo(limitBytes, request.body)));
    return { file, fileName: name, metadata: {} };
  }

  void app.register(async (instance) => {
    const scope = instance.withTypeProvider<ZodTypeProvider>();
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    await scope.register(multipart, {
      limits: { fileSize: limitBytes, files: 2, fields: 10, fieldSize: 64 * 1024, parts: 12 },
    });

    scope.post(
      "/api/v1/collections/:id/upload",
      {
        config: { auth: "public", audit: PUBLIC_CALL, maxChunkedBytes: maxChunkedBytes(limitBytes) },
        schema: {
          tags: ["documents"],
          security: anyOf("uploadKey", "uploadKeyInUrl"),
          operationId: "uploadToCollection",
          summary: "Send a document to a collection with its upload key",
          errors: ["file_required", "limit_reached", "rate_limited", "storage_unavailable"],
          description:
            "The file is the body, or the field `file` of a form. Send the upload key of the collection in the `x-upload-key` header or as `?key=`. The document belongs to the owner of the collection and is ingested in the background.",
          consumes: ["application/octet-stream", "multipart/form-data"],
          params,
          querystring,
          body: uploadFormSchema,
          response: { 200: uploadResponseSchema, 202: uploadResponseSchema },
        },
        // The body schema is documentation only: the bytes are checked while they are read.
        validatorCompiler: (route) =>
          route.httpPart === "body"
            ? (value: unknown) => ({ value })
            : validatorCompiler(route as unknown as Parameters<typeof validatorCompiler>[0]),
        onRequest: [
          limitRate(limiter, (request) => {
            const { id } = request.params as z.infer<typeof params>;
            return `${request.ip} ${isId("col", id) ? id : "?"}`;
          }),
          authorize,
        ],
      },
      async (request, reply) => {
        const ownerId = owners.get(request)!;
        const budget = { ownerId, limitBytes, hourlyBytes };
        const form = await countUpload(request, budget, () => readBody(request));
        const collectionId = request.params.id;
        const { document } = await documents.upload(ownerId, { ...form, collectionId, wait: false });
        const processing = document.status === "processing";
        return reply.status(processing ? 202 : 200).send({
          ok: true as const,
          document_id: document.id,
          chunks_created: document.chunks,
          status: processing ? ("processing" as const) : ("indexed" as const),
        });
      },
    );
  });
}

/** A body without a declared length ends at the limit. */
async function* upTo(limitBytes: number, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > limitBytes) throw fileTooLarge(limitBytes);
    yield piece;
  }
}
