import * as z from "zod";
import { errorSchema, pageQuerySchema } from "../../contract/api.ts";
import {
  createdKeyResponseSchema,
  createKeySchema,
  keyResponseSchema,
  keyListResponseSchema,
} from "../../contract/keys.ts";
import { type ApiKeys, toApiKey } from "./api-keys.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["keys"];
const failures = { "4xx": errorSchema };

export function apiKeyRoutes(app: HttpServer, keys: ApiKeys): void {
  app.post(
    "/api/keys",
    {
      schema: {
        tags,
        operationId: "createApiKey",
        summary: "Create an API key for your public endpoints",
        body: createKeySchema,
        response: { 201: createdKeyResponseSchema, ...failures },
      },
    },
    async (request, reply) => {
      const { apiKey, rawKey } = await keys.create(request.userId, request.body ?? {});
      return reply.status(201).send({ ok: true, apiKey: toApiKey(apiKey), rawKey });
    },
  );

  app.get(
    "/api/keys",
    {
      schema: {
        tags,
        operationId: "listApiKeys",
        summary: "List API keys, newest first",
        querystring: pageQuerySchema,
        response: { 200: keyListResponseSchema, ...failures },
      },
    },
    async (request) => {
      const { items, nextCursor } = await keys.list(request.userId, request.query);
      return { ok: true as const, keys: items.map(toApiKey), nextCursor };
    },
  );

  app.delete(
    "/api/keys/:id",
    {
      schema: {
        tags,
        operationId: "revokeApiKey",
        summary: "Revoke an API key",
        params: z.object({ id: z.string() }),
        response: { 200: keyResponseSchema, ...failures },
      },
    },
    async (request) => ({
      ok: true as const,
      apiKey: toApiKey(await keys.revoke(request.userId, request.params.id)),
    }),
  );
}
