import type { DocumentSource } from "../../api/documents.ts";

/** The page that is shown beside the answer. */
export interface OpenPage {
  documentId: string;
  title: string;
  page: number;
  /** The page in words, in a file without printed pages. */
  location?: string | undefined;
  /** The passage to highlight on a PDF. */
  boxes: DocumentSource["boxes"];
  /** The passage to highlight in a text. */
  quote?: { start: number; end: number };
}

export function openPageOf({
  document_id,
  title,
  page,
  location,
  boxes,
  start,
  end,
}: DocumentSource): OpenPage {
  return { documentId: document_id, title, page, location, boxes, quote: { start, end } };
}

/** "page 3", or what the file has instead of pages: "slide 3", "section Refunds". */
export function placeOf({ page, location }: { page: number; location?: string | undefined }): string {
  return location ?? `page ${page}`;
}
