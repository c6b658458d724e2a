import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "@fastify/type-provider-zod";
import * as z from "zod";
import { tags } from "./tags.ts";
import type { HttpServer } from "../server.ts";

/** Generates the OpenAPI document from the schemas of the routes; call it before they are registered. */
export async function openApi(app: HttpServer, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Baton",
        version,
        description:
          "Durable workflows as endpoints, webhooks, agent teams and documents. Every successful response has `ok: true`; every error is `{ok: false, error, message, details?}`.",
      },
      components: { securitySchemes: { login: { type: "http", scheme: "bearer", bearerFormat: "JWT" } } },
      tags,
      security: [{ login: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  app.addHook("onRoute", (route) => {
    if (route.url.startsWith("/api/docs")) route.config = { ...route.config, auth: "public" };
  });
  await app.register(swaggerUi, {
    routePrefix: "/api/docs",
    staticCSP: true,
    uiConfig: { persistAuthorization: false },
  });
  app.get(
    "/api/openapi.json",
    {
      config: { auth: "public" },
      schema: {
        tags: ["system"],
        operationId: "getOpenApiDocument",
        summary: "Read the OpenAPI document",
        security: [],
        response: { 200: z.looseObject({}) },
      },
    },
    () => ({ ...app.swagger() }),
  );
}
