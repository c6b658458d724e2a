import {
  importN8nSchema,
  n8nImportResponseSchema,
  n8nPreviewResponseSchema,
} from "../../contract/n8n-import.ts";
import type { HttpServer } from "../http/server.ts";
import { toWorkflow } from "../workflows/workflow-view.ts";
import type { N8nImport } from "./import-n8n.ts";

export function importN8nRoutes(app: HttpServer, imports: N8nImport): void {
  app.post(
    "/api/workflows/import-n8n",
    {
      config: { access: { role: "builder", scope: "workflows:write" }, audit: { creates: "workflow" } },
      schema: {
        tags: ["workflows"],
        operationId: "importN8nWorkflow",
        summary: "Import a workflow of n8n",
        description:
          "Converts the JSON that n8n exports into an unpublished draft and reports the result of every node. Nothing is run, fetched or published, and triggers are listed, not created. With save: false the response is 200 and nothing is stored.",
        errors: ["invalid_workflow"],
        body: importN8nSchema,
        bodyExample: {
          workflow: {
            name: "Ping",
            nodes: [
              { name: "Start", type: "n8n-nodes-base.manualTrigger", position: [0, 0], parameters: {} },
              {
                name: "Call",
                type: "n8n-nodes-base.httpRequest",
                typeVersion: 4.2,
                position: [220, 0],
                parameters: { url: "https://api.example.com/ping" },
              },
            ],
            connections: { Start: { main: [[{ node: "Call", type: "main", index: 0 }]] } },
          },
          save: false,
        },
        response: { 200: n8nPreviewResponseSchema, 201: n8nImportResponseSchema },
      },
    },
    async ({ workspaceId, authorId, body }, reply) => {
      if (!body.save) return reply.status(200).send({ ok: true as const, ...(await imports.preview(body)) });
      const { workflow, report } = await imports.create(workspaceId, body, authorId);
      return reply.status(201).send({ ok: true as const, ...report, workflow: toWorkflow(workflow) });
    },
  );
}
