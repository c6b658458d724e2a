import type { ConnectionKind } from "../../contract/connections.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { Part, Platform } from "../platform/part.ts";
import { isAdministrator } from "../storage/administrator.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import type { ConnectionApps, TestConnection } from "./connection-app.ts";
import { isSentByHttp } from "./connection-kinds.ts";
import { createConnectionTests } from "./connection-tests.ts";
import { createConnectionTokenStore } from "./connection-tokens.sql.ts";
import { createConnectionUsages } from "./connection-usages.sql.ts";
import { connectionOauthRoutes } from "./connection-oauth.routes.ts";
import { connectionRoutes } from "./connection.routes.ts";
import { createConnectionStore } from "./connection.sql.ts";
import { type ConnectionUses, createConnectionUses } from "./connection-uses.ts";
import { createConnectionWarnings, type RecordWarnings } from "./connection-warnings.ts";
import { createListConnectionWaits } from "./connection-waits.sql.ts";
import { createConnectionWaits } from "./connection-waits.ts";
import { createConnections } from "./connections.ts";
import { createOauthClientStore } from "./oauth-client.sql.ts";
import { createOauthClients } from "./oauth-clients.ts";
import { createOauthFlow } from "./oauth-flow.ts";
import { createOauthTokens } from "./oauth-tokens.ts";

export interface ConnectionsPart extends Part {
  /** Opens a connection for one step. Throws `connection_not_found` or `forbidden`. */
  use: ConnectionUses["use"];
  /** Throws `connection_not_found`, or `invalid_request` when its credential is not sent with HTTP requests. */
  requireHttp(ownerId: string, id: string): Promise<void>;
  /** As `requireHttp`, for another kind. */
  requireKind(ownerId: string, id: string, kind: ConnectionKind): Promise<void>;
  warningsOf: RecordWarnings;
}

export interface ConnectionsPartDeps {
  /** Retries the steps that wait for a connection. */
  engine(): Pick<Engine, "retryNow">;
  apps: ConnectionApps;
  /** How a connection of a kind that is not sent by HTTP is tested. */
  tests: Partial<Record<ConnectionKind, TestConnection>>;
}

/** Passes over waiting runs that a process makes at once. */
const WAIT_SLOTS = 2;
/** Connection tests and starts of an authorization: requests to the service while the user waits. */
const CALL_SLOTS = { slots: 16, perKey: 2 };
const CALLS_PER_MINUTE = 60;

/** Stored credentials, and their use by steps. */
export function createConnectionsPart(
  { config, clock, db, box, egress, limits, limiter, report }: Platform,
  { engine, apps, tests: testsByKind }: ConnectionsPartDeps,
): ConnectionsPart {
  const store = { ...createConnectionStore(db), ...createConnectionTokenStore(db) };
  const clients = createOauthClients({
    store: createOauthClientStore(db),
    box,
    clock,
    apps,
    isAdministrator: (ownerId) => isAdministrator(db, ownerId),
  });
  const tokens = createOauthTokens({ store, box, clock, clients, egress });
  const flow = createOauthFlow({ store, box, clock, clients, tokens, egress });
  const waits = createConnectionWaits({
    list: createListConnectionWaits(db),
    retryNow: (taskId, path) => engine().retryNow(taskId, path),
    queue: limits.share({ share: "connection_waits", slots: WAIT_SLOTS, perKey: 1 }),
    onError: (error) => report(error, "retry the runs that wait for a connection"),
  });
  const connections = createConnections({
    store,
    box,
    clock,
    apps,
    onRepaired: waits.retry,
  });
  const uses = createConnectionUses({
    store,
    box,
    clock,
    tokens,
    onRepaired: waits.retry,
    onError: (error) => report(error, "save the last use of connections"),
  });
  const tests = createConnectionTests({
    connections,
    uses,
    store,
    apps,
    egress,
    testsByKind,
    clock,
    onConnected: waits.retry,
  });
  const usages = createConnectionUsages(db);
  return {
    use: uses.use,
    requireHttp: (ownerId, id) => connections.require(ownerId, id, isSentByHttp),
    requireKind: (ownerId, id, wanted) => connections.require(ownerId, id, (kind) => kind === wanted),
    warningsOf: createConnectionWarnings(store.knownIds),
    eraseOwner: (ownerId, batches) =>
      batches.deleteAll((limit) => deleteOwned(db, "connection", ownerId, limit)),
    routes(http) {
      const calls = limits.share({ share: "connection_calls", ...CALL_SLOTS });
      const perUser = limiter("connection_calls", CALLS_PER_MINUTE);
      const limitedTests: typeof tests = {
        unsaved: (ownerId, given) => calls.run(ownerId, () => tests.unsaved(ownerId, given)),
        stored: (ownerId, id) => calls.run(ownerId, () => tests.stored(ownerId, id)),
      };
      connectionRoutes(http, { connections, tests: limitedTests, usages, limiter: perUser });
      connectionOauthRoutes(http, {
        connections,
        flow: {
          ...flow,
          start: (ownerId, id, url) => calls.run(ownerId, () => flow.start(ownerId, id, url)),
        },
        clients,
        tests: limitedTests,
        limiter: perUser,
        publicUrl: config.publicUrl,
        onRepaired: waits.retry,
      });
    },
    stop: waits.close,
    close: uses.close,
  };
}
