import * as z from "zod";
import { pageQuerySchema, success } from "../../contract/api.ts";
import {
  connectionListResponseSchema,
  connectionResponseSchema,
  createConnectionSchema,
  updateConnectionSchema,
} from "../../contract/connections.ts";
import type { HttpServer } from "../http/server.ts";
import { type Connections, toConnection } from "./connections.ts";

const tags = ["connections"];
const params = z.object({ id: z.string() });

export function connectionRoutes(app: HttpServer, connections: Connections): void {
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

  app.get(
    "/api/connections/:id",
    {
      schema: {
        tags,
        operationId: "getConnection",
        summary: "Read a connection",
        description: "Without its secrets.",
        params,
        response: { 200: connectionResponseSchema },
      },
    },
    async ({ userId, params: { id } }) => ({
      ok: true as const,
      connection: toConnection(await connections.get(userId, id)),
    }),
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
        description: "Steps that still name it fail when they run.",
        params,
        response: { 200: success({}) },
      },
    },
    async ({ userId, params: { id } }) => {
      await connections.remove(userId, id);
      return { ok: true as const };
    },
  );
}
