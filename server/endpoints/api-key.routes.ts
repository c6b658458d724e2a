import * as z from "zod";
import {
  createdKeyResponseSchema,
  createKeySchema,
  keyResponseSchema,
  keyListResponseSchema,
  keyQuerySchema,
} from "../../contract/keys.ts";
import { type ApiKeys, toApiKey } from "./api-keys.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["keys"];

export function apiKeyRoutes(app: HttpServer, keys: ApiKeys): void {
  app.post(
    "/api/keys",
    {
      config: { access: { role: "admin", scope: "workspace:write" } },
      schema: {
        tags,
        operationId: "createApiKey",
        summary: "Create an API key",
        errors: ["workflow_not_found", "service_account_not_found", "limit_reached"],
        description:
          "`rawKey` is the key. It is shown only here; the service stores a hash. A key allows what its scopes name, with the role of its creator or service account at that moment. A key creates only keys with its own scopes.",
        body: createKeySchema,
        response: { 201: createdKeyResponseSchema },
      },
    },
    async (request, reply) => {
      const { apiKey, rawKey } = await keys.create(request.workspaceId, request.body ?? {}, request);
      return reply.status(201).send({ ok: true, apiKey: toApiKey(apiKey), rawKey });
    },
  );

  app.get(
    "/api/keys",
    {
      config: { access: { role: "admin", scope: "workspace:read" } },
      schema: {
        tags,
        operationId: "listApiKeys",
        summary: "List API keys, newest first",
        description: "Revoked and expired keys are included. The keys themselves are never shown.",
        querystring: keyQuerySchema,
        response: { 200: keyListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await keys.list(request.workspaceId, request.query);
      return { ok: true as const, keys: items.map(toApiKey), nextCursor };
    },
  );

  app.delete(
    "/api/keys/:id",
    {
      config: { access: { role: "admin", scope: "workspace:write" } },
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
      apiKey: toApiKey(await keys.revoke(request.workspaceId, request.params.id)),
    }),
  );
}
