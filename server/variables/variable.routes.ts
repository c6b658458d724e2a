import * as z from "zod";
import { errorSchema, pageQuerySchema, success } from "../../contract/api.ts";
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
const failures = { "4xx": errorSchema };

export function variableRoutes(app: HttpServer, variables: Variables): void {
  app.get(
    "/api/variables",
    {
      schema: {
        tags,
        operationId: "listVariables",
        summary: "List variables and secrets, by name",
        querystring: pageQuerySchema,
        response: { 200: variableListResponseSchema, ...failures },
      },
    },
    async (request) => {
      const { items, nextCursor } = await variables.list(request.userId, request.query);
      return { ok: true as const, variables: items, nextCursor };
    },
  );

  app.post(
    "/api/variables",
    {
      schema: {
        tags,
        operationId: "createVariable",
        summary: "Create a variable or secret",
        body: createVariableSchema,
        response: { 201: variableResponseSchema, ...failures },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send({ ok: true as const, variable: await variables.create(request.userId, request.body) }),
  );

  app.put(
    "/api/variables/:name",
    {
      schema: {
        tags,
        operationId: "putVariable",
        summary: "Create or update a variable or secret",
        params: z.object({ name: variableNameSchema }),
        body: putVariableSchema,
        response: { 200: variableResponseSchema, ...failures },
      },
    },
    async (request) => ({
      ok: true as const,
      variable: await variables.put(request.userId, request.params.name, request.body),
    }),
  );

  app.delete(
    "/api/variables/:name",
    {
      schema: {
        tags,
        operationId: "deleteVariable",
        summary: "Delete a variable or secret",
        params: z.object({ name: z.string() }),
        response: { 200: success({}), ...failures },
      },
    },
    async (request) => {
      await variables.remove(request.userId, request.params.name);
      return { ok: true as const };
    },
  );
}
