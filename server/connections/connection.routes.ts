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
import { AppError } from "../lib/errors.ts";
import type { ConnectionTests } from "./connection-tests.ts";
import type { ListConnectionUsages } from "./connection-usages.sql.ts";
import { type Connections, toConnection } from "./connections.ts";

const tags = ["connections"];
const params = z.object({ id: z.string() });

export interface ConnectionRoutesDeps {
  connections: Connections;
  tests: ConnectionTests;
  usagesOf: ListConnectionUsages;
  limiter: RateLimiter;
}

export function connectionRoutes(
  app: HttpServer,
  { connections, tests, usagesOf, limiter }: ConnectionRoutesDeps,
): void {
  const limitTests = limitRate(limiter, (request) => request.userId);

  app.post(
    "/api/connections",
    {
      schema: {
        tags,
        operationId: "createConnection",
        summary: "Store a connection",
        description:
          "Nothing is called. The secrets are stored encrypted, never returned, and sent only to the hosts of the connection.",
        errors: ["app_not_found", "limit_reached"],
        body: createConnectionSchema,
        response: { 201: connectionResponseSchema },
      },
    },
    async (request, reply) => {
      const connection = toConnection(await connections.create(request.userId, request.body));
      return reply.status(201).send({ ok: true, connection });
    },
  );

  app.get(
    "/api/connections",
    {
      schema: {
        tags,
        operationId: "listConnections",
        summary: "List your connections, newest first",
        description: "Without their secrets.",
        querystring: pageQuerySchema,
        response: { 200: connectionListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await connections.list(request.userId, request.query);
      return { ok: true as const, connections: items.map(toConnection), nextCursor };
    },
  );

  app.post(
    "/api/connections/test",
    {
      schema: {
        tags,
        operationId: "testUnsavedConnection",
        summary: "Test a connection before it is stored",
        description: "Calls the service with the credential of the body. Nothing is stored.",
        errors: ["app_not_found", "limit_reached", "rate_limited"],
        body: createConnectionSchema,
        response: { 200: connectionTestResponseSchema },
      },
      onRequest: limitTests,
    },
    async ({ userId, body }) => ({ ok: true as const, ...(await tests.unsaved(userId, body)) }),
  );

  app.get(
    "/api/connections/:id",
    {
      schema: {
        tags,
        operationId: "getConnection",
        summary: "Read a connection and what uses it",
        description: "Without its secrets.",
        params,
        response: { 200: connectionDetailsResponseSchema },
      },
    },
    async ({ userId, params: { id } }) => {
      const connection = toConnection(await connections.get(userId, id));
      return { ok: true as const, connection: { ...connection, usedBy: await usagesOf(userId, id) } };
    },
  );

  app.post(
    "/api/connections/:id/test",
    {
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
    async ({ userId, params: { id } }) => ({ ok: true as const, ...(await tests.stored(userId, id)) }),
  );

  app.patch(
    "/api/connections/:id",
    {
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
    async ({ userId, params: { id }, body }) => ({
      ok: true as const,
      connection: toConnection(await connections.update(userId, id, body)),
    }),
  );

  app.delete(
    "/api/connections/:id",
    {
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
    async ({ userId, params: { id }, query: { force } }) => {
      await connections.get(userId, id);
      if (force !== "true") assertUnused(await usagesOf(userId, id));
      await connections.remove(userId, id);
      return { ok: true as const };
    },
  );
}

function assertUnused(usages: ConnectionUsages): void {
  const names = Object.values(usages).flatMap((used) => used.map(({ name }) => name));
  if (names.length === 0) return;
  const shown = names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");
  throw new AppError("connection_in_use", `The connection is used by ${shown}.`, { details: usages });
}
