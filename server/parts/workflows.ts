import { stepTypeRoutes } from "../http/step-type-routes.ts";
import { templateRoutes } from "../http/template-routes.ts";
import { variableRoutes } from "../http/variable-routes.ts";
import { workflowRoutes } from "../http/workflow-routes.ts";
import type { Vault } from "../engine/vault.ts";
import { createEndpointStore } from "../storage/endpoint-store.ts";
import { createTemplateStore } from "../storage/template-store.ts";
import { createVariableStore } from "../storage/variable-store.ts";
import { createWorkflowStore } from "../storage/workflow-store.ts";
import type { EndpointStore } from "../triggers/endpoint.ts";
import { createVariables } from "../variables/variables.ts";
import { createVault } from "../variables/vault.ts";
import { createStarters } from "../workflows/starters/all.ts";
import { createTemplates } from "../workflows/templates.ts";
import { createWorkflows, type Workflows } from "../workflows/workflows.ts";
import type { Ground, Part } from "./part.ts";

export interface WorkflowsPart extends Part {
  workflows: Workflows;
  /** Workflows as they are run: by address, by version, with the graph parsed once. */
  endpoints: EndpointStore;
  vault: Vault;
}

/** What people draw and what it may refer to: workflows, templates, step types, variables. */
export function createWorkflowsPart({ config, clock, db, box }: Ground): WorkflowsPart {
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
