import { success } from "../../contract/api.ts";
import {
  putStoreValueSchema,
  storeListResponseSchema,
  storeParamsSchema,
  storeQuerySchema,
  storeValueResponseSchema,
} from "../../contract/store.ts";
import type { HttpServer } from "../http/server.ts";
import type { KeyValueStore } from "./key-value-store.ts";

const tags = ["store"];

export function storeRoutes(app: HttpServer, store: KeyValueStore): void {
  app.get(
    "/api/store",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listStoreValues",
        summary: "List stored values, by scope and key",
        description:
          "Values that `store` steps and agents keep between runs. A large value is left out; read it by its key.",
        querystring: storeQuerySchema,
        response: { 200: storeListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await store.list(request.workspaceId, request.query);
      return { ok: true as const, values: items, nextCursor };
    },
  );

  app.get(
    "/api/store/:scope/:key",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "getStoreValue",
        errors: ["store_value_not_found", "workflow_not_found"],
        summary: "Read a stored value",
        description: "The whole value, however large. An expired one is 404.",
        params: storeParamsSchema,
        response: { 200: storeValueResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      value: await store.read({ ownerId: request.workspaceId, ...request.params }),
    }),
  );

  app.put(
    "/api/store/:scope/:key",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "putStoreValue",
        summary: "Create or replace a stored value",
        description: "Replaces the expiry, too: without `expiresInMs` the value stays.",
        errors: ["limit_reached", "workflow_not_found"],
        params: storeParamsSchema,
        body: putStoreValueSchema,
        response: { 200: storeValueResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      value: await store.put({ ownerId: request.workspaceId, ...request.params }, request.body),
    }),
  );

  app.delete(
    "/api/store/:scope/:key",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteStoreValue",
        errors: ["workflow_not_found"],
        summary: "Delete a stored value",
        description: "Also one of a workflow or agent that was deleted.",
        params: storeParamsSchema,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await store.delete({ ownerId: request.workspaceId, ...request.params });
      return { ok: true as const };
    },
  );
}
