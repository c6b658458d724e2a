import {
  ALL_DOCUMENTS,
  type ExposureKind,
  type ExposureQuery,
  type Protocol,
} from "../../contract/exposures.ts";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import { invalidRequest, notFound } from "../lib/errors.ts";
import type { Db, Row, SqlValue } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";
import type { RunnableWorkflows } from "../workflows/runnable-workflow.sql.ts";
import { deleteFirst } from "../storage/delete-first.ts";

/** A record that can be exposed, with its switches; all are off when it has no row. */
export interface ExposureRow {
  kind: ExposureKind;
  recordId: string;
  title: string;
  recordDescription: string;
  /** The endpoint name of a workflow. */
  slug: string | null;
  paused: boolean;
  /** Null until something of the record was changed. */
  name: string | null;
  customDescription: string | null;
  mcp: boolean;
  a2a: boolean;
  chat: boolean;
}

/** A row whose protocol is switched on, with the live version of a workflow. */
export interface ExposedRow extends ExposureRow {
  name: string;
  exposedAt: number;
  workflow?: RunnableWorkflow;
}

export interface ExposureChange {
  kind: ExposureKind;
  recordId: string;
  mcp: boolean | undefined;
  a2a: boolean | undefined;
  chat: boolean | undefined;
  /** `isGiven`: replaces the stored name; otherwise the name of a new row. */
  name: { text: string; isGiven: boolean };
  /** Null removes it, undefined keeps it. */
  description: string | null | undefined;
  now: number;
}

export type ExposureStore = ReturnType<typeof createExposureStore>;

const NOT_DELETED = "(select id from workflow where deleted_at is null) as live";
/** A new workflow has a first version without steps; there is nothing to run. */
const IS_PUBLISHED = `workflow.deleted_at is null and workflow.graph not like '{"steps":[],%'`;
/** Every record of the owner that can be exposed. The prefixes of the ids keep the kinds apart in `record_id`. */
const RECORDS = `(
  select 'workflow' as kind, id as record_id, name as title, description as record_description, endpoint_slug as slug, active
  from workflow where owner_id = $ownerId and ${IS_PUBLISHED}
  union all select 'agent', id, name, description, null, 1 from agent where owner_id = $ownerId
  union all select 'team', id, name, description, null, 1 from team where owner_id = $ownerId
  union all select 'documents', '${ALL_DOCUMENTS}', 'Documents', '', null, 1
) as record`;
/** A workflow without steps keeps its row: it is exposed again with its next version. */
const RECORD_EXISTS = `(exposure.kind = 'documents'
  or exists (select 1 from workflow where id = exposure.record_id and owner_id = $ownerId and deleted_at is null)
  or exists (select 1 from agent where id = exposure.record_id and owner_id = $ownerId)
  or exists (select 1 from team where id = exposure.record_id and owner_id = $ownerId))`;
const COLUMNS = `record.kind, record.record_id, record.title, record.record_description, record.slug, record.active,
  exposure.name, exposure.description, exposure.mcp, exposure.a2a, exposure.chat`;
const WITH_SWITCHES = `${RECORDS} left join exposure
  on exposure.owner_id = $ownerId and exposure.kind = record.kind and exposure.record_id = record.record_id`;

export function createExposureStore(db: Db, { toRunnable }: Pick<RunnableWorkflows, "toRunnable">) {
  async function withWorkflow(row: Row): Promise<ExposedRow> {
    const exposed = { ...toRow(row), exposedAt: Number(row["exposed_at"]) } as ExposedRow;
    if (exposed.kind !== "workflow") return exposed;
    return { ...exposed, workflow: await toRunnable({ ...row, name: exposed.title }) };
  }

  /** Live records whose protocol is switched on. One query: a pause or a deletion takes effect at once. */
  async function selectExposed(
    protocol: Protocol,
    condition: string,
    params: Record<string, SqlValue>,
  ): Promise<ExposedRow[]> {
    const rows = await db.query(
      `select exposure.kind, exposure.record_id, exposure.name, exposure.description, exposure.mcp, exposure.a2a,
         exposure.chat, exposure.created_at as exposed_at, coalesce(workflow.name, agent.name, team.name, 'Documents') as title,
         coalesce(workflow.description, agent.description, team.description, '') as record_description,
         workflow.endpoint_slug as slug, 1 as active,
         workflow.id, workflow.owner_id, workflow.version, workflow.response_step_id
       from exposure
         left join workflow on exposure.kind = 'workflow' and workflow.id = exposure.record_id
           and workflow.owner_id = exposure.owner_id and workflow.active = 1 and ${IS_PUBLISHED}
         left join agent on exposure.kind = 'agent' and agent.id = exposure.record_id and agent.owner_id = exposure.owner_id
         left join team on exposure.kind = 'team' and team.id = exposure.record_id and team.owner_id = exposure.owner_id
       where ${condition} and exposure.${protocol} = 1
         and (exposure.kind = 'documents' or coalesce(workflow.id, agent.id, team.id) is not null)
       order by exposure.name`,
      params,
    );
    return Promise.all(rows.map(withWorkflow));
  }

  return {
    exposed: (ownerId: string, protocol: Protocol, name?: string): Promise<ExposedRow[]> =>
      name === undefined
        ? selectExposed(protocol, "exposure.owner_id = $ownerId", { ownerId })
        : selectExposed(protocol, "exposure.owner_id = $ownerId and exposure.name = $name", {
            ownerId,
            name,
          }),

    /** A workflow whose owner is not known yet. */
    async exposedWorkflow(protocol: Protocol, workflowId: string): Promise<ExposedRow | undefined> {
      const [row] = await selectExposed(
        protocol,
        `exposure.owner_id = (select owner_id from workflow as w where w.id = $workflowId)
           and exposure.kind = 'workflow' and exposure.record_id = $workflowId`,
        { workflowId },
      );
      return row;
    },

    /** Throws `<kind>_not_found` or `forbidden`, and `invalid_request` for a workflow without a published version. */
    async get(ownerId: string, kind: ExposureKind, recordId: string): Promise<ExposureRow> {
      const [row] = await db.query(
        `select ${COLUMNS} from ${WITH_SWITCHES} where record.kind = $kind and record.record_id = $recordId`,
        { ownerId, kind, recordId },
      );
      if (row !== undefined) return toRow(row);
      if (kind === "documents") throw notFound("document");
      if (kind !== "workflow") return throwNotFoundOrForbidden(db, kind, kind, recordId);
      const [unpublished] = await db.query(
        "select 1 as found from workflow where id = $recordId and owner_id = $ownerId and deleted_at is null",
        { ownerId, recordId },
      );
      if (unpublished !== undefined)
        throw invalidRequest("The workflow has no published version. Publish it, then expose it.");
      return throwNotFoundOrForbidden(db, NOT_DELETED, kind, recordId);
    },

    async list(ownerId: string, { limit, cursor, kind }: ExposureQuery): Promise<ResultPage<ExposureRow>> {
      const rows = await db.query(
        `select ${COLUMNS} from ${WITH_SWITCHES} where record.record_id < $cursor
           ${kind === undefined ? "" : "and record.kind = $kind"}
         order by record.record_id desc limit $limit`,
        {
          ownerId,
          cursor: cursor ?? AFTER_EVERY_ID,
          limit: limit + 1,
          ...(kind === undefined ? {} : { kind }),
        },
      );
      return toResultPage(rows.map(toRow), limit, ({ recordId }) => recordId);
    },

    /** The names of live records that begin like this one. */
    async namesLike(ownerId: string, name: string): Promise<Set<string>> {
      const rows = await db.query<{ name: string }>(
        `select name from exposure where owner_id = $ownerId and name like $prefix and ${RECORD_EXISTS}`,
        { ownerId, prefix: `${name.slice(0, 50)}%` },
      );
      return new Set(rows.map((row) => row.name));
    },

    /** False when another record of the owner has this name, or this record is gone. */
    async save(ownerId: string, change: ExposureChange): Promise<boolean> {
      const { kind, recordId, name, now } = change;
      const params: Record<string, SqlValue> = {
        ownerId,
        kind,
        recordId,
        name: name.text,
        isGiven: Number(name.isGiven),
        mcp: bit(change.mcp),
        a2a: bit(change.a2a),
        chat: bit(change.chat),
        description: change.description ?? null,
        keepsDescription: Number(change.description === undefined),
        now,
      };
      const [, saved] = await db.batch([
        {
          // Deleted records release their names.
          sql: `delete from exposure where owner_id = $ownerId and not ${RECORD_EXISTS}`,
          params: { ownerId },
        },
        {
          sql: `insert into exposure (owner_id, kind, record_id, mcp, a2a, chat, name, description, created_at, updated_at)
                select $ownerId, $kind, $recordId, coalesce(cast($mcp as bigint), 0), coalesce(cast($a2a as bigint), 0),
                  coalesce(cast($chat as bigint), 0), $name, cast($description as text), $now, $now
                where exists (select 1 from ${RECORDS} where record.kind = $kind and record.record_id = $recordId)
                  and not exists (select 1 from exposure as other where other.owner_id = $ownerId and other.name = $name
                    and not (other.kind = $kind and other.record_id = $recordId))
                on conflict (owner_id, kind, record_id) do update set
                  mcp = coalesce(cast($mcp as bigint), exposure.mcp), a2a = coalesce(cast($a2a as bigint), exposure.a2a),
                  chat = coalesce(cast($chat as bigint), exposure.chat),
                  name = case when cast($isGiven as bigint) = 1 then excluded.name else exposure.name end,
                  description = case when cast($keepsDescription as bigint) = 1 then exposure.description else excluded.description end,
                  updated_at = excluded.updated_at
                returning 1 as one`,
          params,
        },
      ]);
      return saved?.length === 1;
    },

    removeOwned: (ownerId: string, limit: number) =>
      deleteFirst(db, { table: "exposure", group: "owner_id", key: "name", value: ownerId }, limit),
  };
}

function bit(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}

function toRow(row: Row): ExposureRow {
  return {
    kind: row["kind"] as ExposureKind,
    recordId: row["record_id"] as string,
    title: row["title"] as string,
    recordDescription: row["record_description"] as string,
    slug: row["slug"] as string | null,
    paused: Number(row["active"]) !== 1,
    name: row["name"] as string | null,
    customDescription: row["description"] as string | null,
    mcp: Number(row["mcp"]) === 1,
    a2a: Number(row["a2a"]) === 1,
    chat: Number(row["chat"]) === 1,
  };
}
