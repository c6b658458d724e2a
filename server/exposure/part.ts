import type { Part, Platform } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import { type ClientCallStore, createClientCallStore } from "./client-call.sql.ts";
import { createClientCalls, type RecordCall } from "./client-calls.ts";
import { exposureRoutes } from "./exposure.routes.ts";
import { createExposureStore } from "./exposure.sql.ts";
import { createExposures, type Exposures } from "./exposures.ts";

export interface ExposurePart extends Part {
  exposures: Exposures;
  recordCall: RecordCall;
  pruneCalls: ClientCallStore["prune"];
}

/** What MCP, A2A and chat clients may use, and the calls that came in. */
export function createExposurePart(
  { clock, db, report }: Platform,
  { runnable }: WorkflowsPart,
): ExposurePart {
  const store = createExposureStore(db, runnable);
  const exposures = createExposures({ store, clock });
  const callStore = createClientCallStore(db);
  const calls = createClientCalls({
    store: callStore,
    clock,
    onFlushError: (error) => report(error, "recording the calls of clients"),
  });
  return {
    exposures,
    recordCall: calls.recordCall,
    pruneCalls: callStore.prune,
    routes: (http) => exposureRoutes(http, { exposures, calls }),
    stopOwner: (ownerId, batches) => batches.deleteAll((limit) => store.removeOwned(ownerId, limit)),
    eraseOwner: (ownerId, batches) =>
      batches.deleteAll((limit) => deleteOwned(db, "client_call", ownerId, limit)),
    close: calls.close,
  };
}
