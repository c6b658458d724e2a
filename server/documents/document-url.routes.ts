import { Readable } from "node:stream";
import { documentUrlSchema, uploadQuerySchema, uploadResponseSchema } from "../../contract/documents.ts";
import type { HttpServer } from "../http/server.ts";
import { AppError } from "../lib/errors.ts";
import { createFairQueue } from "../lib/fair-queue.ts";
import type { Egress } from "../security/egress.ts";
import type { DocumentUploadDeps } from "./document-upload.routes.ts";
import { uploadReply } from "./upload-reply.ts";
import { percentDecode } from "../lib/lenient-parse.ts";

export interface DocumentUrlDeps extends DocumentUploadDeps {
  egress: Pick<Egress, "fetch">;
}

const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;
/** A response is in memory until it is on disk, with up to 50 MB. */
const SLOTS = { slots: 4, slotsPerKey: 2, waitingPerKey: 20 };

/** A document from the web. Every connection passes the egress guard, also those of redirects. */
export function documentUrlRoutes(
  app: HttpServer,
  { documents, files, limitBytes, hourlyBytes, egress }: DocumentUrlDeps,
): void {
  const queue = createFairQueue({
    ...SLOTS,
    refuse: () =>
      new AppError("limit_reached", "Too many URLs of yours are being fetched. Try again in a minute.", {
        retryable: true,
      }),
  });

  /** Counts the largest response before it is read, so that requests at the same time share the budget. */
  async function receive(ownerId: string, url: string, signal: AbortSignal) {
    hourlyBytes.assertLeft(ownerId);
    hourlyBytes.add(ownerId, limitBytes);
    let bytes = 0;
    try {
      const response = await fetchDocument(egress, url, limitBytes, signal);
      bytes = response.body.length;
      return { file: await files.receive(Readable.from([response.body])), fileName: nameOf(response.url) };
    } finally {
      hourlyBytes.add(ownerId, bytes - limitBytes);
    }
  }

  app.post(
    "/api/v1/documents/url",
    {
      config: { access: { role: "builder", scope: "documents:write" }, audit: { creates: "document" } },
      schema: {
        tags: ["documents"],
        operationId: "fetchDocument",
        summary: "Fetch a document from a URL",
        errors: [
          "forbidden",
          "collection_not_found",
          "document_deleted",
          "egress_denied",
          "fetch_failed",
          "unreadable_document",
          "no_text",
          "limit_reached",
          "embedding_failed",
          "storage_unavailable",
        ],
        description:
          "The response is ingested like an upload; its format is recognized by its content. The URL is stored in the metadata as `source_url`.",
        querystring: uploadQuerySchema,
        body: documentUrlSchema,
        response: {
          200: uploadResponseSchema,
          201: uploadResponseSchema,
          202: uploadResponseSchema,
        },
      },
    },
    async (request, reply) => {
      const { url, metadata, collection_id: collectionId } = request.body;
      const left = new AbortController();
      reply.raw.on("close", () => left.abort());
      const { workspaceId } = request;
      const job = () => receive(workspaceId, url, left.signal);
      const received = await queue.run(workspaceId, job, { signal: left.signal });
      const { document, created } = await documents.upload(workspaceId, {
        ...received,
        metadata: { ...metadata, source_url: url },
        ...(collectionId !== undefined && { collectionId }),
        wait: request.query.async !== "true",
      });
      const { status, body } = uploadReply(document, created);
      return reply.status(status).send(body);
    },
  );
}

async function fetchDocument(
  egress: Pick<Egress, "fetch">,
  url: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ body: Buffer; url: string }> {
  const response = await egress
    .fetch(url, { timeoutMs: TIMEOUT_MS, maxBytes, maxRedirects: MAX_REDIRECTS, signal })
    .catch((error: unknown) => {
      throw toRouteError(error);
    });
  if (response.status < 200 || response.status > 299)
    throw fetchFailed(`${new URL(response.url).host} responded with status ${response.status}.`);
  return response;
}

function toRouteError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.code === "invalid_url") return new AppError("invalid_request", error.message);
  if (error.code === "response_too_large")
    return new AppError("payload_too_large", `${error.message} Upload a smaller file.`);
  return error.code === "egress_denied" ? error : fetchFailed(error.message, error);
}

function fetchFailed(reason: string, cause?: unknown): AppError {
  return new AppError("fetch_failed", `The document could not be fetched: ${reason}`, { cause });
}

/** The last part of the path, or the host. */
function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  const last = pathname.split("/").findLast((part) => part !== "");
  if (last === undefined) return host;
  return percentDecode(last);
}
