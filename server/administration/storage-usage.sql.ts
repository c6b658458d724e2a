import type { AdminWorkspace, WorkspaceStorage } from "../../contract/admin-instance.ts";
import type { PageQuery } from "../../contract/api.ts";
import { toIso } from "../lib/clock.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row } from "../storage/db.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";
import { WORKSPACE_NAME } from "./admin-task.sql.ts";

/** What a part of the rows of one workspace occupies. */
export interface Chunk {
  count: number;
  bytes: number;
  /** Where the next part begins; undefined at the end. */
  next: string | undefined;
}

export interface RunChunk extends Chunk {
  journalRows: number;
  journalBytes: number;
}

export interface Usage {
  runs: number;
  runBytes: number;
  journalRows: number;
  journalBytes: number;
  files: number;
  fileBytes: number;
  documents: number;
  documentBytes: number;
}

export type StorageUsageStore = ReturnType<typeof createStorageUsageStore>;

const RUNS_PER_QUERY = 1000;
/** Runs of a query whose sizes are read; the others are only counted. */
const SAMPLED_RUNS = 50;
const FILES_PER_QUERY = 2000;
const DOCUMENTS_PER_QUERY = 500;
const TOTAL = "(u.run_bytes + u.journal_bytes + u.file_bytes + u.document_bytes)";
const SAMPLE = "(select value from json_each(cast($ids as text)))";
const bytesOf = (...columns: string[]) =>
  columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ");

export function createStorageUsageStore(db: Db) {
  async function sum(
    table: string,
    column: string,
    owner: string,
    after: string,
    limit: number,
  ): Promise<Chunk> {
    const [row] = await db.query(
      `select count(*) as n, coalesce(sum(size), 0) as bytes, max(id) as last from
         (select id, ${column} as size from ${table} where owner_id = $owner and id > $after order by id limit $limit) as chunk`,
      { owner, after, limit },
    );
    const count = Number(row?.["n"]);
    return {
      count,
      bytes: Number(row?.["bytes"]),
      next: count === limit ? (row?.["last"] as string) : undefined,
    };
  }

  async function sampleOf(ids: readonly string[]): Promise<Omit<RunChunk, "next">> {
    const params = { ids: JSON.stringify(ids) };
    const [run] = await db.query(
      `select coalesce(sum(${bytesOf("t.input", "t.result", "t.error", "t.options", "i.input")}), 0) as bytes
       from task as t left join task_input as i on i.task_id = t.id where t.id in ${SAMPLE}`,
      params,
    );
    const [journal] = await db.query(
      `select count(*) as n, coalesce(sum(${bytesOf("input", "output", "error", "extra")}), 0) as bytes
       from journal where task_id in ${SAMPLE}`,
      params,
    );
    return {
      count: ids.length,
      bytes: Number(run?.["bytes"]),
      journalRows: Number(journal?.["n"]),
      journalBytes: Number(journal?.["bytes"]),
    };
  }

  return {
    /** The next runs after an id: counted, and their sizes estimated from some of them. */
    async runs(owner: string, after = "task_"): Promise<RunChunk> {
      const rows = await db.query<{ id: string }>(
        "select id from task where owner_id = $owner and id > $after order by id limit $limit",
        { owner, after, limit: RUNS_PER_QUERY },
      );
      const ids = rows.map(({ id }) => id);
      const every = Math.max(1, Math.floor(ids.length / SAMPLED_RUNS));
      const sample = await sampleOf(ids.filter((_, index) => index % every === 0));
      const scale = sample.count === 0 ? 0 : ids.length / sample.count;
      const scaled = (value: number) => Math.round(value * scale);
      return {
        count: ids.length,
        bytes: scaled(sample.bytes),
        journalRows: scaled(sample.journalRows),
        journalBytes: scaled(sample.journalBytes),
        next: ids.length === RUNS_PER_QUERY ? ids.at(-1) : undefined,
      };
    },
    files: (owner: string, after = "") => sum("run_file", "size", owner, after, FILES_PER_QUERY),
    documents: (owner: string, after = "") => sum("document", "bytes", owner, after, DOCUMENTS_PER_QUERY),

    async save(owner: string, usage: Usage, now: number): Promise<void> {
      await db.batch([
        {
          sql: `insert into workspace_usage (owner_id, runs, run_bytes, journal_rows, journal_bytes, files, file_bytes,
                  documents, document_bytes, measured_at)
                select id, cast($runs as bigint), cast($runBytes as bigint), cast($journalRows as bigint), cast($journalBytes as bigint),
                  cast($files as bigint), cast($fileBytes as bigint), cast($documents as bigint), cast($documentBytes as bigint), cast($now as bigint)
                from workspace where id = $owner
                on conflict (owner_id) do update set runs = excluded.runs, run_bytes = excluded.run_bytes,
                  journal_rows = excluded.journal_rows, journal_bytes = excluded.journal_bytes, files = excluded.files,
                  file_bytes = excluded.file_bytes, documents = excluded.documents, document_bytes = excluded.document_bytes,
                  measured_at = excluded.measured_at`,
          params: { owner, now, ...usage },
        },
      ]);
    },

    /** A workspace that was never measured or before `before`, the longest ago first. */
    async findStale(before: number): Promise<string | undefined> {
      const [row] = await db.query(
        `select w.id from workspace as w left join workspace_usage as u on u.owner_id = w.id
         where w.deleted_at is null and coalesce(u.measured_at, 0) < $before order by coalesce(u.measured_at, 0), w.id limit 1`,
        { before },
      );
      return row?.["id"] as string | undefined;
    },

    /** The largest first. */
    async list({ limit, cursor }: PageQuery): Promise<ResultPage<WorkspaceStorage>> {
      const [bytes, id = ""] = cursor?.split(" ") ?? [];
      const rows = await db.query(
        `select u.*, ${TOTAL} as bytes, w.kind, ${WORKSPACE_NAME} as name
         from workspace_usage as u join workspace as w on w.id = u.owner_id and w.deleted_at is null
         where ${TOTAL} < $bytes or (${TOTAL} = $bytes and u.owner_id > $id) order by ${TOTAL} desc, u.owner_id limit $limit`,
        { bytes: Number(bytes ?? Number.MAX_SAFE_INTEGER) || 0, id, limit: limit + 1 },
      );
      return toResultPage(rows.map(toStorage), limit, (each) => `${each.bytes} ${each.workspace.id}`);
    },

    async listWorkspaces(
      search: string | null,
      { limit, cursor }: PageQuery,
    ): Promise<ResultPage<AdminWorkspace>> {
      const rows = await db.query(
        `select * from (select w.id, w.kind, w.created_at, ${WORKSPACE_NAME} as name,
             (select count(*) from member as m where m.workspace_id = w.id) as members
           from workspace as w where w.deleted_at is null and w.id < $cursor) as named
         where cast($pattern as text) is null or lower(name) like $pattern escape '!' order by id desc limit $limit`,
        { pattern: search, cursor: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
      );
      return toResultPage(rows.map(toWorkspace), limit, ({ id }) => id);
    },

    async databaseBytes(): Promise<number> {
      const [row] = await db.query(
        db.dialect === "sqlite"
          ? "select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()"
          : "select pg_database_size(current_database()) as bytes",
      );
      return Number(row?.["bytes"]);
    },
  };
}

function toWorkspace(row: Row): AdminWorkspace {
  return {
    id: row["id"] as string,
    name: row["name"] as string,
    kind: row["kind"] as AdminWorkspace["kind"],
    members: Number(row["members"]),
    createdAt: toIso(Number(row["created_at"])),
  };
}

function toStorage(row: Row): WorkspaceStorage {
  const counted = (count: string, bytes: string) => ({
    count: Number(row[count]),
    bytes: Number(row[bytes]),
  });
  return {
    workspace: {
      id: row["owner_id"] as string,
      name: row["name"] as string,
      kind: row["kind"] as WorkspaceStorage["workspace"]["kind"],
    },
    bytes: Number(row["bytes"]),
    runs: counted("runs", "run_bytes"),
    journal: counted("journal_rows", "journal_bytes"),
    files: counted("files", "file_bytes"),
    documents: counted("documents", "document_bytes"),
    measuredAt: toIso(Number(row["measured_at"])),
  };
}
