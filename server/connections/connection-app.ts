import type { AppAuth } from "../../contract/apps.ts";
import type { ConnectionUse } from "./connection-use.ts";

/** Calls the service; throws what went wrong. */
export type TestConnection = (
  use: ConnectionUse,
  signal: AbortSignal,
) => Promise<{
  /** Whose credential it is, where the service says so. */
  account: string | null;
  /** Why nothing could be called. */
  untested?: string;
}>;

/** What connections need to know about an app. `server/apps` implements it. */
export interface ConnectionApp {
  id: string;
  title: string;
  /** Host entries; may hold `{{connection.<field>}}`. */
  hosts: readonly string[];
  auth: readonly AppAuth[];
  /** Throws `invalid_request` when a field is missing or unknown. */
  checkFields?(fields: Readonly<Record<string, string>>): void;
  test?: TestConnection;
}

export interface ConnectionApps {
  /** Undefined when this owner has no such app. */
  find(ownerId: string, id: string): Promise<ConnectionApp | undefined>;
  /** The apps that ship with Baton, for which this instance may have an OAuth client. */
  builtIn(): readonly ConnectionApp[];
}
