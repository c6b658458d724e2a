import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyReply } from "fastify";
import * as z from "zod";
import { sendStored } from "../replies.ts";
import type { HttpServer } from "../server.ts";
import { createDocument, type DocumentOptions } from "./document.ts";
import type { DocumentedRoute, DocumentedSchema } from "./route-schema.ts";

/** The package looks for its files next to its code, which the build moves. */
const DOCS_FOLDER = join(
  dirname(createRequire(import.meta.url).resolve("@fastify/swagger-ui/package.json")),
  "static",
);

/** Generates the OpenAPI document from the schemas of the routes; call it before they are registered. */
export async function openApi(app: HttpServer, options: DocumentOptions): Promise<void> {
  // The plugin collects the routes and keeps the document, which is made at the first request for it. Its own one would
  // require every body, inline every schema and take seconds.
  const routes: DocumentedRoute[] = [];
  await app.register(swagger, {
    openapi: {},
    transform: ({ schema, url, route }) => {
      const documented = schema as DocumentedSchema | undefined;
      if (documented !== undefined && documented.hide !== true)
        for (const method of [route.method].flat())
          routes.push({ method, url, access: route.config?.access, schema: documented });
      return { schema: { hide: true }, url };
    },
    transformObject: () => createDocument(routes, options) as object,
  });
  app.addHook("onRoute", (route) => {
    if (route.url.startsWith("/api/docs")) route.config = { ...route.config, auth: "public" };
  });
  await app.register(swaggerUi, {
    routePrefix: "/api/docs",
    baseDir: DOCS_FOLDER,
    logo: { type: "image/svg+xml", content: await readFile(join(DOCS_FOLDER, "logo.svg")) },
    staticCSP: true,
    uiConfig: { persistAuthorization: false },
  });

  let document: string | undefined;
  app.get(
    "/api/openapi.json",
    {
      config: { auth: "public" },
      schema: {
        tags: ["system"],
        operationId: "getOpenApiDocument",
        summary: "Read the OpenAPI document",
        description: "Generate a client from it, or import it into a tool. The same for every caller.",
        security: [],
        response: { 200: z.looseObject({ openapi: z.string() }) },
      },
    },
    async (_request, reply) => {
      document ??= JSON.stringify(app.swagger());
      return sendStored(reply as unknown as FastifyReply, document) as never;
    },
  );
}
