import {
  changeExposureSchema,
  clientCallListResponseSchema,
  clientCallQuerySchema,
  exposureListResponseSchema,
  exposureParamsSchema,
  exposureQuerySchema,
  exposureResponseSchema,
} from "../../contract/exposures.ts";
import type { HttpServer } from "../http/server.ts";
import type { ClientCalls } from "./client-calls.ts";
import type { Exposures } from "./exposures.ts";

const tags = ["clients"];

export function exposureRoutes(
  app: HttpServer,
  { exposures, calls }: { exposures: Exposures; calls: ClientCalls },
): void {
  app.get(
    "/api/exposures",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        operationId: "listExposures",
        tags,
        summary: "List what can be exposed to clients, with its switches",
        description:
          "Published workflows, agents, teams and the documents of your account. Everything is off until you switch it on.",
        querystring: exposureQuerySchema,
        response: { 200: exposureListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await exposures.listAll(request.workspaceId, request.query);
      return { ok: true as const, exposures: items, nextCursor };
    },
  );

  app.get(
    "/api/exposures/:kind/:id",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        operationId: "getExposure",
        tags,
        summary: "Read where a record is exposed",
        description: "A workflow without a published version cannot be exposed and is 400.",
        params: exposureParamsSchema,
        response: { 200: exposureResponseSchema },
      },
    },
    async (request) => {
      const { kind, id } = request.params;
      return { ok: true as const, exposure: await exposures.get(request.workspaceId, kind, id) };
    },
  );

  app.put(
    "/api/exposures/:kind/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        operationId: "changeExposure",
        tags,
        summary: "Expose a workflow, an agent, a team or your documents over MCP, A2A or chat",
        description:
          "Clients see the change with their next request. A workflow must be published; while it is paused, no client sees it.",
        params: exposureParamsSchema,
        body: changeExposureSchema,
        response: { 200: exposureResponseSchema },
      },
    },
    async (request) => {
      const { kind, id } = request.params;
      const exposure = await exposures.change(request.workspaceId, kind, id, request.body);
      return { ok: true as const, exposure };
    },
  );

  app.get(
    "/api/client-calls",
    {
      config: { access: { role: "builder", scope: "workflows:read" } },
      schema: {
        operationId: "listClientCalls",
        tags,
        summary: "List the calls of MCP, A2A and chat clients, newest first",
        description: "Arguments and results are in the task of a call.",
        querystring: clientCallQuerySchema,
        response: { 200: clientCallListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await calls.list(request.workspaceId, request.query);
      return { ok: true as const, calls: items, nextCursor };
    },
  );
}
