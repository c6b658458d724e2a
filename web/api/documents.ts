import type { DocumentSource, DocumentView } from "../../contract/documents.ts";
import { ApiError, authHeaders, call } from "./client.ts";
import { useAll, usePages } from "./pages.ts";

export type { DocumentSource, DocumentView };

const WATCH_MS = 700;

const source = { noun: "documents", path: "/api/v1/documents" };

/** While one is being read, its progress is asked for; otherwise the list rests. */
const watch = {
  watchMs: (list: readonly DocumentView[]) =>
    list.some(({ status }) => status === "processing") ? WATCH_MS : (false as const),
};

export function useDocuments() {
  return useAll<DocumentView>(source, watch);
}

export function useDocumentPages(tag: string) {
  return usePages<DocumentView>({ ...source, filter: { tag } }, watch);
}

export interface DocumentAnswer {
  answer: string;
  sources: DocumentSource[];
  answered_by: string;
}

export async function askDocuments(query: string, documentIds: readonly string[]): Promise<DocumentAnswer> {
  return call("/api/v1/documents/query", {
    body: { query, ...(documentIds.length === 0 ? {} : { document_ids: documentIds }) },
  });
}

export async function deleteDocument(id: string): Promise<void> {
  await call(`/api/v1/documents/${id}`, { method: "DELETE" });
}

/** fetch cannot tell how much has been sent; XMLHttpRequest can. */
export function uploadDocument(
  file: File,
  tags: readonly string[],
  onSent: (share: number) => void,
): Promise<string> {
  const form = new FormData();
  form.set("metadata", JSON.stringify({ title: file.name, ...(tags.length === 0 ? {} : { tags }) }));
  form.set("file", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/v1/documents/upload?async=true");
    for (const [name, value] of Object.entries(authHeaders())) request.setRequestHeader(name, value);
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onSent(total === 0 ? 0 : loaded / total),
    );
    request.addEventListener("load", () => {
      const body = (request.response ?? {}) as Record<string, unknown>;
      if (request.status < 300 && typeof body["document_id"] === "string") resolve(body["document_id"]);
      else reject(new ApiError(request.status, body));
    });
    request.addEventListener("error", () =>
      reject(new ApiError(0, { message: "The file could not be sent. Check the connection and try again." })),
    );
    request.send(form);
  });
}
