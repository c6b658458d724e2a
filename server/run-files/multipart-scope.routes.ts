import multipart from "@fastify/multipart";
import type { ZodTypeProvider } from "@fastify/type-provider-zod";
import type { HttpServer } from "../http/server.ts";

const MAX_FILES = 20;
const FIELD_BYTES = 1024 * 1024;

/** A scope whose routes accept multipart bodies beside JSON. Files are limited while they are stored. */
export function multipartScope(app: HttpServer, routes: (scope: HttpServer) => void): void {
  void app.register(async (instance) => {
    await instance.register(multipart, {
      limits: {
        fileSize: Number.MAX_SAFE_INTEGER,
        files: MAX_FILES,
        fields: 200,
        fieldSize: FIELD_BYTES,
        parts: 220,
      },
      throwFileSizeLimit: false,
    });
    routes(instance.withTypeProvider<ZodTypeProvider>() as HttpServer);
  });
}
