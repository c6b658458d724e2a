import type { PageSpan } from "../documents/chunk.ts";
import type { ContentStore, StoredVectors } from "../documents/document-content.ts";
import type { PageText, TextRun } from "../documents/extract/page-text.ts";
import type { StoredChunk } from "../documents/retrieve.ts";
import type { SearchScope } from "../documents/vector-index.ts";
import { notFound } from "../lib/errors.ts";
import type { Db, Row } from "./db.ts";
import { createDocumentChanges, noteChange } from "./document-changes.ts";
import { writeClaimed } from "./document-claim.ts";
import { countTerms, createLexicalStore } from "./document-terms.ts";
import type { DocumentWords } from "./document-words.ts";

// Removal goes in slices, each a turn of the event loop. Taking a chunk out of the word index takes about 0.8 ms:
// 64 at once have held up everything else for 60.
const SLICE_CHUNKS = 16;
const SLICE_PAGES = 200;

const within = ({ documentIds }: SearchScope, documentId: string): boolean =>
  !documentIds || documentIds.includes(documentId);

/** What stands in the documents: pages, chunks, words, vectors. */
export function createContentStore(db: Db, words: DocumentWords): ContentStore {
  return {
    ...createLexicalStore(db, words),
    ...createDocumentChanges(db),

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
        words.add(documentId, chunks[0]?.ordinal ?? 0, chunks.at(-1)?.ordinal ?? -1),
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
          words.remove(documentId, Number(first.ordinal), Number(last.ordinal)),
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

    // With `cross join` SQLite takes the tables as they stand. Left to itself it begins with every document of the
    // owner: a second for each question at 100,000 chunks.
    async chunks(scope, keys) {
      const inside = keys.filter(({ documentId }) => within(scope, documentId));
      const rows = await db.query(
        `select c.document_id, c.ordinal, c.id, c.text, c.spans, d.title
         from json_each(cast($2 as text)) as e cross join document as d cross join document_chunk as c
         where d.id = e.value->>'documentId' and d.owner_id = $1 and d.status = 'indexed'
           and c.document_id = d.id and c.ordinal = cast(e.value->>'ordinal' as bigint)`,
        [scope.ownerId, JSON.stringify(inside)],
      );
      return rows.map(toChunk);
    },

    async pages(scope, keys) {
      const inside = keys.filter(({ documentId }) => within(scope, documentId));
      const rows = await db.query(
        `select p.document_id, p.page, p.width, p.height, p.text, p.runs
         from json_each(cast($2 as text)) as e cross join document as d cross join document_page as p
         where d.id = e.value->>'documentId' and d.owner_id = $1 and d.status = 'indexed'
           and p.document_id = d.id and p.page = cast(e.value->>'page' as bigint)`,
        [scope.ownerId, JSON.stringify(inside)],
      );
      return rows.map((row) => ({ documentId: row["document_id"] as string, ...toPageText(row) }));
    },

    async chunk(documentId, chunkId) {
      const [row] = await db.query(
        `select c.document_id, c.ordinal, c.id, c.text, c.spans, d.title from document_chunk as c
         join document as d on d.id = c.document_id and d.status = 'indexed'
         where c.id = $2 and c.document_id = $1`,
        [documentId, chunkId],
      );
      if (row === undefined) throw notFound("chunk");
      return toChunk(row);
    },

    async chunkTexts(documentId) {
      const rows = await db.query<{ title: string; text: string }>(
        `select d.title, c.text from document as d join document_chunk as c on c.document_id = d.id
         where d.id = $1 and d.status = 'indexed' order by c.ordinal`,
        [documentId],
      );
      return { title: rows[0]?.title ?? "", texts: rows.map(({ text }) => text) };
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

    async vectors(model, afterId, limit) {
      const rows = await db.query(
        `select v.document_id, d.owner_id, d.model_id, d.dimensions, v.vectors
         from document_vectors as v join document as d on d.id = v.document_id
         where v.document_id > $1 and d.status = 'indexed' and d.model_id = $2 and d.dimensions = $3
         order by v.document_id limit $4`,
        [afterId, model.id, model.dimensions, limit],
      );
      return rows.map(toVectors);
    },

    async vectorsOf(model, documentIds) {
      const rows = await db.query(
        `select v.document_id, d.owner_id, d.model_id, d.dimensions, v.vectors
         from json_each(cast($1 as text)) as e cross join document as d cross join document_vectors as v
         where d.id = e.value and d.status = 'indexed' and d.model_id = $2 and d.dimensions = $3 and v.document_id = d.id`,
        [JSON.stringify(documentIds), model.id, model.dimensions],
      );
      return rows.map(toVectors);
    },
  };
}

function toChunk(row: Row): StoredChunk {
  return {
    documentId: row["document_id"] as string,
    ordinal: Number(row["ordinal"]),
    chunkId: row["id"] as string,
    title: row["title"] as string,
    text: row["text"] as string,
    spans: JSON.parse(row["spans"] as string) as PageSpan[],
  };
}

function toPageText(row: Row): PageText {
  return {
    page: Number(row["page"]),
    width: Number(row["width"]),
    height: Number(row["height"]),
    text: row["text"] as string,
    runs: unpackRuns(JSON.parse(row["runs"] as string) as number[]),
  };
}

function toVectors(row: Row): StoredVectors {
  return {
    documentId: row["document_id"] as string,
    ownerId: row["owner_id"] as string,
    modelId: row["model_id"] as string,
    dimensions: Number(row["dimensions"]),
    vectors: row["vectors"] as Uint8Array,
  };
}

// Six numbers a run: with their names they would take three times the room of the text itself.
function packRuns(runs: readonly TextRun[]): number[] {
  return runs.flatMap(({ start, end, box }) => [start, end, box.x, box.y, box.width, box.height]);
}

function unpackRuns(packed: readonly number[]): TextRun[] {
  const runs: TextRun[] = [];
  for (let i = 0; i < packed.length; i += 6) {
    const [start = 0, end = 0, x = 0, y = 0, width = 0, height = 0] = packed.slice(i, i + 6);
    runs.push({ start, end, box: { x, y, width, height } });
  }
  return runs;
}
