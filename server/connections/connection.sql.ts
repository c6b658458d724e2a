import type { PageQuery } from "../../contract/api.ts";
import type { ConnectionKind, ConnectionStatus } from "../../contract/connections.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Use } from "../lib/use-recorder.ts";
import type { Db, Row, Statement } from "../storage/db.ts";
import { RUN_EVENT_CHANNEL, workspaceEvent } from "../storage/engine/run-events.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";

export interface ConnectionRecord {
  id: string;
  ownerId: string;
  kind: ConnectionKind;
  name: string;
  app: string | null;
  hosts: string[];
  fields: Record<string, string>;
  /** Shown; no secret. */
  settings: Record<string, unknown>;
  /** Sealed JSON. */
  secrets: string;
  status: ConnectionStatus;
  account: string | null;
  problemAt: number | null;
  problem: string | null;
  lastTestAt: number | null;
  lastUsedAt: number | null;
  /** Sealed JSON; null without tokens. */
  tokens: string | null;
  /** Increments with every change of `tokens`, so that a slow writer never replaces newer ones. */
  tokensVersion: number;
  expiresAt: number | null;
  /** The person; sees and changes the settings, as admins do. */
  createdBy: string | null;
  createdAt: number;
  updatedAt: number;
}

export type ConnectionStore = ReturnType<typeof createConnectionStore>;

export const MAX_CONNECTIONS = 500;

export const COLUMNS = `id, owner_id, kind, name, app, hosts, fields, settings, secrets, status, account, problem_at, problem,
  last_test_at, last_used_at, tokens, tokens_version, expires_at, created_by, created_at, updated_at`;

export type StatedConnection = Pick<
  ConnectionRecord,
  "id" | "ownerId" | "name" | "app" | "updatedAt" | "tokensVersion"
>;

/** What a test or a use of a connection has shown. */
export interface ConnectionState {
  status: ConnectionStatus;
  problem: string | null;
  /** Undefined keeps the known one. */
  account?: string | null | undefined;
  isTest: boolean;
  at: number;
}

export function createConnectionStore(db: Db) {
  async function find(id: string, ownerId: string): Promise<ConnectionRecord | undefined> {
    const [row] = await db.query(`select ${COLUMNS} from connection where id = $id and owner_id = $ownerId`, {
      id,
      ownerId,
    });
    return row === undefined ? undefined : toConnectionRecord(row);
  }

  return {
    find,

    /** Throws `connection_not_found` or `forbidden`. */
    async get(id: string, ownerId: string): Promise<ConnectionRecord> {
      return (await find(id, ownerId)) ?? throwNotFoundOrForbidden(db, "connection", "connection", id);
    },

    /** False when the owner has as many connections as are allowed. */
    async insert(connection: ConnectionRecord): Promise<boolean> {
      const [inserted] = await db.batch([
        {
          sql: `insert into connection (${COLUMNS})
                select $id, $ownerId, $kind, $name, cast($app as text), $hosts, $fields, $settings, $secrets, $status,
                  cast($account as text), cast($problemAt as bigint), cast($problem as text), cast($lastTestAt as bigint),
                  cast($lastUsedAt as bigint), cast($tokens as text), $tokensVersion, cast($expiresAt as bigint),
                  cast($createdBy as text), $createdAt, $updatedAt
                where (select count(*) from connection where owner_id = $ownerId) < ${MAX_CONNECTIONS} returning id`,
          params: { ...connection, ...asJson(connection) },
        },
      ]);
      return inserted?.length === 1;
    },

    async list(ownerId: string, { limit, cursor }: PageQuery): Promise<ResultPage<ConnectionRecord>> {
      const rows = await db.query(
        `select ${COLUMNS} from connection where owner_id = $ownerId and id < $before order by id desc limit $limit`,
        { ownerId, before: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
      );
      return toResultPage(rows.map(toConnectionRecord), limit, ({ id }) => id);
    },

    async knownIds(ownerId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db.query(
        `select id from connection where owner_id = $ownerId and id in (select value from json_each(cast($ids as text)))`,
        { ownerId, ids: JSON.stringify(ids) },
      );
      return new Set(rows.map((row) => row["id"] as string));
    },

    async connectedApps(ownerId: string): Promise<ReadonlySet<string>> {
      const rows = await db.query(
        "select distinct app from connection where owner_id = $ownerId and app is not null",
        { ownerId },
      );
      return new Set(rows.map((row) => row["app"] as string));
    },

    /**
     * Drops an authorization in progress, which belongs to the old settings. `dropsTokens` also drops the tokens, which
     * were given for the old hosts or client.
     */
    async update(connection: ConnectionRecord, { dropsTokens }: { dropsTokens: boolean }): Promise<void> {
      const { id, ownerId, name, secrets, status, problemAt, problem, updatedAt } = connection;
      const dropped =
        "tokens = null, tokens_version = tokens_version + 1, expires_at = null, refresh_until = 0,";
      const [updated] = await db.batch([
        {
          sql: `update connection set name = $name, hosts = $hosts, fields = $fields, settings = $settings, secrets = $secrets,
                  status = $status, problem_at = $problemAt, problem = $problem, ${dropsTokens ? dropped : ""}
                  pending = null, pending_state_hash = null, updated_at = $updatedAt
                where id = $id and owner_id = $ownerId returning id`,
          params: {
            id,
            ownerId,
            name,
            secrets,
            status,
            problemAt,
            problem,
            updatedAt,
            ...asJson(connection),
          },
        },
      ]);
      if (updated?.length !== 1) await throwNotFoundOrForbidden(db, "connection", "connection", id);
    },

    async remove(id: string, ownerId: string): Promise<void> {
      const [removed] = await db.batch([
        {
          sql: "delete from connection where id = $id and owner_id = $ownerId returning id",
          params: { id, ownerId },
        },
      ]);
      if (removed?.length !== 1) await throwNotFoundOrForbidden(db, "connection", "connection", id);
    },

    /** Changes nothing when the connection was edited since it was read: the old credential says nothing about the new. */
    async saveState(connection: StatedConnection, state: ConnectionState): Promise<void> {
      const { id, updatedAt, tokensVersion } = connection;
      const { status, problem, account, isTest, at } = state;
      const failure =
        problem === null ? [] : [connectionFailure(connection, { problem, status, at }, isTest)];
      const [reported] = await db.batch([
        ...failure,
        {
          sql: `update connection set status = $status, problem = $problem, problem_at = $problemAt
                  ${account === undefined ? "" : ", account = $account"} ${isTest ? ", last_test_at = $at" : ""}
                where id = $id and updated_at = $updatedAt and tokens_version = $tokensVersion`,
          params: {
            id,
            updatedAt,
            tokensVersion,
            status,
            problem,
            problemAt: problem === null ? null : at,
            ...(account === undefined ? {} : { account }),
            ...(isTest ? { at } : {}),
          },
        },
      ]);
      if (failure.length > 0 && reported?.length === 1) db.notify(RUN_EVENT_CHANNEL, "");
    },

    async saveUses(uses: ReadonlyMap<string, Use>): Promise<void> {
      await db.batch(
        [...uses].map(([id, { at }]) => ({
          sql: "update connection set last_used_at = $at where id = $id",
          params: { id, at },
        })),
      );
    },
  };
}

/**
 * The event of a connection that stops working, before the write that says so. One that has failed before reports nothing,
 * nor does the first test of a new one: the person who made it sees the result.
 */
export function connectionFailure(
  { id, ownerId, name, app, tokensVersion }: Omit<StatedConnection, "updatedAt">,
  { problem, status, at }: { problem: string; status: ConnectionStatus; at: number },
  isTest = false,
): Statement {
  const data = { connectionId: id, name, app, status, problem };
  return workspaceEvent(
    { id: `${id}.${at}.connection.failed`, ownerId, type: "baton.connection.failed", data, at },
    {
      sql: `exists (select 1 from connection where id = $id and tokens_version = $tokensVersion
              and status not in ('failing', 'authorization_needed'${isTest ? ", 'untested'" : ""}))`,
      params: { id, tokensVersion },
    },
  );
}

function asJson({ hosts, fields, settings }: ConnectionRecord) {
  return {
    hosts: JSON.stringify(hosts),
    fields: JSON.stringify(fields),
    settings: JSON.stringify(settings),
  };
}

export function toConnectionRecord(row: Row): ConnectionRecord {
  const numberOrNull = (column: string) => (row[column] === null ? null : Number(row[column]));
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    kind: row["kind"] as ConnectionKind,
    name: row["name"] as string,
    app: row["app"] as string | null,
    hosts: JSON.parse(row["hosts"] as string) as string[],
    fields: JSON.parse(row["fields"] as string) as Record<string, string>,
    settings: JSON.parse(row["settings"] as string) as Record<string, unknown>,
    secrets: row["secrets"] as string,
    status: row["status"] as ConnectionStatus,
    account: row["account"] as string | null,
    problemAt: numberOrNull("problem_at"),
    problem: row["problem"] as string | null,
    lastTestAt: numberOrNull("last_test_at"),
    lastUsedAt: numberOrNull("last_used_at"),
    tokens: row["tokens"] as string | null,
    tokensVersion: Number(row["tokens_version"]),
    expiresAt: numberOrNull("expires_at"),
    createdBy: row["created_by"] as string | null,
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}
