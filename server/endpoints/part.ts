import type { CredentialWatch } from "../accounts/credential-watch.ts";
import type { Engine } from "../engine/engine-api.ts";
import { createRateLimiter } from "../lib/rate-limiter.ts";
import type { Part, Platform } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import { maxFormBytes } from "../run-files/multipart-scope.routes.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import { apiKeyRoutes } from "./api-key.routes.ts";
import { createApiKeyStore } from "./api-key.sql.ts";
import { type ApiKeys, createApiKeys } from "./api-keys.ts";
import { endpointRoutes } from "./endpoint.routes.ts";
import { createEndpointStore } from "./endpoint.sql.ts";
import { formRoutes } from "./form.routes.ts";
import { createPublicCalls } from "./public-calls.ts";
import { serviceAccountRoutes } from "./service-account.routes.ts";
import { createServiceAccountStore } from "./service-account.sql.ts";

export interface EndpointsPartDeps {
  workflows: Pick<WorkflowsPart, "runnable">;
  engine: Engine;
  runFiles: RunFiles;
  credentials: CredentialWatch;
}

/** Public endpoints and the API keys that authorize calls to them. */
export function createEndpointsPart(
  { config, clock, db, report, limits }: Platform,
  { workflows, engine, runFiles, credentials }: EndpointsPartDeps,
): Part & { keys: ApiKeys } {
  const keys = createApiKeys({
    store: createApiKeyStore(db),
    clock,
    credentials,
    onFlushError: (error) => report(error, "recording the last use of API keys"),
  });
  const calls = createPublicCalls({
    store: createEndpointStore(db, workflows.runnable),
    keys,
    engine,
    syncTimeoutMs: config.syncTimeoutMs,
  });
  // Counted in this process, so that a call costs no query more.
  const limiter = createRateLimiter(config.limits.endpointPerMinute, clock);
  return {
    keys,
    routes(http) {
      apiKeyRoutes(http, keys);
      serviceAccountRoutes(http, { store: createServiceAccountStore(db), credentials, clock });
      const maxChunkedBytes = maxFormBytes(limits.max("file_bytes"));
      const called = { calls, limiter, runFiles, maxChunkedBytes };
      endpointRoutes(http, called);
      formRoutes(http, called);
    },
    async stopOwner(ownerId, batches) {
      for (const table of ["api_key", "service_account"])
        await batches.deleteAll((limit) => deleteOwned(db, table, ownerId, limit));
    },
    close: keys.close,
  };
}
