import type { DocumentRecord } from "./store/document-record.ts";

interface UploadReply {
  status: 200 | 201 | 202;
  body: { ok: true; document_id: string; chunks_created: number; status: "processing" | "indexed" };
}

/** 201 for a new document, 200 for known bytes, 202 while it is ingested. */
export function uploadReply({ id, status, chunks }: DocumentRecord, created: boolean): UploadReply {
  const processing = status === "processing";
  return {
    status: processing ? 202 : created ? 201 : 200,
    body: {
      ok: true,
      document_id: id,
      chunks_created: chunks,
      status: processing ? "processing" : "indexed",
    },
  };
}
