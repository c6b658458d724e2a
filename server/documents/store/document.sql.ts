import type { DocumentMetadata } from "../../../contract/documents.ts";
import { notFound } from "../../lib/errors.ts";
import { toResultPage } from "../../lib/result-page.ts";
import { READABLE_COLLECTION, READABLE_DOCUMENT } from "../collections/collection-access.ts";
import type { Db, Row } from "../../storage/db.ts";
import { throwNotFoundOrForbidden } from "../../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../../storage/paging.ts";
import type {
  DocumentError,
  DocumentReads,
  DocumentRecord,
  DocumentStatus,
  DocumentStore,
  OwnedId,
} from "./document-record.ts";
import { createDocumentWork } from "./document-work.sql.ts";

const COLUMNS = `id, owner_id, sha256, status, title, media_type, metadata, bytes, pages, pages_without_text, chunks,
  model_id, dimensions, index_version, error, copied_from, pages_done, chunks_done, created_at`;

/** The records of documents. content.sql.ts has their content. */
export function createDocumentStore(db: Db): DocumentStore {
  return { ...createDocumentReads(db), ...createDocumentWork(db) };
}

function createDocumentReads(db: Db): DocumentReads {
  async function first(where: string, params: Record<string, string>): Promise<DocumentRecord | undefined> {
    const [row] = await db.query(`select ${COLUMNS} from document where ${where}`, params);
    return row === undefined ? undefined : toDocument(row);
  }

  return {
    find: (id) => first("id = $id", { id }),

    async owned(id, ownerId) {
      const document = await first("id = $id and owner_id = $ownerId", { id, ownerId });
      if (document?.status === "deleting") throw notFound("document", id);
      return document ?? throwNotFoundOrForbidden(db, "document", "document", id);
    },

    byHash: (ownerId, sha256) => first("owner_id = $ownerId and sha256 = $sha256", { ownerId, sha256 }),

    async readable(id, readerId) {
      const [row] = await db.query(
        `select ${COLUMNS} from document as d where id = $id and ${READABLE_DOCUMENT}`,
        { id, readerId },
      );
      if (row?.["status"] === "deleting") throw notFound("document", id);
      return row === undefined ? throwNotFoundOrForbidden(db, "document", "document", id) : toDocument(row);
    },

    async list(readerId, { limit, cursor }, { tag, collectionId } = {}) {
      const tagged =
        "and exists (select 1 from document_tag as t where t.owner_id = d.owner_id and t.tag = $tag and t.document_id = d.id)";
      const inCollection = `exists (select 1 from collection_document as cd join collection as c on c.id = cd.collection_id
        where cd.document_id = d.id and cd.collection_id = $collectionId and ${READABLE_COLLECTION})`;
      const rows = await db.query(
        `select ${COLUMNS} from document as d
         where ${collectionId === undefined ? "owner_id = $readerId" : inCollection} and id < $cursor and status <> 'deleting'
         ${tag === undefined ? "" : tagged} order by id desc limit $limit`,
        {
          readerId,
          cursor: cursor ?? AFTER_EVERY_ID,
          limit: limit + 1,
          tag: tag ?? null,
          collectionId: collectionId ?? null,
        },
      );
      return toResultPage(rows.map(toDocument), limit, ({ id }) => id);
    },

    async readableAmong(readerId, ids) {
      const rows = await db.query(
        `select id, owner_id from document as d where status <> 'deleting' and ${READABLE_DOCUMENT}
           and id in (select e.value from json_each(cast($ids as text)) as e)`,
        { readerId, ids: JSON.stringify(ids) },
      );
      return rows.map(toOwnedId);
    },

    async titles({ ownerId, documentIds }, limit) {
      const chosen = "and id in (select e.value from json_each(cast($documentIds as text)) as e)";
      return db.query<{ id: string; title: string }>(
        `select id, title from document where owner_id = $ownerId and status = 'indexed'
         ${documentIds === undefined ? "" : chosen} order by id desc limit $limit`,
        { ownerId, limit, documentIds: JSON.stringify(documentIds ?? []) },
      );
    },

    async readableCollections(readerId, ids) {
      const rows = await db.query<{ id: string }>(
        `select c.id from collection as c
         where c.id in (select e.value from json_each(cast($ids as text)) as e) and ${READABLE_COLLECTION}`,
        { readerId, ids: JSON.stringify(ids) },
      );
      return rows.map(({ id }) => id);
    },

    async inCollections(readerId, collectionIds) {
      // A collection without documents has one row, which distinguishes it from one that the reader may not read.
      const rows = await db.query(
        `select c.id as collection_id, d.id, d.owner_id from collection as c
         left join collection_document as cd on cd.collection_id = c.id
         left join document as d on d.id = cd.document_id and d.status <> 'deleting'
         where c.id in (select e.value from json_each(cast($ids as text)) as e) and ${READABLE_COLLECTION}`,
        { readerId, ids: JSON.stringify(collectionIds) },
      );
      const found = new Set(rows.map((row) => row["collection_id"]));
      const missing = collectionIds.find((id) => !found.has(id));
      if (missing !== undefined) throw notFound("collection", missing);
      return rows.filter((row) => row["id"] !== null).map(toOwnedId);
    },

    async tagged(ownerId, tags) {
      const rows = await db.query<{ document_id: string }>(
        `select distinct document_id from document_tag where owner_id = $ownerId
           and tag in (select e.value from json_each(cast($tags as text)) as e)`,
        { ownerId, tags: JSON.stringify(tags) },
      );
      return rows.map((row) => row.document_id);
    },

    async ofOtherModel(ownerId, { id, dimensions }, documentIds) {
      const chosen = "and id in (select e.value from json_each(cast($documentIds as text)) as e)";
      const rows = await db.query<{ id: string; error: string | null }>(
        `select id, error from document
         where owner_id = $ownerId and status = 'indexed' and (model_id <> $modelId or dimensions <> $dimensions)
         ${documentIds === undefined ? "" : chosen} order by id`,
        { ownerId, modelId: id, dimensions, documentIds: JSON.stringify(documentIds ?? []) },
      );
      return rows.map((row) => ({ id: row.id, error: toError(row.error) }));
    },
  };
}

function toOwnedId(row: Row): OwnedId {
  return { id: row["id"] as string, ownerId: row["owner_id"] as string };
}

function toDocument(row: Row): DocumentRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    sha256: row["sha256"] as string,
    status: row["status"] as DocumentStatus,
    title: row["title"] as string,
    mediaType: row["media_type"] as string,
    metadata: JSON.parse(row["metadata"] as string) as DocumentMetadata,
    bytes: Number(row["bytes"]),
    pages: Number(row["pages"]),
    pagesWithoutText: JSON.parse(row["pages_without_text"] as string) as number[],
    chunks: Number(row["chunks"]),
    modelId: row["model_id"] as string | null,
    dimensions: row["dimensions"] === null ? null : Number(row["dimensions"]),
    indexVersion: Number(row["index_version"]),
    error: toError(row["error"]),
    copiedFrom: row["copied_from"] as string | null,
    pagesDone: Number(row["pages_done"]),
    chunksDone: Number(row["chunks_done"]),
    createdAt: Number(row["created_at"]),
  };
}

function toError(json: unknown): DocumentError | null {
  return json === null ? null : (JSON.parse(json as string) as DocumentError);
}
