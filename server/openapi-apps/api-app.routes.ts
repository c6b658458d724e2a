import type { FastifyReply } from "fastify";
import * as z from "zod";
import { success } from "../../contract/api.ts";
import {
  apiOperationsResponseSchema,
  importAppSchema,
  importedAppResponseSchema,
  MAX_DOCUMENT_BYTES,
  refreshAppResponseSchema,
  refreshAppSchema,
  updateAppSchema,
} from "../../contract/api-apps.ts";
import { type ConnectionUsages, deleteConnectionQuerySchema } from "../../contract/connections.ts";
import type { ConnectionUsageStore } from "../connections/connection-usages.sql.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import { AppError } from "../lib/errors.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { ApiAppUsages } from "./action-usages.sql.ts";
import { assertCanManage } from "../connections/connection-access.ts";
import type { ApiAppRecord } from "./api-app.sql.ts";
import { type ApiApps, toApiDocument } from "./api-apps.ts";

const tags = ["apps"];
const params = z.object({ id: z.string() });
/** A document in a JSON string is longer than itself: quotes and line breaks are escaped. */
const BODY_BYTES = MAX_DOCUMENT_BYTES * 1.25;
const READ_ERRORS = [
  "egress_denied",
  "fetch_failed",
  "unreadable_document",
  "payload_too_large",
  "limit_reached",
  "rate_limited",
] as const;

export interface ApiAppRoutesDeps {
  apps: ApiApps;
  usages: ApiAppUsages;
  /** What names a record by its id: a connection or an app. */
  usagesOf: ConnectionUsageStore["list"];
  limiter: RateLimiter;
}

export function apiAppRoutes(app: HttpServer, { apps, usages, usagesOf, limiter }: ApiAppRoutesDeps): void {
  const onRequest = limitRate(limiter, (request) => request.workspaceId);

  async function toResponse(ownerId: string, record: ApiAppRecord) {
    const { operations } = await apps.operations(ownerId, record.id);
    const { id, title, definition } = record;
    return { id, title, description: definition.description, api: toApiDocument(record, operations.length) };
  }

  /** What uses the app or one of its connections, which are deleted with it. */
  async function usedBy(ownerId: string, id: string): Promise<ConnectionUsages> {
    const connections = await usages.connections(ownerId, id);
    const found = await Promise.all(
      [id, ...connections.map((each) => each.id)].map((each) => usagesOf(ownerId, each)),
    );
    const joined = (kind: keyof ConnectionUsages) => [
      ...new Map(found.flatMap((each) => each[kind]).map((each) => [each.id, each])).values(),
    ];
    return {
      workflows: joined("workflows"),
      triggers: joined("triggers"),
      agents: joined("agents"),
      mcpServers: joined("mcpServers"),
      teams: joined("teams"),
    };
  }

  app.post(
    "/api/apps/import",
    {
      config: { access: { role: "builder", scope: "connections:write" }, audit: { creates: "app" } },
      bodyLimit: BODY_BYTES,
      schema: {
        tags,
        operationId: "importApp",
        summary: "Add an API from its OpenAPI document",
        description:
          "Reads an OpenAPI 3.0, OpenAPI 3.1 or Swagger 2.0 document, as JSON or YAML of up to 16 MB. Its operations become actions of an app of yours, its security schemes become ways to connect, and its first server becomes the address. References to other documents are not followed.",
        errors: [...READ_ERRORS],
        body: importAppSchema,
        bodyExample: { url: "https://api.example.com/openapi.json" },
        response: { 201: importedAppResponseSchema },
      },
      onRequest,
    },
    async (request, reply) => {
      const record = await apps.create(request.workspaceId, request.body, signalOf(reply));
      const imported = await toResponse(request.workspaceId, record);
      return reply.status(201).send({ ok: true as const, app: imported, reconnect: [] });
    },
  );

  app.get(
    "/api/apps/:id/operations",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listAppOperations",
        summary: "List the operations of an API of yours",
        description:
          "Every operation that is an action, hidden ones included, without their fields, and those that cannot be actions with the reason.",
        params,
        response: { 200: apiOperationsResponseSchema },
      },
    },
    async ({ workspaceId, params: { id } }) => ({
      ok: true as const,
      ...(await apps.operations(workspaceId, id)),
    }),
  );

  app.patch(
    "/api/apps/:id",
    {
      config: { access: { role: "builder", scope: "connections:write" } },
      schema: {
        tags,
        operationId: "updateApp",
        summary: "Rename an API of yours, or choose its server and actions",
        description:
          "A connection stays bound to the hosts that its secret was given for. After a change of the server, `reconnect` lists those that need their secret again.",
        errors: ["egress_denied"],
        params,
        body: updateAppSchema,
        bodyExample: { title: "Shop", server: "https://eu.api.example.com/v1" },
        response: { 200: importedAppResponseSchema },
      },
    },
    async ({ workspaceId, params: { id }, body }) => {
      const { record, reconnect } = await apps.update(workspaceId, id, body);
      return { ok: true as const, app: await toResponse(workspaceId, record), reconnect };
    },
  );

  app.post(
    "/api/apps/:id/refresh",
    {
      config: { access: { role: "builder", scope: "connections:write" }, audit: { dryRunIn: "body" } },
      bodyLimit: BODY_BYTES,
      schema: {
        tags,
        operationId: "refreshApp",
        summary: "Read the document of an API of yours again",
        description:
          "Answers what has changed, with the workflows and agents that use a removed or changed action. With `dryRun` nothing is stored.",
        errors: [...READ_ERRORS],
        params,
        body: refreshAppSchema,
        bodyExample: { dryRun: true },
        response: { 200: refreshAppResponseSchema },
      },
      onRequest,
    },
    async ({ workspaceId, params: { id }, body }, reply) => ({
      ok: true as const,
      ...(await apps.refresh(workspaceId, id, body, signalOf(reply))),
    }),
  );

  app.delete(
    "/api/apps/:id",
    {
      config: { access: { role: "builder", scope: "connections:write" } },
      schema: {
        tags,
        operationId: "deleteApp",
        summary: "Delete an API of yours with its connections",
        description:
          "Connections of others are deleted by admins only. One that is in use, or whose connections are, is 409 `app_in_use`, with the names in `details`, unless `force` is `true`. Steps that still name it fail when they run. Apps that ship with the service cannot be deleted.",
        errors: ["app_in_use"],
        params,
        querystring: deleteConnectionQuerySchema,
        response: { 200: success({}) },
      },
    },
    async ({ workspaceId, authorId, role, params: { id }, query: { force } }) => {
      await apps.get(workspaceId, id);
      for (const connection of await usages.connections(workspaceId, id))
        assertCanManage({ authorId, role }, connection);
      if (force !== "true") assertUnused(await usedBy(workspaceId, id));
      await apps.remove(workspaceId, id);
      return { ok: true as const };
    },
  );
}

function assertUnused(used: ConnectionUsages): void {
  const names = Object.values(used).flatMap((records) => records.map(({ name }) => name));
  if (names.length === 0) return;
  const users = names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");
  throw new AppError("app_in_use", `The app is used by ${users}.`, { details: used });
}

/** Aborted when the client leaves: nobody waits for the document any more. */
function signalOf(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  reply.raw.on("close", () => left.abort());
  return left.signal;
}
