import * as z from "zod";
import { runFileParamsSchema } from "../../contract/run-files.ts";
import { attachmentHeader } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";
import type { RunFiles } from "./run-files.ts";

export function runFileRoutes(app: HttpServer, runFiles: Pick<RunFiles, "open">): void {
  app.get(
    "/api/run-files/:id",
    {
      config: { access: { role: "viewer", scope: "runs:read" }, audit: {} },
      schema: {
        tags: ["files"],
        operationId: "downloadRunFile",
        summary: "Download a file between steps",
        description: "The bytes of a file reference in an input or an output, as an attachment.",
        errors: ["file_not_found", "forbidden"],
        params: runFileParamsSchema,
        produces: ["application/octet-stream"],
        response: { 200: z.string().meta({ format: "binary" }).describe("The bytes") },
      },
    },
    async (request, reply) => {
      const { stream, reference } = await runFiles.open(request.workspaceId, request.params.id);
      // Untrusted bytes under our origin: an attachment, never rendered, and sandboxed if a browser renders it anyway.
      return reply
        .headers({
          "content-type": "application/octet-stream",
          "content-length": reference.size,
          "content-disposition": attachmentHeader(reference.name),
          "content-security-policy": "sandbox; default-src 'none'",
          "x-content-type-options": "nosniff",
          "cache-control": "private, no-store",
        })
        .send(stream as never);
    },
  );
}
