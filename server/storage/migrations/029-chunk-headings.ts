import type { Migration } from "../migrate.ts";

/** The headings above a chunk. Chunks of earlier versions have none. */
export const chunkHeadings: Migration = {
  version: 29,
  name: "chunk headings",
  statements: ["alter table document_chunk add column heading text"],
};
