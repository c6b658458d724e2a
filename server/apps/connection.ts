import type { GuardedInit, GuardedResponse } from "../security/guarded-fetch.ts";

/** What app requests need of a connection. */
export interface AppConnection {
  readonly id: string;
  readonly app: string | null;
  readonly fields: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Every value to redact from what the vendor returns. */
  secrets(): string[];
  /** True when there is a new credential and the request should be sent once more. */
  renew(): Promise<boolean>;
  /** The error of a refused credential: what to reconnect, and where. */
  refused(target: string): Error;
}

/** Sends a request with the credential of a connection, only to its hosts. After a 401 it renews the credential once. */
export type ConnectionFetch = (use: AppConnection, url: URL, init: GuardedInit) => Promise<GuardedResponse>;
