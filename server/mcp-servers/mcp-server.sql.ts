import type { PageQuery } from "../../contract/api.ts";
import type { McpServer } from "../../contract/mcp-servers.ts";
import { createAuthorizationStore } from "../connections/authorization.sql.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";

export interface McpServerRecord {
  id: string;
  ownerId: string;
  name: string;
  url: string | null;
  stdio: string | null;
  auth: McpServer["auth"];
  headerNames: string[];
  /** Sealed JSON; null when there are none. */
  headers: string | null;
  /** Sealed JSON: registered clients by issuer, and the tokens. */
  oauth: string | null;
  isConnected: boolean;
  /** Its credential, in place of headers and tokens. */
  connectionId: string | null;
  /** Increments with every change of `oauth`, so that a slow writer never replaces newer tokens. */
  oauthVersion: number;
  createdAt: number;
  updatedAt: number;
}

export interface OauthChange {
  oauth: string | null;
  isConnected: boolean;
  fromVersion: number;
  /** Keeps the refresh of another process; without it, a refresh in progress ends. */
  keepsRefresh?: boolean;
}

export type McpServerStore = ReturnType<typeof createMcpServerStore>;

export const MAX_SERVERS = 200;

const COLUMNS =
  "id, owner_id, name, url, stdio, auth, header_names, headers, oauth, is_connected, connection_id, oauth_version, created_at, updated_at";

const USED_BY_WORKFLOWS = `select id, name from workflow where owner_id = $ownerId and deleted_at is null
  and (graph like $pattern or exists
    (select 1 from workflow_draft where workflow_draft.workflow_id = workflow.id and workflow_draft.graph like $pattern))
  order by id limit 200`;

export function createMcpServerStore(db: Db) {
  async function find(id: string, ownerId: string): Promise<McpServerRecord | undefined> {
    const [row] = await db.query(`select ${COLUMNS} from mcp_server where id = $id and owner_id = $ownerId`, {
      id,
      ownerId,
    });
    return row === undefined ? undefined : toRecord(row);
  }

  return {
    ...createAuthorizationStore(db, {
      table: "mcp_server",
      version: "oauth_version",
      columns: COLUMNS,
      toRecord,
    }),

    find,

    /** False when the owner has as many servers as are allowed. */
    async insert(server: McpServerRecord): Promise<boolean> {
      const [inserted] = await db.batch([
        {
          sql: `insert into mcp_server (${COLUMNS})
                select $id, $ownerId, $name, cast($url as text), cast($stdio as text), $auth, $headerNames, cast($headers as text),
                  cast($oauth as text), $isConnected, cast($connectionId as text), $oauthVersion, $createdAt, $updatedAt
                where (select count(*) from mcp_server where owner_id = $ownerId) < ${MAX_SERVERS} returning id`,
          params: {
            ...server,
            headerNames: JSON.stringify(server.headerNames),
            isConnected: Number(server.isConnected),
          },
        },
      ]);
      return inserted?.length === 1;
    },

    /** Throws `mcp_server_not_found` or `forbidden`. */
    async get(id: string, ownerId: string): Promise<McpServerRecord> {
      return (await find(id, ownerId)) ?? throwNotFoundOrForbidden(db, "mcp_server", "mcp_server", id);
    },

    async knownIds(ownerId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db.query(
        `select id from mcp_server where owner_id = $ownerId and id in (select value from json_each(cast($ids as text)))`,
        { ownerId, ids: JSON.stringify(ids) },
      );
      return new Set(rows.map((row) => row["id"] as string));
    },

    async list(ownerId: string, { limit, cursor }: PageQuery): Promise<ResultPage<McpServerRecord>> {
      const rows = await db.query(
        `select ${COLUMNS} from mcp_server where owner_id = $ownerId and id < $before order by id desc limit $limit`,
        { ownerId, before: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
      );
      return toResultPage(rows.map(toRecord), limit, ({ id }) => id);
    },

    /**
     * Saves the settings and drops an authorization in progress, which belongs to the old ones. Tokens are changed only if
     * the caller replaces them: a refresh may have stored newer ones since the caller read the record.
     */
    async update(
      server: McpServerRecord,
      oauth?: Pick<McpServerRecord, "oauth" | "isConnected">,
    ): Promise<void> {
      const { id, ownerId, name, url, auth, headers, connectionId, updatedAt } = server;
      const headerNames = JSON.stringify(server.headerNames);
      const replaced = "oauth = $oauth, is_connected = $isConnected, oauth_version = oauth_version + 1,";
      const [updated] = await db.batch([
        {
          sql: `update mcp_server set name = $name, url = $url, auth = $auth, header_names = $headerNames, headers = $headers,
                  connection_id = $connectionId,
                  ${oauth === undefined ? "" : replaced} pending = null, pending_state_hash = null, updated_at = $updatedAt
                where id = $id and owner_id = $ownerId returning id`,
          params: {
            id,
            ownerId,
            name,
            url,
            auth,
            headers,
            headerNames,
            connectionId,
            updatedAt,
            ...(oauth && { oauth: oauth.oauth, isConnected: Number(oauth.isConnected) }),
          },
        },
      ]);
      if (updated?.length !== 1) await throwNotFoundOrForbidden(db, "mcp_server", "mcp_server", id);
    },

    async remove(id: string, ownerId: string): Promise<void> {
      const [removed] = await db.batch([
        {
          sql: "delete from mcp_server where id = $id and owner_id = $ownerId returning id",
          params: { id, ownerId },
        },
      ]);
      if (removed?.length !== 1) await throwNotFoundOrForbidden(db, "mcp_server", "mcp_server", id);
    },

    /** False when `oauth` has changed since it was read. */
    async saveOauth(
      id: string,
      { oauth, isConnected, fromVersion, keepsRefresh = false }: OauthChange,
    ): Promise<boolean> {
      const [saved] = await db.batch([
        {
          sql: `update mcp_server set oauth = $oauth, is_connected = $isConnected, oauth_version = oauth_version + 1,
                  refresh_until = case when $keepsRefresh = 1 then refresh_until else 0 end
                where id = $id and oauth_version = $fromVersion returning id`,
          params: {
            id,
            oauth,
            isConnected: Number(isConnected),
            fromVersion,
            keepsRefresh: Number(keepsRefresh),
          },
        },
      ]);
      return saved?.length === 1;
    },

    /** Agents of this owner whose tools name the server. */
    async listAgents(id: string, ownerId: string): Promise<{ id: string; name: string }[]> {
      const rows = await db.query(
        "select id, name from agent where owner_id = $ownerId and tools like $pattern order by id limit 200",
        { ownerId, pattern: `%"${id}"%` },
      );
      return rows.map(toUse);
    },

    /** Workflows of this owner whose live version or draft names the server. */
    async listWorkflows(id: string, ownerId: string): Promise<{ id: string; name: string }[]> {
      const rows = await db.query(USED_BY_WORKFLOWS, { ownerId, pattern: `%"${id}"%` });
      return rows.map(toUse);
    },
  };
}

function toUse(row: Row): { id: string; name: string } {
  return { id: row["id"] as string, name: row["name"] as string };
}

function toRecord(row: Row): McpServerRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    name: row["name"] as string,
    url: row["url"] as string | null,
    stdio: row["stdio"] as string | null,
    auth: row["auth"] as McpServerRecord["auth"],
    headerNames: JSON.parse(row["header_names"] as string) as string[],
    headers: row["headers"] as string | null,
    oauth: row["oauth"] as string | null,
    isConnected: Number(row["is_connected"]) === 1,
    connectionId: row["connection_id"] as string | null,
    oauthVersion: Number(row["oauth_version"]),
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}
