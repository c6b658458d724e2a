import * as z from "zod";
import { namedPageQuerySchema, success } from "../../contract/api.ts";
import {
  createVariableSchema,
  putVariableSchema,
  variableResponseSchema,
  variableListResponseSchema,
  variableNameSchema,
} from "../../contract/variables.ts";
import type { Variables } from "./variables.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["variables"];

export function variableRoutes(app: HttpServer, variables: Variables): void {
  app.get(
    "/api/variables",
    {
      config: { access: { role: "builder", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listVariables",
        summary: "List variables and secrets, by name",
        description: "Values of variables are included, values of secrets never.",
        querystring: namedPageQuerySchema,
        response: { 200: variableListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await variables.list(request.workspaceId, request.query);
      return { ok: true as const, variables: items, nextCursor };
    },
  );

  app.post(
    "/api/variables",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "createVariable",
        summary: "Create a variable or secret",
        description:
          "Steps read it as `{{vars.<name>}}`, a secret as `{{secrets.<name>}}`. A secret is encrypted at rest and redacted from everything shown.",
        errors: ["variable_exists"],
        body: createVariableSchema,
        response: { 201: variableResponseSchema },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send({ ok: true as const, variable: await variables.create(request.workspaceId, request.body) }),
  );

  app.put(
    "/api/variables/:name",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "putVariable",
        summary: "Create or update a variable or secret",
        description: "Replaces the value, or creates the variable. Without `secret` a secret stays a secret.",
        params: z.object({ name: variableNameSchema }),
        body: putVariableSchema,
        response: { 200: variableResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      variable: await variables.put(request.workspaceId, request.params.name, request.body),
    }),
  );

  app.delete(
    "/api/variables/:name",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteVariable",
        summary: "Delete a variable or secret",
        description: "Steps that still refer to it fail when they run.",
        params: z.object({ name: z.string() }),
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await variables.remove(request.workspaceId, request.params.name);
      return { ok: true as const };
    },
  );
}
