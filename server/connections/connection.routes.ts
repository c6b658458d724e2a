import * as z from "zod";
import { pageQuerySchema, success } from "../../contract/api.ts";
import {
  connectionDetailsResponseSchema,
  connectionListResponseSchema,
  connectionResponseSchema,
  connectionTestResponseSchema,
  type ConnectionUsages,
  createConnectionSchema,
  deleteConnectionQuerySchema,
  updateConnectionSchema,
} from "../../contract/connections.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import { assertCanManage, canManage } from "./connection-access.ts";
import type { ConnectionRecord } from "./connection.sql.ts";
import { AppError } from "../lib/errors.ts";
import type { ConnectionTests } from "./connection-tests.ts";
import type { ConnectionUsageStore } from "./connection-usages.sql.ts";
import { type Connections, toConnection } from "./connections.ts";

const tags = ["connections"];
const newConnection = {
  kind: "bearer",
  name: "Shop",
  hosts: ["shop.example.com"],
  settings: {},
  secrets: { token: "bk_9b1e7c4d2f6a8035" },
};
const params = z.object({ id: z.string() });

export interface ConnectionRoutesDeps {
  connections: Connections;
  tests: ConnectionTests;
  usages: ConnectionUsageStore;
  limiter: RateLimiter;
}

export function connectionRoutes(
  app: HttpServer,
  { connections, tests, usages, limiter }: ConnectionRoutesDeps,
): void {
  const toResponse = (person: Parameters<typeof canManage>[0], record: ConnectionRecord) =>
    toConnection(record, canManage(person, record));
  const limitTests = limitRate(limiter, (request) => request.workspaceId);

  app.post(
    "/api/connections",
    {
      config: { access: { role: "builder", scope: "connections:write" } },
      schema: {
        tags,
        operationId: "createConnection",
        summary: "Store a connection",
        description:
          "Nothing is called. The secrets are stored encrypted, never returned, and sent only to the hosts of the connection.",
        errors: ["app_not_found", "limit_reached"],
        body: createConnectionSchema,
        bodyExample: newConnection,
        response: { 201: connectionResponseSchema },
      },
    },
    async (request, reply) => {
      const { workspaceId, authorId, body } = request;
      const connection = toConnection(await connections.create(workspaceId, body, authorId), true);
      return reply.status(201).send({ ok: true, connection });
    },
  );

  app.get(
    "/api/connections",
    {
      config: { access: { role: "builder", scope: "connections:read" } },
      schema: {
        tags,
        operationId: "listConnections",
        summary: "List your connections, newest first",
        description:
          "Without their secrets, with the number of records that use each. Builders see the settings of those that they created, admins of all.",
        querystring: pageQuerySchema,
        response: { 200: connectionListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await connections.list(request.workspaceId, request.query);
      const counts = await usages.counts(
        request.workspaceId,
        items.map(({ id }) => id),
      );
      const listed = items.map((item) => ({ ...toResponse(request, item), uses: counts.get(item.id) ?? 0 }));
      return { ok: true as const, connections: listed, nextCursor };
    },
  );

  app.post(
    "/api/connections/test",
    {
      config: { access: { role: "builder", scope: "connections:write" }, audit: { none: "changes nothing" } },
      schema: {
        tags,
        operationId: "testUnsavedConnection",
        summary: "Test a connection before it is stored",
        description: "Calls the service with the credential of the body. Nothing is stored.",
        errors: ["app_not_found", "limit_reached", "rate_limited"],
        body: createConnectionSchema,
        bodyExample: newConnection,
        response: { 200: connectionTestResponseSchema },
      },
      onRequest: limitTests,
    },
    async ({ workspaceId, body }) => ({ ok: true as const, ...(await tests.unsaved(workspaceId, body)) }),
  );

  app.get(
    "/api/connections/:id",
    {
      config: { access: { role: "builder", scope: "connections:read" } },
      schema: {
        tags,
        operationId: "getConnection",
        summary: "Read a connection and what uses it",
        description: "Without its secrets.",
        params,
        response: { 200: connectionDetailsResponseSchema },
      },
    },
    async (request) => {
      const { workspaceId } = request;
      const { id } = request.params;
      const connection = toResponse(request, await connections.get(workspaceId, id));
      return { ok: true as const, connection: { ...connection, usedBy: await usages.list(workspaceId, id) } };
    },
  );

  app.post(
    "/api/connections/:id/test",
    {
      config: { access: { role: "builder", scope: "connections:write" } },
      schema: {
        tags,
        operationId: "testConnection",
        summary: "Test a connection",
        description:
          "Calls the service with the stored credential and saves the result as the status of the connection.",
        errors: ["limit_reached", "rate_limited"],
        params,
        response: { 200: connectionTestResponseSchema },
      },
      onRequest: limitTests,
    },
    async (request) => {
      const { workspaceId } = request;
      const { id } = request.params;
      assertCanManage(request, await connections.get(workspaceId, id));
      return { ok: true as const, ...(await tests.stored(workspaceId, id)) };
    },
  );

  app.patch(
    "/api/connections/:id",
    {
      config: { access: { role: "builder", scope: "connections:write" } },
      schema: {
        tags,
        operationId: "updateConnection",
        summary: "Update a connection, or replace its secrets",
        description:
          "A change of the hosts or addresses that the credential is sent to needs the secrets again. OAuth tokens are dropped with it.",
        params,
        body: updateConnectionSchema,
        response: { 200: connectionResponseSchema },
      },
    },
    async (request) => {
      const { workspaceId, body } = request;
      const { id } = request.params;
      assertCanManage(request, await connections.get(workspaceId, id));
      return {
        ok: true as const,
        connection: toConnection(await connections.update(workspaceId, id, body), true),
      };
    },
  );

  app.delete(
    "/api/connections/:id",
    {
      config: { access: { role: "builder", scope: "connections:write" } },
      schema: {
        tags,
        operationId: "deleteConnection",
        summary: "Delete a connection with its credential",
        description:
          "One that is in use is 409 `connection_in_use`, with the names in `details`, unless `force` is `true`. Steps that still name it fail when they run.",
        errors: ["connection_in_use"],
        params,
        querystring: deleteConnectionQuerySchema,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      const { workspaceId } = request;
      const { id } = request.params;
      const { force } = request.query;
      assertCanManage(request, await connections.get(workspaceId, id));
      if (force !== "true") assertUnused(await usages.list(workspaceId, id));
      await connections.remove(workspaceId, id);
      return { ok: true as const };
    },
  );
}

function assertUnused(usedBy: ConnectionUsages): void {
  const names = Object.values(usedBy).flatMap((used) => used.map(({ name }) => name));
  if (names.length === 0) return;
  const users = names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");
  throw new AppError("connection_in_use", `The connection is used by ${users}.`, { details: usedBy });
}
