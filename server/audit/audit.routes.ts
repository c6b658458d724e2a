import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import * as z from "zod";
import {
  auditExportQuerySchema,
  auditListResponseSchema,
  auditQuerySchema,
  auditVerificationResponseSchema,
} from "../../contract/audit.ts";
import type { RouteAccess } from "../../contract/roles.ts";
import { attachmentHeader } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";
import type { AuditEvents } from "./audit-events.ts";
import { INSTANCE_CHAIN } from "./chain.ts";

const tags = ["audit log"];
const MEDIA_TYPES = { ndjson: "application/x-ndjson", csv: "text/csv; charset=utf-8" };

/** The routes of a workspace, and the same ones of the instance. */
interface AuditLog {
  path: string;
  access: RouteAccess;
  /** In the operation ids. */
  noun: string;
  of: string;
  /** What its events are about, and who may read them. */
  about: string;
  chainOf(request: FastifyRequest): string;
}

const AUDIT_LOGS: readonly AuditLog[] = [
  {
    path: "/api/audit-events",
    access: { role: "admin", scope: "workspace:read" },
    noun: "Audit",
    of: "the workspace",
    about: "Every change in the workspace and every read of a file or an export.",
    chainOf: ({ workspaceId }) => workspaceId,
  },
  {
    path: "/api/admin/audit-events",
    access: "administrator",
    noun: "InstanceAudit",
    of: "the instance",
    about: "Logins, accounts, new and deleted workspaces and the administration. For the administrator.",
    chainOf: () => INSTANCE_CHAIN,
  },
];

export function auditRoutes(app: HttpServer, events: AuditEvents): void {
  for (const log of AUDIT_LOGS) routesOf(app, events, log);
}

function routesOf(
  app: HttpServer,
  events: AuditEvents,
  { path, access, noun, of, about, chainOf }: AuditLog,
): void {
  app.get(
    path,
    {
      config: { access },
      schema: {
        tags,
        operationId: `list${noun}Events`,
        summary: `List the audit events of ${of}, newest first`,
        description: `${about} One event for each action: its result or, when the process ended during the action, its attempt.`,
        querystring: auditQuerySchema,
        response: { 200: auditListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await events.list(chainOf(request), request.query);
      return { ok: true as const, events: items, nextCursor };
    },
  );

  app.get(
    `${path}/export`,
    {
      config: { access, audit: {} },
      schema: {
        tags,
        operationId: `export${noun}Events`,
        summary: `Export the audit events of ${of}, oldest first`,
        description: `${about} All events that match, with attempts and hashes, as a stream. Without a filter an NDJSON file has the whole chain and can be verified without Baton. The export is recorded.`,
        querystring: auditExportQuerySchema,
        produces: ["application/x-ndjson", "text/csv"],
        response: { 200: z.string().meta({ format: "binary" }).describe("One event a line") },
      },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query;
      return reply
        .headers({
          "content-type": MEDIA_TYPES[format],
          "content-disposition": attachmentHeader(`audit-log.${format}`),
          "cache-control": "private, no-store",
        })
        .send(Readable.from(events.lines(chainOf(request), filter, format)) as never);
    },
  );

  app.get(
    `${path}/verification`,
    {
      config: { access },
      schema: {
        tags,
        operationId: `verify${noun}Log`,
        summary: `Verify the audit log of ${of}`,
        description: `${about} Computes every hash again and names the first event that was changed or is missing.`,
        response: { 200: auditVerificationResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, verification: await events.verify(chainOf(request)) }),
  );
}
