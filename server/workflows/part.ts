import { stepTypeRoutes } from "../steps/step-type.routes.ts";
import { templateRoutes } from "./template.routes.ts";
import { variableRoutes } from "../variables/variable.routes.ts";
import { workflowRoutes } from "./workflow.routes.ts";
import type { Vault } from "../engine/run/vault.ts";
import { createEndpointStore } from "../endpoints/endpoint.sql.ts";
import { createTemplateStore } from "./template.sql.ts";
import { createVariableStore } from "../variables/variable.sql.ts";
import { createWorkflowStore } from "./workflow.sql.ts";
import type { EndpointStore } from "../endpoints/endpoint.ts";
import { createVariables } from "../variables/variables.ts";
import { createVault } from "../variables/vault.ts";
import { createStarters } from "./starters/all.ts";
import { createTemplates } from "./templates.ts";
import { createWorkflows, type Workflows } from "./workflows.ts";
import type { Platform, Part } from "../platform/part.ts";

export interface WorkflowsPart extends Part {
  workflows: Workflows;
  /** Workflows as they are run: by address, by version, with the graph parsed once. */
  endpoints: EndpointStore;
  vault: Vault;
}

/** What people draw and what it may refer to: workflows, templates, step types, variables. */
export function createWorkflowsPart({ config, clock, db, box }: Platform): WorkflowsPart {
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
  const variableStore = createVariableStore(db);
  const variables = createVariables({ store: variableStore, box, clock });
  return {
    workflows,
    endpoints: createEndpointStore(db),
    vault: createVault({ store: variableStore, box }),
    routes(http) {
      workflowRoutes(http, workflows);
      templateRoutes(http, { templates, fileLimitBytes: Math.max(uploadBytes, maxGraphBytes) });
      stepTypeRoutes(http);
      variableRoutes(http, variables);
    },
  };
}
