import * as z from "zod";
import { pageQuerySchema } from "../../contract/api.ts";
import {
  createdKeyResponseSchema,
  createKeySchema,
  keyResponseSchema,
  keyListResponseSchema,
} from "../../contract/keys.ts";
import { type ApiKeys, toApiKey } from "./api-keys.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["keys"];

export function apiKeyRoutes(app: HttpServer, keys: ApiKeys): void {
  app.post(
    "/api/keys",
    {
      schema: {
        tags,
        operationId: "createApiKey",
        summary: "Create an API key for your public endpoints",
        description: "`rawKey` is the key. It is shown only here; the service stores a hash.",
        body: createKeySchema,
        response: { 201: createdKeyResponseSchema },
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
        description: "Revoked and expired keys are included. The keys themselves are never shown.",
        querystring: pageQuerySchema,
        response: { 200: keyListResponseSchema },
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
        description: "Calls with the key are refused at once. It stays in the list.",
        params: z.object({ id: z.string() }),
        response: { 200: keyResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      apiKey: toApiKey(await keys.revoke(request.userId, request.params.id)),
    }),
  );
}
