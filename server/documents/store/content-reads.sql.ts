import type { ChunkSpan } from "../ingest/chunk.ts";
import type { ContentStore, StoredVectors } from "./content-store.ts";
import type { PageText } from "../extract/page-text.ts";
import type { StoredChunk } from "../retrieve/retrieve.ts";
import type { SearchScope } from "../retrieve/vector-index.ts";
import { notFound } from "../../lib/errors.ts";
import type { Db, Row } from "../../storage/db.ts";
import { unpackRuns } from "./packed-runs.ts";

type ContentReads = Pick<
  ContentStore,
  "chunks" | "pages" | "chunk" | "chunksFrom" | "evidence" | "vectors" | "vectorsOf"
>;

const within = ({ documentIds }: SearchScope, documentId: string): boolean =>
  !documentIds || documentIds.includes(documentId);

/** Only of indexed documents: a reader sees all of a document or nothing. */
export function createContentReads(db: Db): ContentReads {
  return {
    // `cross join` fixes the join order in SQLite. Its planner would start with every document of the owner, which
    // takes a second per question at 100,000 chunks.
    async chunks(scope, keys) {
      const inside = keys.filter(({ documentId }) => within(scope, documentId));
      const rows = await db.query(
        `select c.document_id, c.ordinal, c.id, c.text, c.spans, c.heading, d.title
         from json_each(cast($keys as text)) as e cross join document as d cross join document_chunk as c
         where d.id = e.value->>'documentId' and d.owner_id = $ownerId and d.status = 'indexed'
           and c.document_id = d.id and c.ordinal = cast(e.value->>'ordinal' as bigint)`,
        { ownerId: scope.ownerId, keys: JSON.stringify(inside) },
      );
      return rows.map(toChunk);
    },

    async pages(scope, keys) {
      const inside = keys.filter(({ documentId }) => within(scope, documentId));
      const rows = await db.query(
        `select p.document_id, p.page, p.width, p.height, p.text, p.runs, p.location
         from json_each(cast($keys as text)) as e cross join document as d cross join document_page as p
         where d.id = e.value->>'documentId' and d.owner_id = $ownerId and d.status = 'indexed'
           and p.document_id = d.id and p.page = cast(e.value->>'page' as bigint)`,
        { ownerId: scope.ownerId, keys: JSON.stringify(inside) },
      );
      return rows.map((row) => ({ documentId: row["document_id"] as string, ...toPageText(row) }));
    },

    async chunk(documentId, chunkId) {
      const [row] = await db.query(
        `select c.document_id, c.ordinal, c.id, c.text, c.spans, c.heading, d.title from document_chunk as c
         join document as d on d.id = c.document_id and d.status = 'indexed'
         where c.id = $chunkId and c.document_id = $documentId`,
        { documentId, chunkId },
      );
      if (row === undefined) throw notFound("chunk", chunkId);
      return toChunk(row);
    },

    async chunksFrom(documentId, ordinal, limit) {
      const rows = await db.query(
        `select c.document_id, c.ordinal, c.id, c.text, c.spans, c.heading, d.title from document as d
         join document_chunk as c on c.document_id = d.id
         where d.id = $documentId and d.status = 'indexed' and c.ordinal >= $ordinal order by c.ordinal limit $limit`,
        { documentId, ordinal, limit },
      );
      return rows.map(toChunk);
    },

    async evidence(scope, modelId, keys) {
      const inside = keys.filter(({ documentId }) => within(scope, documentId));
      const rows = await db.query(
        `select c.document_id, c.ordinal, c.terms, s.vectors
         from json_each(cast($keys as text)) as e cross join document as d cross join document_chunk as c
         left join document_sentence as s
           on s.document_id = c.document_id and s.ordinal = c.ordinal and s.model_id = $modelId
         where d.id = e.value->>'documentId' and d.owner_id = $ownerId and d.status = 'indexed'
           and c.document_id = d.id and c.ordinal = cast(e.value->>'ordinal' as bigint)`,
        { ownerId: scope.ownerId, modelId, keys: JSON.stringify(inside) },
      );
      return rows.map((row) => ({
        documentId: row["document_id"] as string,
        ordinal: Number(row["ordinal"]),
        terms: row["terms"] as string,
        sentences: row["vectors"] as Uint8Array | null,
      }));
    },

    async vectors(model, afterId, limit) {
      const rows = await db.query(
        `select v.document_id, d.owner_id, d.model_id, d.dimensions, v.vectors, v.sentences
         from document_vectors as v join document as d on d.id = v.document_id
         where v.document_id > $afterId and d.status = 'indexed' and d.model_id = $modelId and d.dimensions = $dimensions
         order by v.document_id limit $limit`,
        { afterId, modelId: model.id, dimensions: model.dimensions, limit },
      );
      return rows.map(toVectors);
    },

    async vectorsOf(model, documentIds) {
      const rows = await db.query(
        `select v.document_id, d.owner_id, d.model_id, d.dimensions, v.vectors, v.sentences
         from json_each(cast($documentIds as text)) as e cross join document as d cross join document_vectors as v
         where d.id = e.value and d.status = 'indexed' and d.model_id = $modelId and d.dimensions = $dimensions and v.document_id = d.id`,
        { documentIds: JSON.stringify(documentIds), modelId: model.id, dimensions: model.dimensions },
      );
      return rows.map(toVectors);
    },
  };
}

function toChunk(row: Row): StoredChunk {
  const heading = row["heading"] as string | null;
  return {
    documentId: row["document_id"] as string,
    ordinal: Number(row["ordinal"]),
    ...(heading !== null && { heading }),
    chunkId: row["id"] as string,
    title: row["title"] as string,
    text: row["text"] as string,
    spans: JSON.parse(row["spans"] as string) as ChunkSpan[],
  };
}

function toPageText(row: Row): PageText {
  return {
    page: Number(row["page"]),
    width: Number(row["width"]),
    height: Number(row["height"]),
    text: row["text"] as string,
    runs: unpackRuns(JSON.parse(row["runs"] as string) as number[]),
    ...(row["location"] !== null && { location: row["location"] as string }),
  };
}

function toVectors(row: Row): StoredVectors {
  return {
    documentId: row["document_id"] as string,
    ownerId: row["owner_id"] as string,
    modelId: row["model_id"] as string,
    dimensions: Number(row["dimensions"]),
    vectors: row["vectors"] as Uint8Array,
    sentences: row["sentences"] as Uint8Array | null,
  };
}
