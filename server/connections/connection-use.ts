import type { ConnectionKind } from "../../contract/connections.ts";
import { AppError } from "../lib/errors.ts";
import type { ConnectionRecord } from "./connection.sql.ts";
import { hostNotAllowed, isBoundHost } from "./host-binding.ts";

export interface AuthorizedRequest {
  url: URL;
  /** Names in lower case. */
  headers: Record<string, string>;
}

/** A connection that is opened. */
export interface UsedConnection extends ConnectionRecord {
  /** It is tested before it is saved: there is nothing to reconnect. */
  isUnsaved?: true;
}

/** One use of a stored connection. Short-lived: take a new one for every step. */
export interface ConnectionUse {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly kind: ConnectionKind;
  readonly app: string | null;
  readonly fields: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The secrets by name, for kinds that are not sent by HTTP (database, smtp, imap, s3). */
  readonly secretValues: Readonly<Record<string, string>>;
  /** Every value to redact from what the other side returns. */
  secrets(): string[];
  /** Throws `connection_host_not_allowed`. */
  checkHost(url: URL): void;
  /** Adds the credential. The caller has checked the host. */
  authorize(request: AuthorizedRequest): Promise<void>;
  /**
   * After a 401, or what an app calls an expired token: true when there is a new credential and the request should be sent
   * once more. Otherwise, as on the second call, the connection is marked as failing.
   */
  renew(): Promise<boolean>;
  /** The credential was accepted. Writes only when the connection was not `connected`. */
  succeeded(): Promise<void>;
  /** The error of a refused credential: what to reconnect, and where. */
  refused(target: string): AppError;
}

/** Adds the credential to requests; one per kind. */
export interface Credential {
  secretValues: Record<string, string>;
  secrets(): string[];
  authorize(request: AuthorizedRequest): Promise<void> | void;
  renew(): Promise<boolean>;
}

export interface UseOutcomes {
  failed(record: ConnectionRecord, message: string): Promise<void>;
  succeeded(record: ConnectionRecord): Promise<void>;
}

export function createConnectionUse(
  record: UsedConnection,
  credential: Credential,
  outcomes: UseOutcomes,
): ConnectionUse {
  const { id, ownerId, name, kind, app, fields, settings } = record;
  let isRenewed = false;
  let isReported = false;
  return {
    id,
    ownerId,
    name,
    kind,
    app,
    fields,
    settings,
    secretValues: credential.secretValues,
    secrets: credential.secrets,
    checkHost(url) {
      if (!isBoundHost(record.hosts, url)) throw hostNotAllowed(record, url);
    },
    authorize: async (request) => credential.authorize(request),
    async renew() {
      if (!isRenewed && (isRenewed = await credential.renew())) return true;
      await outcomes.failed(record, "The credential was refused (401).");
      return false;
    },
    async succeeded() {
      if (isReported) return;
      isReported = true;
      await outcomes.succeeded(record);
    },
    refused: (target) => authorizationRequired(record, `${target} refused the credential`),
  };
}

/** `details.connection` is recorded with a step: its repair finds the runs that wait for it. */
export function authorizationRequired(
  { id, name, isUnsaved }: Pick<UsedConnection, "id" | "name" | "isUnsaved">,
  why: string,
  cause?: unknown,
): AppError {
  const advice = isUnsaved ? "Check it and test again." : `Reconnect "${name}" on the page Connections.`;
  return new AppError("connection_authorization_required", `${why}. ${advice}`, {
    cause,
    details: { connection: id },
  });
}
