import type { Part, Platform } from "../platform/part.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import { createN8nImport } from "./import-n8n.ts";
import { importN8nRoutes } from "./import-n8n.routes.ts";

/** Imports workflows of n8n as drafts. It has no access to the engine, so it cannot run them. */
export function createN8nImportPart(
  { config }: Platform,
  { workflows, drafts }: Pick<WorkflowsPart, "workflows" | "drafts">,
): Part {
  const imports = createN8nImport({ workflows, drafts, maxSteps: config.limits.steps });
  return { routes: (http) => importN8nRoutes(http, imports) };
}
