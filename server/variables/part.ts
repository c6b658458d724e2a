import type { Vault } from "../engine/run/run.ts";
import type { Part, Platform } from "../platform/part.ts";
import { variableRoutes } from "./variable.routes.ts";
import { createVariableStore } from "./variable.sql.ts";
import { createVariableWarnings, type VariableWarnings } from "./variable-warnings.ts";
import { createVariables } from "./variables.ts";
import { createVault } from "./vault.ts";

export interface VariablesPart extends Part {
  vault: Vault;
  warningsOf: VariableWarnings;
}

export function createVariablesPart({ clock, db, box }: Platform): VariablesPart {
  const store = createVariableStore(db);
  const variables = createVariables({ store, box, clock });
  return {
    vault: createVault({ store, box }),
    warningsOf: createVariableWarnings(store.listByNames),
    eraseOwner: (ownerId, batches) => batches.deleteAll((limit) => store.removeSome(ownerId, limit)),
    routes: (http) => variableRoutes(http, variables),
  };
}
