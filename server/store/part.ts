import { WORKSPACE_SCOPE } from "../../contract/store.ts";
import type { StepRunner } from "../engine/run/step-runner.ts";
import { isId } from "../lib/ids.ts";
import type { ThrottledBatches } from "../lib/throttled-batches.ts";
import type { Part, Platform } from "../platform/part.ts";
import { createStoreRunner } from "../steps/store.ts";
import { createKeyValueStore, type KeyValueStore, type KeyValueStoreDeps } from "./key-value-store.ts";
import { storeRoutes } from "./store.routes.ts";
import { createStoreValues, type StoreValues } from "./store.sql.ts";

export interface StorePart extends Part {
  keyValues: KeyValueStore;
  stepRunner: StepRunner;
  /** Deletes expired values, up to `limit`; returns how many. */
  removeExpired: StoreValues["removeExpired"];
}

/** The records that values can belong to; each throws when the owner has no such record. */
export interface StoreScopes {
  workflow(ownerId: string, id: string): Promise<unknown>;
  agent(ownerId: string, id: string): Promise<unknown>;
}

export function createStorePart({ clock, db, limits }: Platform, scopes: StoreScopes): StorePart {
  const values = createStoreValues(db);
  const requireScope: KeyValueStoreDeps["requireScope"] = async (ownerId, scope) => {
    if (scope === WORKSPACE_SCOPE) return;
    await (isId("agent", scope) ? scopes.agent : scopes.workflow)(ownerId, scope);
  };
  const keyValues = createKeyValueStore({ values, clock, limits, requireScope });
  limits.reports("store_values", async (ownerId) => (await values.usage(ownerId)).count);
  limits.reports("store_bytes", async (ownerId) => (await values.usage(ownerId)).bytes);
  return {
    keyValues,
    stepRunner: createStoreRunner(keyValues),
    removeExpired: values.removeExpired,
    eraseOwner: (ownerId, batches: ThrottledBatches) =>
      batches.deleteAll((limit) => values.removeSome(ownerId, limit)),
    routes: (http) => storeRoutes(http, keyValues),
  };
}
