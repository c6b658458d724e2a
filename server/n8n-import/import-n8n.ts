import type { ImportN8n, N8nReport } from "../../contract/n8n-import.ts";
import { validationWork } from "../../contract/graph/validate.ts";
import { AppError } from "../lib/errors.ts";
import { inTurns } from "../lib/in-turns.ts";
import type { Drafts } from "../workflows/drafts.ts";
import type { WorkflowRecord } from "../workflows/workflow-rows.sql.ts";
import type { Workflows } from "../workflows/workflows.ts";
import { convertWorkflow } from "./convert.ts";
import { withChecks } from "./draft/to-check.ts";

export interface N8nImportDeps {
  workflows: Pick<Workflows, "create">;
  drafts: Pick<Drafts, "get">;
  maxSteps: number;
}

export type N8nImport = ReturnType<typeof createN8nImport>;

/** Has no access to the engine, connections or the network: a file is read, converted and stored as a draft. */
export function createN8nImport({ workflows, drafts, maxSteps }: N8nImportDeps) {
  async function preview({ workflow: file, name, connections, checked }: ImportN8n): Promise<N8nReport> {
    const imported = await inTurns(convertWorkflow(file, connections));
    const metadata = withChecks(imported.workflow.metadata, imported.nodes, new Set(checked));
    const { errors, warnings } = await inTurns(validationWork(metadata, { maxSteps }));
    const [error] = errors;
    if (error !== undefined)
      throw new AppError("invalid_workflow", `The file cannot be imported: ${error.message}`, {
        details: { errors, warnings },
      });
    return {
      ...imported,
      workflow: { ...imported.workflow, metadata, ...(name !== undefined && { name }) },
      warnings,
    };
  }

  return {
    preview,
    /** An unpublished draft: no version, no trigger. */
    async create(
      ownerId: string,
      request: ImportN8n,
      authorId: string,
    ): Promise<{ workflow: WorkflowRecord; report: N8nReport }> {
      const report = await preview(request);
      const { name, description, metadata, responseStepId } = report.workflow;
      const { workflow } = await workflows.create(
        ownerId,
        {
          name,
          description,
          published: false,
          draft: { description, metadata },
          apiSettings: { responseStepId },
        },
        authorId,
      );
      const { warnings } = await drafts.get(ownerId, workflow.id);
      return { workflow, report: { ...report, warnings } };
    },
  };
}
