import type { ContentStore } from "./content-store.ts";
import type { Db } from "../../storage/db.ts";
import { noteChange } from "./changes.sql.ts";
import { writeClaimed } from "./claimed-write.sql.ts";
import { countTerms } from "./terms.sql.ts";
import type { FullTextIndex } from "./full-text.sql.ts";
import { packRuns } from "./packed-runs.ts";

// Removal goes in slices, each a turn of the event loop. Taking a chunk out of the word index takes about 0.8 ms:
// 64 at once have held up everything else for 60.
const SLICE_CHUNKS = 16;
const SLICE_PAGES = 200;

type ContentWrites = Pick<ContentStore, "addPages" | "addChunks" | "finish" | "clear" | "replaceVectors">;

/** How a document comes in, gets other vectors, and is taken out again. */
export function createContentWrites(db: Db, fullText: FullTextIndex): ContentWrites {
  return {
    async addPages(claim, pages) {
      await writeClaimed(db, claim, [
        {
          sql: `insert into document_page (document_id, page, width, height, text, runs)
                select $1, cast(e.value->>'page' as bigint), cast(e.value->>'width' as double precision),
                  cast(e.value->>'height' as double precision), e.value->>'text', e.value->>'runs'
                from json_each(cast($2 as text)) as e`,
          params: [
            claim.documentId,
            JSON.stringify(pages.map((page) => ({ ...page, runs: JSON.stringify(packRuns(page.runs)) }))),
          ],
        },
      ]);
    },

    async addChunks(claim, chunks) {
      const { documentId, ownerId } = claim;
      const rows = chunks.map((chunk) => ({
        ...chunk,
        spans: JSON.stringify(chunk.spans),
        terms: chunk.terms.join(" "),
      }));
      await writeClaimed(db, claim, [
        {
          sql: `insert into document_chunk (document_id, ordinal, id, text, spans, terms)
                select $1, cast(e.value->>'ordinal' as bigint), e.value->>'id', e.value->>'text', e.value->>'spans',
                  e.value->>'terms' from json_each(cast($2 as text)) as e`,
          params: [documentId, JSON.stringify(rows)],
        },
        fullText.add(documentId, chunks[0]?.ordinal ?? 0, chunks.at(-1)?.ordinal ?? -1),
        ...countTerms(
          ownerId,
          chunks.map(({ terms }) => terms),
          1,
        ),
      ]);
    },

    async finish(claim, document) {
      const { documentId, modelId, dimensions, vectors } = document;
      await writeClaimed(db, claim, [
        {
          sql: `update document set status = 'indexed', error = null, title = $2, pages = $3, pages_without_text = $4,
                  chunks = $5, terms = $6, model_id = $7, dimensions = $8 where id = $1`,
          params: [
            documentId,
            document.title,
            document.pages,
            JSON.stringify(document.pagesWithoutText),
            document.chunks,
            document.terms,
            modelId,
            dimensions,
          ],
        },
        {
          sql: "insert into document_vectors (document_id, vectors) values ($1, $2)",
          params: [documentId, vectors],
        },
        ...noteChange(documentId),
      ]);
    },

    async clear(claim) {
      const { documentId, ownerId } = claim;
      for (;;) {
        const rows = await db.query<{ ordinal: number; terms: string }>(
          `select ordinal, terms from document_chunk where document_id = $1 order by ordinal limit ${SLICE_CHUNKS}`,
          [documentId],
        );
        const [first, last] = [rows[0], rows.at(-1)];
        if (first === undefined || last === undefined) break;
        await writeClaimed(db, claim, [
          fullText.remove(documentId, Number(first.ordinal), Number(last.ordinal)),
          ...countTerms(
            ownerId,
            rows.map(({ terms }) => terms.split(" ")),
            -1,
          ),
          {
            sql: "delete from document_chunk where document_id = $1 and ordinal between $2 and $3",
            params: [documentId, Number(first.ordinal), Number(last.ordinal)],
          },
        ]);
      }
      for (;;) {
        const [removed] = await writeClaimed(db, claim, [
          {
            sql: `delete from document_page where document_id = $1 and page in
                    (select page from document_page where document_id = $1 order by page limit ${SLICE_PAGES})
                  returning page`,
            params: [documentId],
          },
        ]);
        if ((removed?.length ?? 0) < SLICE_PAGES) break;
      }
      await writeClaimed(db, claim, [
        { sql: "delete from document_vectors where document_id = $1", params: [documentId] },
      ]);
    },

    async replaceVectors({ documentId, modelId, dimensions, vectors }) {
      // The record first, as everybody does: two who take the same rows in another order wait for each other.
      const [replaced] = await db.batch([
        {
          sql: "update document set model_id = $2, dimensions = $3 where id = $1 and status = 'indexed' returning id",
          params: [documentId, modelId, dimensions],
        },
        {
          sql: `update document_vectors set vectors = $2 where document_id = $1
                  and exists (select 1 from document as d where d.id = $1 and d.status = 'indexed')`,
          params: [documentId, vectors],
        },
        ...noteChange(documentId),
      ]);
      return replaced?.length === 1;
    },
  };
}
