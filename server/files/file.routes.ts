import * as z from "zod";
import { success } from "../../contract/api.ts";
import { fileListQuerySchema, fileListResponseSchema, fileQuerySchema } from "../../contract/files.ts";
import { attachmentHeader } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";
import type { Files } from "./files.ts";

const tags = ["files"];

export function fileRoutes(app: HttpServer, files: Files): void {
  app.get(
    "/api/files",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listFiles",
        summary: "List a folder of the files that `file` steps wrote",
        description: "The folder of your account. `path` selects a folder in it.",
        errors: ["file_not_found"],
        querystring: fileListQuerySchema,
        response: { 200: fileListResponseSchema },
      },
    },
    async (request) => {
      const { path, ...page } = request.query;
      const { items, nextCursor } = await files.list(request.workspaceId, path, page);
      return { ok: true as const, files: items, nextCursor };
    },
  );

  app.get(
    "/api/files/content",
    {
      config: { access: { role: "viewer", scope: "runs:read" }, audit: {} },
      schema: {
        tags,
        operationId: "downloadFile",
        summary: "Download a file",
        description: "The bytes as an attachment.",
        errors: ["file_not_found"],
        querystring: fileQuerySchema,
        produces: ["application/octet-stream"],
        response: { 200: z.string().meta({ format: "binary" }).describe("The bytes") },
      },
    },
    async (request, reply) => {
      const { stream, bytes, name } = await files.open(request.workspaceId, request.query.path);
      // Untrusted bytes under our origin: an attachment, never rendered, and sandboxed if a browser renders it anyway.
      return reply
        .headers({
          "content-type": "application/octet-stream",
          "content-length": bytes,
          "content-disposition": attachmentHeader(name),
          "content-security-policy": "sandbox; default-src 'none'",
          "cache-control": "private, no-store",
        })
        .send(stream as never);
    },
  );

  app.delete(
    "/api/files",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteFile",
        summary: "Delete a file, or a folder with everything in it",
        description: "A path that does not exist is a 404.",
        errors: ["file_not_found"],
        querystring: fileQuerySchema,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await files.remove(request.workspaceId, request.query.path);
      return { ok: true as const };
    },
  );
}
