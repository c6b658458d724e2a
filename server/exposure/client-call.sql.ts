import type { ClientCallQuery, ExposureKind, Protocol } from "../../contract/exposures.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row } from "../storage/db.ts";
import { deleteOlder } from "../storage/delete-older.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";

export interface ClientCallRow {
  id: string;
  ownerId: string;
  protocol: Protocol;
  method: string;
  kind: ExposureKind | null;
  recordId: string | null;
  recordName: string | null;
  callerId: string | null;
  callerName: string;
  taskId: string | null;
  errorCode: string | null;
  durationMs: number;
  at: number;
}

export type ClientCallStore = ReturnType<typeof createClientCallStore>;

export function createClientCallStore(db: Db) {
  return {
    /** A call of a workspace that was deleted meanwhile is dropped. */
    async insertAll(calls: readonly ClientCallRow[]): Promise<void> {
      await db.batch(
        [
          {
            sql: `insert into client_call (id, owner_id, protocol, method, kind, record_id, record_name, caller_id, caller_name,
                    task_id, status, error_code, duration_ms, at)
                  select e.value->>'id', e.value->>'ownerId', e.value->>'protocol', e.value->>'method', e.value->>'kind',
                    e.value->>'recordId', e.value->>'recordName', e.value->>'callerId', e.value->>'callerName',
                    e.value->>'taskId', case when e.value->>'errorCode' is null then 'ok' else 'failed' end,
                    e.value->>'errorCode', cast(e.value->>'durationMs' as bigint), cast(e.value->>'at' as bigint)
                  from json_each(cast($calls as text)) as e
                  where exists (select 1 from workspace where workspace.id = e.value->>'ownerId')
                  on conflict (id) do nothing`,
            params: { calls: JSON.stringify(calls) },
          },
        ],
        { repeatable: true },
      );
    },

    async list(
      ownerId: string,
      { limit, cursor, protocol }: ClientCallQuery,
    ): Promise<ResultPage<ClientCallRow>> {
      const rows = await db.query(
        `select * from client_call where owner_id = $ownerId and id < $cursor
           ${protocol === undefined ? "" : "and protocol = $protocol"} order by id desc limit $limit`,
        {
          ownerId,
          cursor: cursor ?? AFTER_EVERY_ID,
          limit: limit + 1,
          ...(protocol === undefined ? {} : { protocol }),
        },
      );
      return toResultPage(rows.map(toCall), limit, ({ id }) => id);
    },

    /** Deletes up to `limit` calls that came in before this time; returns how many. */
    prune: (before: number, limit: number): Promise<number> =>
      deleteOlder(db, { table: "client_call", idPrefix: "call" }, before, limit),
  };
}

function toCall(row: Row): ClientCallRow {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    protocol: row["protocol"] as Protocol,
    method: row["method"] as string,
    kind: row["kind"] as ExposureKind | null,
    recordId: row["record_id"] as string | null,
    recordName: row["record_name"] as string | null,
    callerId: row["caller_id"] as string | null,
    callerName: row["caller_name"] as string,
    taskId: row["task_id"] as string | null,
    errorCode: row["error_code"] as string | null,
    durationMs: Number(row["duration_ms"]),
    at: Number(row["at"]),
  };
}
