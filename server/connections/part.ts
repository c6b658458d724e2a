import type { Part, Platform } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import type { ConnectionApps } from "./connection-app.ts";
import { connectionRoutes } from "./connection.routes.ts";
import { createConnectionStore } from "./connection.sql.ts";
import { type ConnectionUses, createConnectionUses } from "./connection-uses.ts";
import { createConnections } from "./connections.ts";

export interface ConnectionsPart extends Part {
  /** Opens a connection for one step. Throws `connection_not_found` or `forbidden`. */
  use: ConnectionUses["use"];
  /** Apps need connections, so they are given afterwards. */
  useApps(apps: ConnectionApps): void;
}

/** Stored credentials, and their use by steps. */
export function createConnectionsPart({ clock, db, box, report }: Platform): ConnectionsPart {
  let apps: ConnectionApps = { find: () => Promise.resolve(undefined) };
  const store = createConnectionStore(db);
  const connections = createConnections({
    store,
    box,
    clock,
    apps: { find: (ownerId, id) => apps.find(ownerId, id) },
  });
  const uses = createConnectionUses({
    store,
    box,
    clock,
    onError: (error) => report(error, "save the last use of connections"),
  });
  return {
    use: uses.use,
    useApps: (given) => void (apps = given),
    eraseOwner: (ownerId, steps) => steps.deleteAll((limit) => deleteOwned(db, "connection", ownerId, limit)),
    routes: (http) => connectionRoutes(http, connections),
    close: uses.close,
  };
}
