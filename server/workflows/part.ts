import type { Part, Platform } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import { stepTypeRoutes } from "../steps/step-type.routes.ts";
import { createStepTitles, type StepTitles } from "./step-titles.ts";
import { createRunnableWorkflows, type RunnableWorkflows } from "./runnable-workflow.sql.ts";
import { createDraftStore } from "./draft.sql.ts";
import { folderRoutes } from "./folder.routes.ts";
import { createFolderStore } from "./folder.sql.ts";
import { createFolders } from "./folders.ts";
import { draftRoutes } from "./draft.routes.ts";
import { createDrafts, type Drafts } from "./drafts.ts";
import { createStarters } from "./starters/all.ts";
import { templateRoutes } from "./template.routes.ts";
import { createTemplateStore } from "./template.sql.ts";
import { createTemplates, type Templates } from "./templates.ts";
import { type ApisOf, workflowRoutes } from "./workflow.routes.ts";
import { versionRoutes } from "./version.routes.ts";
import { createWorkflowStore } from "./workflow.sql.ts";
import { createWorkflows, type RecordWarnings, type Workflows } from "./workflows.ts";

export interface WorkflowsPart extends Part {
  workflows: Workflows;
  drafts: Drafts;
  templates: Templates;
  /** Workflow versions as the engine runs them. */
  runnable: RunnableWorkflows;
  withStepTitles: StepTitles;
}

const BATCH_SIZE = 50;

/** Workflows, their templates and the catalogue of step types. */
export function createWorkflowsPart(
  { config, clock, db }: Platform,
  recordWarnings: RecordWarnings,
  apisOf: ApisOf,
): WorkflowsPart {
  const { steps: maxSteps, jsonBodyBytes: maxGraphBytes, uploadBytes } = config.limits;
  const store = createWorkflowStore(db);
  const workflows = createWorkflows({ store, clock, maxSteps, recordWarnings });
  const draftStore = createDraftStore(db);
  const drafts = createDrafts({
    workflows: store,
    drafts: draftStore,
    cloneLive: workflows.clone,
    clock,
    maxSteps,
    recordWarnings,
  });
  const folderStore = createFolderStore(db);
  const folders = createFolders({ store: folderStore, clock });
  const templates = createTemplates({
    store: createTemplateStore(db),
    workflows,
    starters: createStarters(config.serviceUrl),
    clock,
    maxSteps,
    maxGraphBytes,
  });
  const runnable = createRunnableWorkflows(db);
  return {
    workflows,
    drafts,
    templates,
    runnable,
    withStepTitles: createStepTitles(runnable),
    async stopOwner(ownerId, batches) {
      for (;;) {
        const { items } = await workflows.listSummaries(ownerId, { limit: BATCH_SIZE });
        // Their names stay reserved; the rows are needed by tasks that have not ended.
        for (const { id } of items) await batches.run(() => workflows.remove(ownerId, id));
        if (items.length === 0) return;
      }
    },
    async eraseOwner(ownerId, batches) {
      await batches.deleteAll((limit) => draftStore.removeOwned(ownerId, limit));
      await batches.deleteAll((limit) => store.removeVersions(ownerId, limit));
      await batches.deleteAll((limit) => folderStore.removeOwned(ownerId, limit));
      for (const table of ["workflow", "template"])
        await batches.deleteAll((limit) => deleteOwned(db, table, ownerId, limit));
    },
    routes(http) {
      workflowRoutes(http, { workflows, drafts, apisOf });
      versionRoutes(http, workflows);
      folderRoutes(http, folders);
      draftRoutes(http, drafts);
      templateRoutes(http, { templates, fileLimitBytes: Math.max(uploadBytes, maxGraphBytes) });
      stepTypeRoutes(http);
    },
  };
}
