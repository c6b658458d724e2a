import type { Db } from "../../storage/db.ts";
import { logChange } from "./changes.sql.ts";
import type { ContentStore } from "./content-store.ts";
import type { FullTextIndex } from "./full-text.sql.ts";
import { HELD, leaseParams, writeLeased } from "./lease.sql.ts";
import { packRuns } from "./packed-runs.ts";
import { putSentences } from "./sentences.sql.ts";
import { countTerms } from "./terms.sql.ts";

// Removal goes in slices, one turn of the event loop each. Taking a chunk out of the full-text index takes about
// 0.8 ms: 64 at once blocked everything else for 60 ms.
const SLICE_CHUNKS = 16;
const SLICE_PAGES = 200;

type ContentWrites = Pick<ContentStore, "addPages" | "addChunks" | "finish" | "clear">;

export function createContentWrites(
  db: Db,
  fullText: FullTextIndex,
  moveWords: ContentStore["moveWords"],
): ContentWrites {
  return {
    async addPages(lease, pages) {
      await writeLeased(db, lease, [
        {
          sql: `insert into document_page (document_id, page, width, height, text, runs, location)
                select $documentId, cast(e.value->>'page' as bigint), cast(e.value->>'width' as double precision),
                  cast(e.value->>'height' as double precision), e.value->>'text', e.value->>'runs', e.value->>'location'
                from json_each(cast($pages as text)) as e where ${HELD}`,
          params: {
            ...leaseParams(lease),
            pages: JSON.stringify(
              pages.map((page) => ({ ...page, runs: JSON.stringify(packRuns(page.runs)) })),
            ),
          },
        },
      ]);
    },

    async addChunks(lease, modelId, chunks) {
      const rows = chunks.map(({ id, ordinal, text, spans, heading, terms }) => ({
        id,
        ordinal,
        text,
        spans: JSON.stringify(spans),
        heading,
        terms: terms.join(" "),
      }));
      const range = { first: chunks[0]?.ordinal ?? 0, last: chunks.at(-1)?.ordinal ?? -1 };
      await writeLeased(db, lease, [
        {
          sql: `insert into document_chunk (document_id, ordinal, id, text, spans, heading, terms)
                select $documentId, cast(e.value->>'ordinal' as bigint), e.value->>'id', e.value->>'text', e.value->>'spans',
                  e.value->>'heading', e.value->>'terms' from json_each(cast($chunks as text)) as e where ${HELD}`,
          params: { ...leaseParams(lease), chunks: JSON.stringify(rows) },
        },
        fullText.add(lease, range),
        ...countTerms(
          lease,
          chunks.map(({ terms }) => terms),
          1,
        ),
        ...putSentences(lease, modelId, chunks),
      ]);
    },

    async finish(lease, document) {
      const params = leaseParams(lease);
      const { title, pages, chunks, terms, modelId, dimensions, indexVersion, vectors, sentences } = document;
      const pagesWithoutText = JSON.stringify(document.pagesWithoutText);
      await writeLeased(
        db,
        lease,
        [
          {
            sql: `update document set status = 'indexed', error = null, title = $title, pages = $pages,
                    pages_without_text = $pagesWithoutText, chunks = $chunks, terms = $terms, model_id = $modelId,
                    dimensions = $dimensions, index_version = $indexVersion
                  where id = $documentId and ${HELD}`,
            params: {
              ...params,
              title,
              pages,
              pagesWithoutText,
              chunks,
              terms,
              modelId,
              dimensions,
              indexVersion,
            },
          },
          {
            sql: `insert into document_vectors (document_id, vectors, sentences)
                  select d.id, $vectors, $sentences from document as d where d.id = $documentId and ${HELD}`,
            params: { ...params, vectors, sentences },
          },
          ...logChange(HELD, params),
        ],
        { isDone: true },
      );
    },

    async clear(lease) {
      const params = leaseParams(lease);
      // Words are removed from the index of one owner.
      await moveWords(lease);
      for (;;) {
        const rows = await db.query<{ ordinal: number; terms: string }>(
          `select ordinal, terms from document_chunk where document_id = $documentId order by ordinal limit ${SLICE_CHUNKS}`,
          { documentId: lease.documentId },
        );
        const [first, last] = [rows[0], rows.at(-1)];
        if (first === undefined || last === undefined) break;
        const range = { first: Number(first.ordinal), last: Number(last.ordinal) };
        await writeLeased(db, lease, [
          fullText.remove(lease, range),
          ...countTerms(
            lease,
            rows.map(({ terms }) => terms.split(" ")),
            -1,
          ),
          {
            sql: `delete from document_sentence where document_id = $documentId and ordinal between $first and $last and ${HELD}`,
            params: { ...params, ...range },
          },
          {
            sql: `delete from document_chunk where document_id = $documentId and ordinal between $first and $last and ${HELD}`,
            params: { ...params, ...range },
          },
        ]);
      }
      for (;;) {
        const [removed] = await writeLeased(db, lease, [
          {
            sql: `delete from document_page where document_id = $documentId and ${HELD} and page <=
                    (select max(page) from (select page from document_page where document_id = $documentId
                                            order by page limit ${SLICE_PAGES}) as first)
                  returning page`,
            params,
          },
        ]);
        if ((removed?.length ?? 0) < SLICE_PAGES) break;
      }
      await writeLeased(db, lease, [
        { sql: `delete from document_vectors where document_id = $documentId and ${HELD}`, params },
      ]);
    },
  };
}
