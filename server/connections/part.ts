import type { ConnectionKind } from "../../contract/connections.ts";
import type { Part, Platform } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import type { ConnectionApps, TestConnection } from "./connection-app.ts";
import { createConnectionTests } from "./connection-tests.ts";
import { createConnectionUsages } from "./connection-usages.sql.ts";
import { connectionRoutes } from "./connection.routes.ts";
import { type ConnectionStore, createConnectionStore } from "./connection.sql.ts";
import { type ConnectionUses, createConnectionUses } from "./connection-uses.ts";
import { createConnections } from "./connections.ts";

export interface ConnectionsPart extends Part {
  /** Opens a connection for one step. Throws `connection_not_found` or `forbidden`. */
  use: ConnectionUses["use"];
  /** Apps need connections, so they are given afterwards. */
  useApps(apps: ConnectionApps): void;
  /** How a connection of a kind that is not sent by HTTP is tested. */
  useTest(kind: ConnectionKind, test: TestConnection): void;
  /** Ids of the apps that an owner has connections of. */
  connectedApps: ConnectionStore["connectedApps"];
}

/** Stored credentials, and their use by steps. */
export function createConnectionsPart({ clock, db, box, egress, report }: Platform): ConnectionsPart {
  let apps: ConnectionApps = { find: () => Promise.resolve(undefined) };
  const kinds = new Map<ConnectionKind, TestConnection>();
  const found: ConnectionApps = { find: (ownerId, id) => apps.find(ownerId, id) };
  const store = createConnectionStore(db);
  const connections = createConnections({
    store,
    box,
    clock,
    apps: found,
  });
  const uses = createConnectionUses({
    store,
    box,
    clock,
    onError: (error) => report(error, "save the last use of connections"),
  });
  const tests = createConnectionTests({
    connections,
    uses,
    store,
    apps: found,
    egress,
    kinds,
    clock,
    onConnected: () => Promise.resolve(),
  });
  const usagesOf = createConnectionUsages(db);
  return {
    use: uses.use,
    connectedApps: store.connectedApps,
    useTest: (kind, test) => void kinds.set(kind, test),
    useApps: (given) => void (apps = given),
    eraseOwner: (ownerId, steps) => steps.deleteAll((limit) => deleteOwned(db, "connection", ownerId, limit)),
    routes: (http) => connectionRoutes(http, { connections, tests, usagesOf }),
    close: uses.close,
  };
}
