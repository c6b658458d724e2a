import { setImmediate as nextTurn } from "node:timers/promises";
import type { App, AppAction } from "../../apps/define-app.ts";
import type { ApiOperation } from "../../contract/api-apps.ts";
import type { Db, Row, Statement } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import type { PackedAction, PackedApp } from "./pack-document.ts";

/** Without its operations and actions, which can be megabytes. */
export interface ApiAppRecord {
  id: string;
  ownerId: string;
  title: string;
  sourceUrl: string | null;
  server: string;
  servers: string[];
  definition: PackedApp["app"];
  operationCount: number;
  hidden: string[];
  readAt: number;
  createdAt: number;
  updatedAt: number;
}

export type ApiAppStore = ReturnType<typeof createApiAppStore>;

const COLUMNS = `id, owner_id, title, source_url, server, servers, definition, operation_count, hidden, read_at, created_at,
  updated_at`;
const ROWS_PER_INSERT = 100;

export function createApiAppStore(db: Db) {
  const isOwn = "id = $id and owner_id = $ownerId";
  const missing = (id: string) => throwNotFoundOrForbidden(db, "api_app", "app", id);

  async function find(id: string, ownerId: string): Promise<ApiAppRecord | undefined> {
    const [row] = await db.query(`select ${COLUMNS} from api_app where ${isOwn}`, { id, ownerId });
    return row === undefined ? undefined : toRecord(row);
  }

  return {
    find,

    /** Throws `app_not_found` or `forbidden`. */
    get: async (id: string, ownerId: string): Promise<ApiAppRecord> =>
      (await find(id, ownerId)) ?? missing(id),

    /** The app with these actions, in one read; all of them without `actionIds`. */
    async findWithActions(
      id: string,
      ownerId: string,
      actionIds?: readonly string[],
    ): Promise<{ record: ApiAppRecord; actions: App["actions"] } | undefined> {
      const columns = COLUMNS.split(",").map((name) => `a.${name.trim()}`);
      const chosen =
        actionIds === undefined ? "" : "and c.id in (select value from json_each(cast($actionIds as text)))";
      const rows = await db.query(
        `select ${columns.join(", ")}, c.id as action_id, c.definition as action
           from api_app as a left join api_app_action as c on c.app_id = a.id ${chosen}
           where a.id = $id and a.owner_id = $ownerId`,
        { id, ownerId, ...(actionIds && { actionIds: JSON.stringify(actionIds) }) },
      );
      if (rows[0] === undefined) return undefined;
      const actions = rows.flatMap((row): [string, AppAction][] =>
        row["action"] === null
          ? []
          : [[row["action_id"] as string, JSON.parse(row["action"] as string) as AppAction]],
      );
      return { record: toRecord(rows[0]), actions: Object.fromEntries(actions) };
    },

    /** Without reading them: they may be megabytes. The caller has checked the owner. */
    async countActions(id: string): Promise<number> {
      const [row] = await db.query("select count(*) as n from api_app_action where app_id = $id", { id });
      return Number(row?.["n"]);
    },

    /** One app a turn of the event loop: each may have two thousand operations. */
    async *list(ownerId: string): AsyncIterable<{ record: ApiAppRecord; operations: ApiOperation[] }> {
      const rows = await db.query(
        `select ${COLUMNS}, operations from api_app where owner_id = $ownerId order by id`,
        { ownerId },
      );
      for (const row of rows) {
        yield { record: toRecord(row), operations: operationsOf(row) };
        await nextTurn();
      }
    },

    async operations(
      id: string,
      ownerId: string,
    ): Promise<{ operations: ApiOperation[]; refused: PackedApp["refused"] }> {
      const [row] = await db.query(`select operations, refused from api_app where ${isOwn}`, { id, ownerId });
      if (row === undefined) return missing(id);
      return {
        operations: operationsOf(row),
        refused: JSON.parse(row["refused"] as string) as PackedApp["refused"],
      };
    },

    /** Those of these apps and actions that exist, as `app action`. */
    async knownActions(ownerId: string, appIds: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db.query(
        `select a.id, c.id as action_id from api_app as a left join api_app_action as c on c.app_id = a.id
           where a.owner_id = $ownerId and a.id in (select value from json_each(cast($appIds as text)))`,
        { ownerId, appIds: JSON.stringify(appIds) },
      );
      return new Set(
        rows.flatMap((row) => [row["id"] as string, `${String(row["id"])} ${String(row["action_id"])}`]),
      );
    },

    async named(
      ownerId: string,
      ids: readonly string[],
    ): Promise<{ id: string; title: string; source: string | null }[]> {
      const rows = await db.query(
        `select id, title, source_url from api_app
           where owner_id = $ownerId and id in (select value from json_each(cast($ids as text))) order by id`,
        { ownerId, ids: JSON.stringify(ids) },
      );
      return rows.map((row) => ({
        id: row["id"] as string,
        title: row["title"] as string,
        source: row["source_url"] as string | null,
      }));
    },

    async shapes(id: string): Promise<ReadonlyMap<string, string>> {
      const rows = await db.query("select id, shape from api_app_action where app_id = $id", { id });
      return new Map(rows.map((row) => [row["id"] as string, row["shape"] as string]));
    },

    async count(ownerId: string): Promise<number> {
      const [row] = await db.query("select count(*) as n from api_app where owner_id = $ownerId", {
        ownerId,
      });
      return Number(row?.["n"]);
    },

    async insert(record: ApiAppRecord, packed: PackedApp): Promise<void> {
      await db.batch([
        {
          sql: `insert into api_app (${COLUMNS}, operations, refused)
                values ($id, $ownerId, $title, $sourceUrl, $server, $servers, $definition, $operationCount, $hidden, $readAt,
                  $createdAt, $updatedAt, $operations, $refused)`,
          params: { ...asParams(record), ...contentOf(packed) },
        },
        ...insertActions(record.id, packed.actions),
      ]);
    },

    /** A new version of the document: all of it or nothing. */
    async replace(record: ApiAppRecord, packed: PackedApp): Promise<void> {
      const { id } = record;
      const { createdAt: _createdAt, ...params } = asParams(record);
      const [updated] = await db.batch([
        {
          sql: `update api_app set title = $title, source_url = $sourceUrl, server = $server, servers = $servers,
                  definition = $definition, operation_count = $operationCount, hidden = $hidden, read_at = $readAt,
                  updated_at = $updatedAt, operations = $operations, refused = $refused
                where ${isOwn} returning id`,
          params: { ...params, ...contentOf(packed) },
        },
        { sql: "delete from api_app_action where app_id = $id", params: { id } },
        ...insertActions(id, packed.actions),
      ]);
      if (updated?.length !== 1) await missing(id);
    },

    async update(record: ApiAppRecord): Promise<void> {
      const { id, ownerId, title, server, hidden, updatedAt } = record;
      const [updated] = await db.batch([
        {
          sql: `update api_app set title = $title, server = $server, hidden = $hidden, updated_at = $updatedAt
                where ${isOwn} returning id`,
          params: { id, ownerId, title, server, hidden: JSON.stringify(hidden), updatedAt },
        },
      ]);
      if (updated?.length !== 1) await missing(id);
    },

    /** With its connections, which are of no use without it. */
    async remove(id: string, ownerId: string): Promise<void> {
      const [removed] = await db.batch([
        { sql: `delete from api_app where ${isOwn} returning id`, params: { id, ownerId } },
        {
          sql: "delete from connection where app = $id and owner_id = $ownerId",
          params: { id, ownerId },
        },
      ]);
      if (removed?.length !== 1) await missing(id);
    },
  };
}

function insertActions(appId: string, actions: readonly PackedAction[]): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < actions.length; start += ROWS_PER_INSERT) {
    const chunk = actions.slice(start, start + ROWS_PER_INSERT);
    const places = chunk.map((_, i) => `($${4 * i + 1}, $${4 * i + 2}, $${4 * i + 3}, $${4 * i + 4})`);
    statements.push({
      sql: `insert into api_app_action (app_id, id, shape, definition) values ${places.join(", ")}`,
      params: chunk.flatMap(({ id, shape, definition }) => [appId, id, shape, definition]),
    });
  }
  return statements;
}

function asParams({ servers, definition, hidden, ...record }: ApiAppRecord) {
  return {
    ...record,
    servers: JSON.stringify(servers),
    definition: JSON.stringify(definition),
    hidden: JSON.stringify(hidden),
  };
}

function contentOf({ operations, refused }: PackedApp) {
  return { operations: JSON.stringify(operations), refused: JSON.stringify(refused) };
}

function operationsOf(row: Row): ApiOperation[] {
  return JSON.parse(row["operations"] as string) as ApiOperation[];
}

function toRecord(row: Row): ApiAppRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    title: row["title"] as string,
    sourceUrl: row["source_url"] as string | null,
    server: row["server"] as string,
    servers: JSON.parse(row["servers"] as string) as string[],
    definition: JSON.parse(row["definition"] as string) as ApiAppRecord["definition"],
    operationCount: Number(row["operation_count"]),
    hidden: JSON.parse(row["hidden"] as string) as string[],
    readAt: Number(row["read_at"]),
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}
