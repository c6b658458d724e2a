import type { Db, Statement } from "../../storage/db.ts";
import { logChange } from "./changes.sql.ts";
import type { ChunkIndex, ContentStore } from "./content-store.ts";
import type { FullTextIndex } from "./full-text.sql.ts";
import type { DocumentLease } from "../ingest/document-task.ts";
import { HELD, leaseParams, writeLeased } from "./lease.sql.ts";
import { putSentences } from "./sentences.sql.ts";
import { countTerms } from "./terms.sql.ts";

/** Writes that replace the terms and vectors of an indexed document while it stays searchable. */
export function createReindexWrites(
  db: Db,
  fullText: FullTextIndex,
): Pick<ContentStore, "replaceChunks" | "finishReindex"> {
  /** Nothing where the terms are the same: a chunk leaves the full-text index in about 0.8 ms. */
  async function replaceTerms(lease: DocumentLease, chunks: readonly ChunkIndex[]): Promise<Statement[]> {
    const range = { first: chunks[0]?.ordinal ?? 0, last: chunks.at(-1)?.ordinal ?? -1 };
    const stored = await db.query<{ terms: string }>(
      `select terms from document_chunk where document_id = $documentId and ordinal between $first and $last
       order by ordinal`,
      { documentId: lease.documentId, ...range },
    );
    const rows = chunks.map(({ ordinal, terms }) => ({ ordinal, terms: terms.join(" ") }));
    if (rows.every(({ terms }, i) => terms === stored[i]?.terms)) return [];
    return [
      fullText.remove(lease, range),
      ...countTerms(
        lease,
        stored.map(({ terms }) => terms.split(" ")),
        -1,
      ),
      {
        sql: `update document_chunk set terms = (select e.value->>'terms' from json_each(cast($rows as text)) as e
                where cast(e.value->>'ordinal' as bigint) = document_chunk.ordinal)
              where document_id = $documentId and ordinal between $first and $last and ${HELD}`,
        params: { ...leaseParams(lease), ...range, rows: JSON.stringify(rows) },
      },
      fullText.add(lease, range),
      ...countTerms(
        lease,
        chunks.map(({ terms }) => terms),
        1,
      ),
    ];
  }

  return {
    async replaceChunks(lease, modelId, chunks) {
      await writeLeased(db, lease, [
        ...(await replaceTerms(lease, chunks)),
        ...putSentences(lease, modelId, chunks),
      ]);
    },

    async finishReindex(lease, { modelId, dimensions, vectors, sentences, indexVersion, terms }) {
      const params = leaseParams(lease);
      await writeLeased(
        db,
        lease,
        [
          {
            sql: `update document set model_id = $modelId, dimensions = $dimensions, index_version = $indexVersion, terms = $terms,
                    error = null
                  where id = $documentId and ${HELD}`,
            params: { ...params, modelId, dimensions, indexVersion, terms },
          },
          {
            sql: `update document_vectors set vectors = $vectors, sentences = $sentences where document_id = $documentId and ${HELD}`,
            params: { ...params, vectors, sentences },
          },
          ...logChange(HELD, params),
        ],
        { isDone: true },
      );
    },
  };
}
