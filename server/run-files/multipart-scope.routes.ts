import multipart from "@fastify/multipart";
import type { ZodTypeProvider } from "@fastify/type-provider-zod";
import type { HttpServer } from "../http/server.ts";

const MAX_FILES = 20;
const MAX_FIELDS = 200;
const FIELD_BYTES = 1024 * 1024;

/** What the largest accepted form takes, for a body without a length. Infinite if the size of a file has no limit (0). */
export function maxFormBytes(maxFileBytes: number): number {
  return MAX_FILES * (maxFileBytes || Number.POSITIVE_INFINITY) + (MAX_FIELDS + 1) * FIELD_BYTES;
}

/** A scope whose routes accept multipart bodies beside JSON. Files are limited while they are stored. */
export function multipartScope(app: HttpServer, routes: (scope: HttpServer) => void): void {
  void app.register(async (instance) => {
    await instance.register(multipart, {
      limits: {
        fileSize: Number.MAX_SAFE_INTEGER,
        files: MAX_FILES,
        fields: MAX_FIELDS,
        fieldSize: FIELD_BYTES,
        parts: MAX_FILES + MAX_FIELDS,
      },
      throwFileSizeLimit: false,
    });
    routes(instance.withTypeProvider<ZodTypeProvider>() as HttpServer);
  });
}
