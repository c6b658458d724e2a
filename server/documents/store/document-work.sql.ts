import { createId } from "../../lib/ids.ts";
import type { Db, Statement } from "../../storage/db.ts";
import { mayBuild } from "../../workspaces/may-build.ts";
import {
  INGESTION_LANE,
  INGESTION_LANES,
  ingestionWorkflow,
  LARGE_DOCUMENT_BYTES,
  LARGE_INGESTION_LANE,
} from "../ingest/document-task.ts";
import { logChange } from "./changes.sql.ts";
import type { DocumentError, DocumentWork } from "./document-record.ts";
import { HELD, leaseParams, writeLeased } from "./lease.sql.ts";

/** First and by itself: on PostgreSQL the statements after it see what a concurrent request has committed. */
const LOCK_TASK = "select id from task where id = $documentId /*for-update*/";

/** A parked task becomes due; one that runs reads the document again before it parks. */
const WAKE = `wake = wake + 1,
  run_at = case when status in ('waiting', 'failed') then cast($now as bigint) else run_at end,
  status = case when status in ('waiting', 'failed') then 'queued' else status end`;

const IN_INGESTION = `lane in (${INGESTION_LANES.map((lane) => `'${lane}'`).join(", ")})`;

/** Forgets how the task ended: it may crash three times again. */
const REOPEN = "lives = 0, error = null, completed_at = null";

function insertTags(id: string, tags: readonly string[]): Statement {
  return {
    sql: `insert into document_tag (owner_id, tag, document_id)
          select d.owner_id, e.value, d.id from document as d, json_each(cast($tags as text)) as e
          where d.id = $id on conflict do nothing`,
    params: { id, tags: JSON.stringify(tags) },
  };
}

/** The task of a document that was inserted in the same batch. */
function insertTask(id: string, dueAt: number): Statement {
  return {
    sql: `insert into task (id, owner_id, lane, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, run_at, lives, lives_seq,
            created_at)
          select id, owner_id, case when bytes > ${LARGE_DOCUMENT_BYTES} then '${LARGE_INGESTION_LANE}' else '${INGESTION_LANE}' end,
            '${ingestionWorkflow.id}', ${ingestionWorkflow.version}, 'waiting', 'api', '{}', 0, 0, 0,
            cast($dueAt as bigint), 0, 0, created_at
          from document where id = $id on conflict do nothing`,
    params: { id, dueAt },
  };
}

/** The error of a document whose ingestion an administrator of the instance stopped. */
const STOPPED: DocumentError = {
  code: "ingestion_stopped",
  message: "An administrator stopped the ingestion of this document. Upload it again.",
};

export function createDocumentWork(db: Db): DocumentWork {
  return {
    async insert(document, dueAt) {
      const { id, ownerId, sha256, status, title, mediaType, bytes, createdAt, metadata } = document;
      const [inserted] = await db.batch([
        {
          sql: `insert into document (id, owner_id, sha256, status, title, media_type, metadata, bytes, pages, pages_without_text, chunks, model_id,
                  dimensions, error, pages_done, chunks_done, created_at, terms, number)
                values ($id, $ownerId, $sha256, $status, $title, $mediaType, $metadata, $bytes, 0, '[]', 0, null, null, null, 0, 0,
                  $createdAt, 0, (select coalesce(max(number), 0) + 1 from document))
                on conflict (owner_id, sha256) do nothing returning id`,
          params: {
            id,
            ownerId,
            sha256,
            status,
            title,
            mediaType,
            bytes,
            createdAt,
            metadata: JSON.stringify(metadata),
          },
        },
        insertTags(id, metadata.tags ?? []),
        insertTask(id, dueAt),
      ]);
      return inserted?.length === 1;
    },

    async insertCopy(transfer, dueAt) {
      const { sourceId, targetId, userId, now } = transfer;
      const copyId = createId("doc", now);
      const [inserted] = await db.batch([
        {
          sql: `insert into document (id, owner_id, sha256, status, title, media_type, metadata, bytes, pages, pages_without_text, chunks, pages_done,
                  chunks_done, created_at, terms, number, copied_from)
                select $copyId, $targetId, d.sha256, 'processing', d.title, d.media_type, d.metadata, d.bytes, 0, '[]', 0, 0, 0,
                  cast($now as bigint), 0, (select coalesce(max(number), 0) + 1 from document), d.id
                from document as d where d.id = $id and d.owner_id = $sourceId and d.status = 'indexed' and ${mayBuild("$targetId")}
                on conflict (owner_id, sha256) do nothing returning id, sha256, bytes`,
          params: { id: transfer.id, copyId, sourceId, targetId, userId, now },
        },
        {
          sql: `insert into document_tag (owner_id, tag, document_id)
                select d.owner_id, t.tag, d.id from document as d join document_tag as t on t.document_id = d.copied_from
                where d.id = $copyId on conflict do nothing`,
          params: { copyId },
        },
        insertTask(copyId, dueAt),
      ]);
      const row = inserted?.[0];
      return row && { id: copyId, sha256: row["sha256"] as string, bytes: Number(row["bytes"]) };
    },

    async enqueue(documentId, now) {
      const [, enqueued] = await db.batch([
        { sql: LOCK_TASK, params: { documentId } },
        {
          sql: `update task set ${WAKE} where id = $documentId
                  and exists (select 1 from document as d where d.id = $documentId and d.status in ('processing', 'indexed'))
                returning id`,
          params: { documentId, now },
        },
      ]);
      return enqueued?.length === 1;
    },

    async setTags(id, ownerId, tags) {
      const params = { id, ownerId };
      const [row] = await db.query(
        "select metadata from document where id = $id and owner_id = $ownerId",
        params,
      );
      if (row === undefined) return;
      const metadata = { ...(JSON.parse(row["metadata"] as string) as object), tags };
      await db.batch([
        {
          sql: "update document set metadata = $metadata where id = $id and owner_id = $ownerId",
          params: { ...params, metadata: JSON.stringify(metadata) },
        },
        { sql: "delete from document_tag where owner_id = $ownerId and document_id = $id", params },
        insertTags(id, tags),
      ]);
    },

    async requestReindex(documentIds, now) {
      const ids = JSON.stringify(documentIds);
      const chosen = "id in (select e.value from json_each(cast($ids as text)) as e)";
      await db.batch([
        // In one order: two processes that lock the same tasks would otherwise deadlock.
        { sql: `select id from task where ${chosen} order by id /*for-update*/`, params: { ids } },
        {
          sql: `update document set error = null where ${chosen} and status = 'indexed' and error is not null`,
          params: { ids },
        },
        {
          sql: `update task set ${WAKE}, ${REOPEN} where ${chosen} and status in ('waiting', 'failed') and run_at is null
                  and exists (select 1 from document as d where d.id = task.id and d.status = 'indexed')`,
          params: { ids, now },
        },
      ]);
    },

    async holds({ documentId, epoch }) {
      const rows = await db.query("select 1 as held from task where id = $documentId and epoch = $epoch", {
        documentId,
        epoch,
      });
      return rows.length === 1;
    },

    async moveToLargeLane(lease) {
      const sql = `update task set lane = '${LARGE_INGESTION_LANE}' where id = $documentId and epoch = $epoch`;
      await writeLeased(db, lease, [{ sql, params: leaseParams(lease) }]);
    },

    async saveProgress(lease, { pages, pagesDone, chunks, chunksDone }) {
      const [rows] = await db.batch(
        [
          {
            sql: `update document set pages = $pages, pages_done = $pagesDone, chunks = $chunks, chunks_done = $chunksDone
                  where id = $documentId and status = 'processing' and ${HELD} returning id`,
            params: { ...leaseParams(lease), pages, pagesDone, chunks, chunksDone },
          },
        ],
        { repeatable: true },
      );
      return rows?.length === 1;
    },

    async fail(lease, error) {
      const statement: Statement = {
        sql: `update document set status = 'failed', error = $error, pages = 0, pages_done = 0, chunks = 0, chunks_done = 0
              where id = $documentId and status = 'processing' and ${HELD}`,
        params: { ...leaseParams(lease), error: JSON.stringify(error) },
      };
      await writeLeased(db, lease, [statement], { isDone: true });
    },

    async failReindex(lease, error) {
      const statement: Statement = {
        sql: `update document set error = $error where id = $documentId and status = 'indexed' and ${HELD}`,
        params: { ...leaseParams(lease), error: JSON.stringify(error) },
      };
      await writeLeased(db, lease, [statement], { isDone: true });
    },

    async markDeleting(documentId, dueAt) {
      const params = { documentId };
      const [, , marked] = await db.batch([
        { sql: LOCK_TASK, params },
        {
          // Another epoch: no run of the task can write any more.
          sql: `update task set epoch = epoch + 1, wake = wake + 1, status = 'waiting', worker_id = null, run_at = $dueAt, ${REOPEN}
                where id = $documentId and exists (select 1 from document as d where d.id = $documentId and d.status <> 'deleting')`,
          params: { documentId, dueAt },
        },
        {
          sql: `update document set status = 'deleting', sha256 = id where id = $documentId and status <> 'deleting'
                returning owner_id, (select t.epoch from task as t where t.id = document.id) as epoch`,
          params,
        },
        {
          sql: `delete from document_tag where document_id = $documentId
                  and exists (select 1 from document as d where d.id = $documentId and d.status = 'deleting')`,
          params,
        },
        ...logChange("d.status = 'deleting'", params),
      ]);
      const row = marked?.[0];
      if (row === undefined) return undefined;
      return { documentId, ownerId: row["owner_id"] as string, epoch: Number(row["epoch"]) };
    },

    async stop(documentId, now) {
      const isProcessing =
        "exists (select 1 from document as d where d.id = $documentId and d.status = 'processing')";
      const [, , stopped] = await db.batch([
        { sql: LOCK_TASK, params: { documentId } },
        {
          // Another epoch: no run of the task can write any more.
          sql: `update task set epoch = epoch + 1, wake = wake + 1, status = 'queued', worker_id = null, run_at = $now, ${REOPEN}
                where id = $documentId and ${isProcessing}`,
          params: { documentId, now },
        },
        {
          sql: `update document set status = 'failed', error = $error, pages = 0, pages_done = 0, chunks = 0, chunks_done = 0
                where id = $documentId and status = 'processing' returning id`,
          params: { documentId, error: JSON.stringify(STOPPED) },
        },
      ]);
      return stopped?.length === 1;
    },

    async remove(lease) {
      const params = leaseParams(lease);
      await writeLeased(db, lease, [
        {
          sql: `delete from document where id = $documentId and status = 'deleting' and ${HELD}`,
          params,
        },
        { sql: `delete from journal where task_id = $documentId and ${HELD}`, params },
        { sql: "delete from task where id = $documentId and epoch = $epoch", params },
      ]);
    },

    async resume(now, isAlone) {
      const interrupted: Statement = {
        // Uploads and deletions whose request ended with its process.
        sql: `update task set status = 'queued', run_at = $now
              where ${IN_INGESTION} and status = 'waiting' and run_at is not null`,
        params: { now },
      };
      await db.batch([
        ...(isAlone ? [interrupted] : []),
        {
          // A deletion is never abandoned, even if the service was killed three times during it.
          sql: `update task set status = 'queued', run_at = $now, ${REOPEN}
                where status = 'failed' and ${IN_INGESTION}
                  and id in (select d.id from document as d where d.status = 'deleting')`,
          params: { now },
        },
      ]);
    },

    // Not the failed tasks: indexing such a document again has crashed the service three times.
    async requestIndexUpdate(modelId, version, now) {
      const outdated = `${IN_INGESTION} and status = 'waiting' and run_at is null
        and id in (select d.id from document as d where d.status = 'indexed' and d.index_version < $version and d.model_id = $modelId)`;
      const params = { modelId, version };
      await db.batch([
        // In one order: two processes that start at once would otherwise deadlock.
        { sql: `select id from task where ${outdated} order by id /*for-update*/`, params },
        { sql: `update task set ${WAKE} where ${outdated}`, params: { ...params, now } },
      ]);
    },
  };
}
