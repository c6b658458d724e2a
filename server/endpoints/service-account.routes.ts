import * as z from "zod";
import { pageQuerySchema, success } from "../../contract/api.ts";
import {
  createServiceAccountSchema,
  MAX_SERVICE_ACCOUNTS,
  type ServiceAccount,
  serviceAccountListResponseSchema,
  serviceAccountResponseSchema,
  updateServiceAccountSchema,
} from "../../contract/service-accounts.ts";
import type { CredentialWatch } from "../accounts/credential-watch.ts";
import type { HttpServer } from "../http/server.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { ServiceAccountRecord, ServiceAccountStore } from "./service-account.sql.ts";

const tags = ["keys"];
const params = z.object({ id: z.string() });
const read = { access: { role: "admin", scope: "workspace:read" } } as const;
const write = { access: { role: "admin", scope: "workspace:write" } } as const;

export interface ServiceAccountRoutesDeps {
  store: ServiceAccountStore;
  credentials: Pick<CredentialWatch, "changed">;
  clock: Clock;
}

export function serviceAccountRoutes(
  app: HttpServer,
  { store, credentials, clock }: ServiceAccountRoutesDeps,
): void {
  app.post(
    "/api/service-accounts",
    {
      config: write,
      schema: {
        tags,
        operationId: "createServiceAccount",
        summary: "Create a service account",
        description:
          "A member without a login, for programs. Create its keys with `serviceAccountId` of `POST /api/keys`: they outlive the people who created them.",
        errors: ["limit_reached"],
        body: createServiceAccountSchema,
        response: { 201: serviceAccountResponseSchema },
      },
    },
    async ({ workspaceId, userId, body }, reply) => {
      const createdAt = clock.now();
      const account = { id: createId("sa", createdAt), ...body, createdAt };
      if (
        !(await store.insert({ ...account, ownerId: workspaceId, createdBy: userId }, MAX_SERVICE_ACCOUNTS))
      )
        throw new AppError(
          "limit_reached",
          `A workspace has at most ${MAX_SERVICE_ACCOUNTS} service accounts. Delete one that is no longer used.`,
        );
      return reply.status(201).send({ ok: true, serviceAccount: toServiceAccount(account) });
    },
  );

  app.get(
    "/api/service-accounts",
    {
      config: read,
      schema: {
        tags,
        operationId: "listServiceAccounts",
        summary: "List service accounts, oldest first",
        description: "`GET /api/keys?serviceAccountId=` lists the keys of one.",
        querystring: pageQuerySchema,
        response: { 200: serviceAccountListResponseSchema },
      },
    },
    async ({ workspaceId, query }) => {
      const { items, nextCursor } = await store.list(workspaceId, query);
      return { ok: true as const, serviceAccounts: items.map(toServiceAccount), nextCursor };
    },
  );

  app.patch(
    "/api/service-accounts/:id",
    {
      config: write,
      schema: {
        tags,
        operationId: "updateServiceAccount",
        summary: "Rename a service account or change its role",
        description: "Its keys act with the new role from the next request on; their open streams end.",
        params,
        body: updateServiceAccountSchema,
        response: { 200: serviceAccountResponseSchema },
      },
    },
    async (request) => {
      const account = await store.update(request.workspaceId, request.params.id, request.body);
      credentials.changed(request.workspaceId);
      return { ok: true as const, serviceAccount: toServiceAccount(account) };
    },
  );

  app.delete(
    "/api/service-accounts/:id",
    {
      config: write,
      schema: {
        tags,
        operationId: "deleteServiceAccount",
        summary: "Delete a service account",
        description: "Its keys are revoked and open nothing from the next request on.",
        params,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await store.remove(request.workspaceId, request.params.id, clock.now());
      credentials.changed(request.workspaceId);
      return { ok: true as const };
    },
  );
}

function toServiceAccount({ createdAt, ...account }: ServiceAccountRecord): ServiceAccount {
  return { ...account, createdAt: toIso(createdAt) };
}
