import type { Readable } from "node:stream";
import { notFound } from "../lib/errors.ts";
import { fileNameOf } from "./extract/detect-format.ts";
import { type Box, boxesOf, type PageText } from "./extract/page-text.ts";
import type { StoredChunk } from "./retrieve/retrieve.ts";
import { termsOf } from "./retrieve/terms.ts";
import type { ContentStore } from "./store/content-store.ts";
import type { DocumentFiles } from "./store/document-files.ts";
import type { DocumentReads } from "./store/document-record.ts";

export interface LocatedChunk extends StoredChunk {
  /** The boxes of each of its spans. */
  boxes: Box[][];
}

export interface DocumentFile {
  stream: Readable;
  bytes: number;
  mediaType: string;
  /** The title with the extension of its format. */
  name: string;
}

export interface DocumentPage extends Pick<PageText, "page" | "text" | "location"> {
  title: string;
  /** Number of pages of the document. */
  pages: number;
}

export interface DocumentPassage {
  documentId: string;
  title: string;
  page: number;
  text: string;
}

/** What is in the documents. A reader is their owner, or a workspace that reads them through a collection. */
export interface DocumentContent {
  /** Passages of the owner's documents that contain every word of the query, best first. No model is asked. */
  findPassages(ownerId: string, query: string, limit: number): Promise<DocumentPassage[]>;
  file(readerId: string, id: string): Promise<DocumentFile>;
  chunk(readerId: string, id: string, chunkId: string): Promise<LocatedChunk>;
  page(readerId: string, id: string, page: number): Promise<DocumentPage>;
}

export interface DocumentContentDeps {
  records: Pick<DocumentReads, "readable">;
  store: Pick<ContentStore, "searchTerms" | "chunks" | "chunk" | "pages">;
  files: Pick<DocumentFiles, "read">;
}

export function createDocumentContent({ records, store, files }: DocumentContentDeps): DocumentContent {
  return {
    async findPassages(ownerId, query, limit) {
      const terms = [...new Set(termsOf(query))];
      if (terms.length === 0) return [];
      const { keys } = await store.searchTerms({ ownerId }, terms, limit);
      const chunks = await store.chunks({ ownerId }, keys);
      const places = new Map(
        keys.map(({ documentId, ordinal }, place) => [`${documentId} ${ordinal}`, place]),
      );
      const placeOf = ({ documentId, ordinal }: StoredChunk) => places.get(`${documentId} ${ordinal}`) ?? 0;
      return chunks
        .filter(({ text }) => {
          const found = new Set(termsOf(text));
          return terms.every((term) => found.has(term));
        })
        .toSorted((a, b) => placeOf(a) - placeOf(b))
        .map((chunk) => ({
          documentId: chunk.documentId,
          title: chunk.title,
          page: pageOf(chunk, terms),
          text: chunk.text,
        }));
    },

    async file(readerId, id) {
      const { title, mediaType } = await records.readable(id, readerId);
      return { ...(await files.read(id)), mediaType, name: fileNameOf(title, mediaType) };
    },

    async chunk(readerId, id, chunkId) {
      const { ownerId } = await records.readable(id, readerId);
      const chunk = await store.chunk(id, chunkId);
      const keys = chunk.spans.map(({ page }) => ({ documentId: id, page }));
      const pages = new Map((await store.pages({ ownerId }, keys)).map((page) => [page.page, page]));
      const boxes = chunk.spans.map(({ page, start, end }) =>
        boxesOf(pages.get(page) ?? { runs: [], text: "" }, start, end),
      );
      return { ...chunk, boxes };
    },

    async page(readerId, id, number) {
      const { ownerId, title, pages } = await records.readable(id, readerId);
      const [page] = await store.pages({ ownerId }, [{ documentId: id, page: number }]);
      if (page === undefined) throw notFound("document_page", String(number));
      return { ...page, title, pages };
    },
  };
}

/** The page of a chunk on which the first of these terms is. */
function pageOf({ text, spans }: StoredChunk, terms: readonly string[]): number {
  const plain = text.toLowerCase();
  const places = terms.map((term) => plain.indexOf(term)).filter((place) => place >= 0);
  let end = 0;
  for (const span of spans) {
    end += span.end - span.start;
    if (places.length > 0 && Math.min(...places) < end) return span.page;
  }
  return spans.at(places.length > 0 ? -1 : 0)?.page ?? 1;
}
