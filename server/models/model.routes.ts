import { modelListResponseSchema } from "../../contract/models.ts";
import type { LanguageModels } from "./language-model.ts";
import type { HttpServer } from "../http/server.ts";

export function modelRoutes(app: HttpServer, models: Pick<LanguageModels, "list">): void {
  app.get(
    "/api/models",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags: ["models"],
        operationId: "listModels",
        summary: "The language models that are configured, the default one first",
        description: "Steps, agents and questions use the default model unless they name another one.",
        response: { 200: modelListResponseSchema },
      },
    },
    () => ({ ok: true as const, models: models.list() }),
  );
}
