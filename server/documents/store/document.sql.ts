import type { DocumentMetadata } from "../../../contract/documents.ts";
import type { DocumentRecord, DocumentStatus, DocumentStore } from "./document-record.ts";
import { notFound } from "../../lib/errors.ts";
import { toPage } from "../../lib/page.ts";
import type { Db, Row } from "../../storage/db.ts";
import { noteChange } from "./changes.sql.ts";
import { writeClaimed } from "./claimed-write.sql.ts";
import { throwNotFoundOrForbidden } from "../../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../../storage/paging.ts";

const COLUMNS = `id, owner_id, sha256, status, title, metadata, bytes, pages, pages_without_text, chunks, model_id,
  dimensions, error, attempts, epoch, pages_done, chunks_done, created_at`;

/** The records of the documents; what stands in them is document-content-store.ts. */
export function createDocumentStore(db: Db): DocumentStore {
  return {
    async begin(document) {
      const [inserted] = await db.batch([
        {
          sql: `insert into document (${COLUMNS}, terms, claimed_at, number)
                values ($1, $2, $3, $4, $5, $6, $7, 0, '[]', 0, null, null, null, $8, $9, 0, 0, $10, 0, $10,
                  (select coalesce(max(number), 0) + 1 from document))
                on conflict (owner_id, sha256) do nothing returning id`,
          params: [
            document.id,
            document.ownerId,
            document.sha256,
            document.status,
            document.title,
            JSON.stringify(document.metadata),
            document.bytes,
            document.attempts,
            document.epoch,
            document.createdAt,
          ],
        },
        {
          sql: `insert into document_tag (owner_id, tag, document_id)
                select d.owner_id, e.value, d.id from document as d, json_each(cast($2 as text)) as e
                where d.id = $1 on conflict do nothing`,
          params: [document.id, JSON.stringify(document.metadata.tags ?? [])],
        },
      ]);
      return inserted?.length === 1;
    },

    async owned(id, ownerId) {
      const [row] = await db.query(`select ${COLUMNS} from document where id = $1 and owner_id = $2`, [
        id,
        ownerId,
      ]);
      if (row?.["status"] === "deleting") throw notFound("document");
      return row === undefined ? throwNotFoundOrForbidden(db, "document", "document", id) : toDocument(row);
    },

    async byHash(ownerId, sha256) {
      const [row] = await db.query(`select ${COLUMNS} from document where owner_id = $1 and sha256 = $2`, [
        ownerId,
        sha256,
      ]);
      return row === undefined ? undefined : toDocument(row);
    },

    async list(ownerId, { limit, cursor }, tag) {
      const tagged =
        "and exists (select 1 from document_tag as t where t.owner_id = $1 and t.tag = $4 and t.document_id = document.id)";
      const rows = await db.query(
        `select ${COLUMNS} from document where owner_id = $1 and id < $2 and status <> 'deleting'
         ${tag === undefined ? "" : tagged} order by id desc limit $3`,
        [ownerId, cursor ?? AFTER_EVERY_ID, limit + 1, ...(tag === undefined ? [] : [tag])],
      );
      return toPage(rows.map(toDocument), limit, ({ id }) => id);
    },

    async ownedAmong(ownerId, ids) {
      const rows = await db.query<{ id: string }>(
        `select id from document where owner_id = $1 and status <> 'deleting'
           and id in (select e.value from json_each(cast($2 as text)) as e)`,
        [ownerId, JSON.stringify(ids)],
      );
      return rows.map(({ id }) => id);
    },

    async tagged(ownerId, tags) {
      const rows = await db.query<{ document_id: string }>(
        `select distinct document_id from document_tag where owner_id = $1
           and tag in (select e.value from json_each(cast($2 as text)) as e)`,
        [ownerId, JSON.stringify(tags)],
      );
      return rows.map((row) => row.document_id);
    },

    async ofOtherModel(ownerId, { id, dimensions }, documentIds) {
      const chosen = "and id in (select e.value from json_each(cast($4 as text)) as e)";
      const rows = await db.query<{ id: string }>(
        `select id from document where owner_id = $1 and status = 'indexed' and (model_id <> $2 or dimensions <> $3)
         ${documentIds === undefined ? "" : chosen} order by id`,
        [ownerId, id, dimensions, ...(documentIds === undefined ? [] : [JSON.stringify(documentIds)])],
      );
      return rows.map((row) => row.id);
    },

    async claimAbandoned(renewedBefore, now) {
      const abandoned = `select id from document where status in ('processing', 'deleting') and claimed_at < $1
        order by id limit 1`;
      // Nearly always there is none, and everybody asks again and again: that must not cost a commit.
      if ((await db.query(abandoned, [renewedBefore])).length === 0) return undefined;
      const [rows = []] = await db.batch([
        {
          sql: `update document set epoch = epoch + 1, claimed_at = $2,
                  attempts = attempts + case when status = 'processing' then 1 else 0 end
                where id in (${abandoned} /*skip-locked*/) returning ${COLUMNS}`,
          params: [renewedBefore, now],
        },
      ]);
      return rows[0] && toDocument(rows[0]);
    },

    async renew({ documentId, epoch }, progress, now) {
      const [rows] = await db.batch(
        [
          {
            sql: `update document set claimed_at = $3, pages = $4, pages_done = $5, chunks = $6, chunks_done = $7
                  where id = $1 and epoch = $2 and status in ('processing', 'deleting') returning id`,
            params: [
              documentId,
              epoch,
              now,
              progress.pages,
              progress.pagesDone,
              progress.chunks,
              progress.chunksDone,
            ],
          },
        ],
        { repeatable: true },
      );
      return rows?.length === 1;
    },

    async release({ documentId, epoch }) {
      await db.batch([
        {
          sql: "update document set claimed_at = 0 where id = $1 and epoch = $2",
          params: [documentId, epoch],
        },
      ]);
    },

    async releaseAll() {
      await db.batch([
        { sql: "update document set claimed_at = 0 where status in ('processing', 'deleting')" },
      ]);
    },

    async fail(claim, error) {
      await writeClaimed(db, claim, [
        {
          sql: `update document set status = 'failed', error = $2, pages = 0, pages_done = 0, chunks = 0, chunks_done = 0
                where id = $1 and status = 'processing'`,
          params: [claim.documentId, JSON.stringify(error)],
        },
      ]);
    },

    async markDeleting(id, now, held) {
      const [rows = []] = await db.batch([
        {
          sql: `update document set status = 'deleting', sha256 = id, epoch = epoch + 1, claimed_at = $2
                where id = $1 and status <> 'deleting' ${held === undefined ? "" : "and epoch = $3"} returning owner_id, epoch`,
          params: [id, now, ...(held === undefined ? [] : [held.epoch])],
        },
        {
          sql: `delete from document_tag where document_id = $1
                  and exists (select 1 from document as d where d.id = $1 and d.status = 'deleting')`,
          params: [id],
        },
        ...noteChange(id),
      ]);
      const [row] = rows;
      if (row === undefined) return undefined;
      return { documentId: id, ownerId: row["owner_id"] as string, epoch: Number(row["epoch"]) };
    },

    async remove({ documentId, epoch }) {
      await db.batch([
        {
          sql: "delete from document where id = $1 and epoch = $2 and status = 'deleting'",
          params: [documentId, epoch],
        },
      ]);
    },
  };
}

function toDocument(row: Row): DocumentRecord {
  const error = row["error"] as string | null;
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    sha256: row["sha256"] as string,
    status: row["status"] as DocumentStatus,
    title: row["title"] as string,
    metadata: JSON.parse(row["metadata"] as string) as DocumentMetadata,
    bytes: Number(row["bytes"]),
    pages: Number(row["pages"]),
    pagesWithoutText: JSON.parse(row["pages_without_text"] as string) as number[],
    chunks: Number(row["chunks"]),
    modelId: row["model_id"] as string | null,
    error: error === null ? null : (JSON.parse(error) as { code: string; message: string }),
    attempts: Number(row["attempts"]),
    epoch: Number(row["epoch"]),
    pagesDone: Number(row["pages_done"]),
    chunksDone: Number(row["chunks_done"]),
    createdAt: Number(row["created_at"]),
  };
}
