import type { ConnectionKind, ConnectionSettings } from "../../contract/connections.ts";
import type { ConnectionUse } from "./connection-use.ts";

/** How an app is authorized, of one kind. `settings` are fixed by the app. */
export type AppAuth = {
  [K in ConnectionKind]: { kind: K; settings: Partial<ConnectionSettings<K>> };
}[ConnectionKind];

/** What connections need to know about an app. `server/apps` implements it. */
export interface ConnectionApp {
  id: string;
  title: string;
  /** Host entries; may hold `{{connection.<field>}}`. */
  hosts: readonly string[];
  auth: readonly AppAuth[];
  /** Throws `invalid_request` when a field is missing or unknown. */
  checkFields?(fields: Readonly<Record<string, string>>): void;
  /** Calls the vendor with the credential; throws when it is refused. */
  test?(use: ConnectionUse, signal: AbortSignal): Promise<{ account: string | null }>;
}

export interface ConnectionApps {
  /** Undefined when this owner has no such app. */
  find(ownerId: string, id: string): Promise<ConnectionApp | undefined>;
}
