import { createId } from "../../lib/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { DocumentLease } from "../ingest/document-task.ts";
import { logChange } from "./changes.sql.ts";
import type { ContentStore } from "./content-store.ts";
import type { FullTextIndex } from "./full-text.sql.ts";
import { HELD, leaseParams, writeLeased } from "./lease.sql.ts";
import { countTerms } from "./terms.sql.ts";

/** One turn of the event loop each: a chunk leaves the full-text index in about 0.8 ms. */
const SLICE_CHUNKS = 16;
const SLICE_PAGES = 200;

interface Slice {
  first: number;
  last: number;
  ordinals: number[];
  terms: string[][];
}

/** The content of documents that get another owner, or the content of another document. */
export function createContentTransfers(
  db: Db,
  fullText: FullTextIndex,
): Pick<ContentStore, "moveWords" | "copyContent"> {
  async function nextChunks(documentId: string, from: number): Promise<Slice | undefined> {
    const rows = await db.query<{ ordinal: number; terms: string }>(
      `select ordinal, terms from document_chunk where document_id = $documentId and ordinal >= $from
       order by ordinal limit ${SLICE_CHUNKS}`,
      { documentId, from },
    );
    const ordinals = rows.map(({ ordinal }) => Number(ordinal));
    const [first, last] = [ordinals[0], ordinals.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    return { first, last, ordinals, terms: rows.map(({ terms }) => terms.split(" ")) };
  }

  async function copyPages(lease: DocumentLease, sourceId: string): Promise<void> {
    for (let after = -1, more = true; more;) {
      const [copied = []] = await writeLeased(db, lease, [
        {
          sql: `insert into document_page (document_id, page, width, height, text, runs, location)
                select $documentId, page, width, height, text, runs, location from document_page
                where document_id = $sourceId and page > $after and ${HELD} order by page limit ${SLICE_PAGES} returning page`,
          params: { ...leaseParams(lease), sourceId, after },
        },
      ]);
      after = Math.max(...copied.map((row) => Number(row["page"])));
      more = copied.length === SLICE_PAGES;
    }
  }

  async function copyChunks(lease: DocumentLease, sourceId: string, signal: AbortSignal): Promise<void> {
    for (
      let slice = await nextChunks(sourceId, 0);
      slice;
      slice = await nextChunks(sourceId, slice.last + 1)
    ) {
      signal.throwIfAborted();
      const { first, last, ordinals, terms } = slice;
      const range = { first, last };
      const params = { ...leaseParams(lease), sourceId };
      await writeLeased(db, lease, [
        {
          sql: `insert into document_chunk (document_id, ordinal, id, text, spans, heading, terms)
                select $documentId, c.ordinal, e.value->>'id', c.text, c.spans, c.heading, c.terms
                from json_each(cast($ids as text)) as e join document_chunk as c
                  on c.document_id = $sourceId and c.ordinal = cast(e.value->>'ordinal' as bigint) where ${HELD}`,
          params: {
            ...params,
            ids: JSON.stringify(ordinals.map((ordinal) => ({ ordinal, id: createId("chunk") }))),
          },
        },
        fullText.add(lease, range),
        ...countTerms(lease, terms, 1),
        {
          sql: `insert into document_sentence (document_id, ordinal, model_id, vectors)
                select $documentId, ordinal, model_id, vectors from document_sentence
                where document_id = $sourceId and ordinal between $first and $last and ${HELD}`,
          params: { ...params, ...range },
        },
      ]);
    }
  }

  return {
    async moveWords(lease) {
      const { documentId } = lease;
      for (;;) {
        const [document] = await db.query<{
          owner_id: string;
          former_owner_id: string;
          moved_chunks: number;
        }>(
          `select owner_id, former_owner_id, moved_chunks from document where id = $documentId and former_owner_id is not null`,
          { documentId },
        );
        if (document === undefined) return;
        const slice = await nextChunks(documentId, Number(document.moved_chunks));
        const params = leaseParams(lease);
        if (slice === undefined) {
          const end = `update document set former_owner_id = null, moved_chunks = 0 where id = $documentId and ${HELD}`;
          await writeLeased(db, lease, [{ sql: end, params }]);
          return;
        }
        const { first, last, terms } = slice;
        await writeLeased(db, lease, [
          fullText.remove(lease, { first, last }),
          ...countTerms({ ...lease, ownerId: document.former_owner_id }, terms, -1),
          fullText.add(lease, { first, last }),
          ...countTerms({ ...lease, ownerId: document.owner_id }, terms, 1),
          {
            sql: `update document set moved_chunks = cast($next as bigint) where id = $documentId and ${HELD}`,
            params: { ...params, next: last + 1 },
          },
        ]);
      }
    },

    async copyContent(lease, sourceId, signal) {
      const params = { ...leaseParams(lease), sourceId };
      // The task is parked, so no part of the source is being replaced.
      const [source] = await db.query<{ epoch: number }>(
        `select t.epoch from document as d join task as t on t.id = d.id join document as c on c.sha256 = d.sha256
         where d.id = $sourceId and c.id = $documentId and d.status = 'indexed' and t.status = 'waiting' and t.run_at is null`,
        { documentId: lease.documentId, sourceId },
      );
      if (source === undefined) return false;
      await copyPages(lease, sourceId);
      await copyChunks(lease, sourceId, signal);
      const [finished] = await writeLeased(
        db,
        lease,
        [
          {
            sql: `update document set status = 'indexed', error = null, copied_from = null, title = s.title, pages = s.pages,
                    pages_without_text = s.pages_without_text, chunks = s.chunks, terms = s.terms, model_id = s.model_id,
                    dimensions = s.dimensions, index_version = s.index_version
                  from document as s join task as t on t.id = s.id
                  where document.id = $documentId and s.id = $sourceId and s.status = 'indexed' and t.epoch = $sourceEpoch and ${HELD}
                  returning document.id`,
            params: { ...params, sourceEpoch: Number(source.epoch) },
          },
          {
            sql: `insert into document_vectors (document_id, vectors, sentences)
                  select d.id, v.vectors, v.sentences from document as d join document_vectors as v on v.document_id = $sourceId
                  where d.id = $documentId and d.status = 'indexed' and ${HELD}`,
            params,
          },
          ...logChange(`d.status = 'indexed' and ${HELD}`, leaseParams(lease)),
        ],
        { isDone: true },
      );
      return finished?.length === 1;
    },
  };
}
