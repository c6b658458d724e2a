import type { Statement } from "../../storage/db.ts";
import type { DocumentLease } from "../ingest/document-task.ts";
import type { ChunkIndex } from "./content-store.ts";
import { HELD, leaseParams } from "./lease.sql.ts";

/** Stores the sentence vectors of some chunks in place of older ones. Part of a leased write. */
export function putSentences(
  lease: DocumentLease,
  modelId: string,
  chunks: readonly Pick<ChunkIndex, "ordinal" | "sentences">[],
): Statement[] {
  return chunks.map(({ ordinal, sentences }) => ({
    sql: `insert into document_sentence (document_id, ordinal, model_id, vectors)
          select d.id, cast($ordinal as bigint), $modelId, $vectors from document as d where d.id = $documentId and ${HELD}
          on conflict (document_id, ordinal) do update set model_id = excluded.model_id, vectors = excluded.vectors`,
    params: { ...leaseParams(lease), modelId, ordinal, vectors: sentences },
  }));
}
