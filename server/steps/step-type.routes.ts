import * as z from "zod";
import { success } from "../../contract/api.ts";
import { describeStepTypes } from "../../contract/steps/catalogue.ts";
import type { HttpServer } from "../http/server.ts";

const stepTypeSchema = z.object({
  type: z.string(),
  title: z.string(),
  description: z.string(),
  category: z.string(),
  schema: z.unknown().describe("JSON Schema of the fields"),
  example: z.unknown(),
});

export function stepTypeRoutes(app: HttpServer): void {
  app.get(
    "/api/step-types",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags: ["workflows"],
        operationId: "listStepTypes",
        summary: "Every type of step, with the schema of its fields and an example",
        description:
          "The JSON Schema of the fields of each type and a step that is valid. Forms, generators and models read it.",
        // Linters take an example of a step type, which has a "type" and an "example", for a schema.
        responseExample: { ok: true, stepTypes: [] },
        response: { 200: success({ stepTypes: z.array(stepTypeSchema) }) },
      },
    },
    () => ({ ok: true as const, stepTypes: describeStepTypes() }),
  );
}
