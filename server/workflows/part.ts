import type { Part, Platform } from "../platform/part.ts";
import { stepTypeRoutes } from "../steps/step-type.routes.ts";
import { createRunnableWorkflows, type RunnableWorkflows } from "./runnable-workflow.sql.ts";
import { createStarters } from "./starters/all.ts";
import { templateRoutes } from "./template.routes.ts";
import { createTemplateStore } from "./template.sql.ts";
import { createTemplates } from "./templates.ts";
import { workflowRoutes } from "./workflow.routes.ts";
import { createWorkflowStore } from "./workflow.sql.ts";
import { createWorkflows, type Workflows } from "./workflows.ts";

export interface WorkflowsPart extends Part {
  workflows: Workflows;
  /** Workflow versions as the engine runs them. */
  runnable: RunnableWorkflows;
}

/** Workflows, their templates and the catalogue of step types. */
export function createWorkflowsPart({ config, clock, db }: Platform): WorkflowsPart {
  const { steps: maxSteps, jsonBodyBytes: maxGraphBytes, uploadBytes } = config.limits;
  const workflows = createWorkflows({ store: createWorkflowStore(db), clock, maxSteps });
  const templates = createTemplates({
    store: createTemplateStore(db),
    workflows,
    starters: createStarters(config.serviceUrl),
    clock,
    maxSteps,
    maxGraphBytes,
  });
  return {
    workflows,
    runnable: createRunnableWorkflows(db),
    routes(http) {
      workflowRoutes(http, workflows);
      templateRoutes(http, { templates, fileLimitBytes: Math.max(uploadBytes, maxGraphBytes) });
      stepTypeRoutes(http);
    },
  };
}
