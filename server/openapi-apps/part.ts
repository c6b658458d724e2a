import { createConnectionUsages } from "../connections/connection-usages.sql.ts";
import type { Part, Platform } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import { createApiAppUsages } from "./action-usages.sql.ts";
import { apiAppRoutes } from "./api-app.routes.ts";
import { type ApiAppStore, createApiAppStore } from "./api-app.sql.ts";
import { type ApiApps, createApiApps } from "./api-apps.ts";
import { apiSteps, type AppWarnings, createAppWarnings } from "./app-warnings.ts";
import { readOpenApiDocument } from "./document-reader.ts";
import { fetchDocument, requireReachable } from "./document-source.ts";

export interface OpenApiAppsPart extends Part {
  apps: ApiApps;
  warningsOf: AppWarnings;
  /** The APIs that the steps of a graph use, for a file of it. */
  apisOf(ownerId: string, graph: { steps: readonly unknown[] }): ReturnType<ApiAppStore["named"]>;
}

/** Up to 16 MB each in memory. */
const FETCH_SLOTS = { slots: 4, perKey: 1 };
/** Each thread may take 512 MB. */
const READ_SLOTS = { slots: 2, perKey: 1 };
const PER_MINUTE = 20;

/** OpenAPI documents of users as apps. */
export function createOpenApiAppsPart({ db, clock, egress, limits, limiter }: Platform): OpenApiAppsPart {
  const store = createApiAppStore(db);
  const usages = createApiAppUsages(db);
  const fetches = limits.share({ share: "openapi_fetches", ...FETCH_SLOTS });
  const reads = limits.share({ share: "openapi_documents", ...READ_SLOTS });
  const apps = createApiApps({
    store,
    usages,
    clock,
    fetchDocument: (ownerId, url, signal) =>
      fetches.run(ownerId, () => fetchDocument(egress, url, signal), { signal }),
    readDocument: (ownerId, text, options, signal) =>
      reads.run(ownerId, () => readOpenApiDocument(text, options, { signal }), { signal }),
    requireReachable: (server) => requireReachable(egress, server),
  });
  return {
    apps,
    warningsOf: createAppWarnings(store.knownActions),
    async apisOf(ownerId, graph) {
      const ids = new Set(apiSteps(graph).map(({ app }) => app));
      return ids.size === 0 ? [] : store.named(ownerId, [...ids]);
    },
    eraseOwner: (ownerId, batches) =>
      batches.deleteAll((limit) => deleteOwned(db, "api_app", ownerId, limit)),
    routes: (http) =>
      apiAppRoutes(http, {
        apps,
        usages,
        usagesOf: createConnectionUsages(db).list,
        limiter: limiter("openapi_documents", PER_MINUTE),
      }),
  };
}
