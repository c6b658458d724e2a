import type { ConnectionUse } from "../connections/connection-use.ts";
import type { GuardedInit, GuardedResponse } from "../security/guarded-fetch.ts";

/** Sends a request with the credential of a connection, only to its hosts. After a 401 it renews the credential once. */
export type ConnectionFetch = (use: ConnectionUse, url: URL, init: GuardedInit) => Promise<GuardedResponse>;
