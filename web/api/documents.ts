import type { DocumentQueryEvent, DocumentSource, DocumentView } from "../../contract/documents.ts";
import { useQuery } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { authHeaders } from "./auth-token.ts";
import { openStream, request, typed } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { useAll, usePages } from "./pages.ts";
import { readEvents } from "./read-events.ts";
import type { Responses } from "./responses.ts";

export type { DocumentSource, DocumentView };
export type DocumentAnswer = Responses["documentQuery"];

const POLL_MS = 700;
const UPLOAD_PATH = "/api/v1/documents/upload?async=true";

const source = { noun: "documents", path: "/api/v1/documents" } as const;

/** Polls only while a document is being ingested. */
const poll = {
  pollMs: (list: readonly DocumentView[]) =>
    list.some(({ status }) => status === "processing") ? POLL_MS : (false as const),
};

export function useDocuments() {
  return useAll(source, poll);
}

/** Settings of the service, which change only when it restarts. */
export function useTextDestinations() {
  return useQuery({
    queryKey: ["text-destinations"],
    queryFn: async () => (await request("textDestinations", "/api/v1/documents/destinations")).destinations,
    staleTime: Infinity,
  });
}

export function useDocumentPages(tag: string, collection: string) {
  return usePages({ ...source, filter: { tag, collection_id: collection } }, poll);
}

export function useDocument(id: string) {
  return useQuery({
    queryKey: ["documents", "one", id],
    queryFn: () => request("document", `/api/v1/documents/${id}`),
  });
}

export function useDocumentPage(id: string, page: number) {
  return useQuery({
    queryKey: ["documents", "page", id, page],
    queryFn: () => request("documentPage", `/api/v1/documents/${id}/pages/${page}`),
    staleTime: Infinity,
  });
}

/** Returns the id of the new document. */
export async function addDocumentFromUrl(url: string, tags: readonly string[]): Promise<string> {
  const metadata = tags.length === 0 ? {} : { metadata: { tags } };
  const { document_id } = await request("documentUpload", "/api/v1/documents/url?async=true", {
    body: { url, ...metadata },
  });
  return document_id;
}

/** What a question searches; all of the user's documents when empty. */
export interface QuestionScope {
  document_ids?: readonly string[];
  collection_ids?: readonly string[];
}

const QUERY_PATH = "/api/v1/documents/query?stream=true";

/** Asks a question and reads the answer while it is written. Throws the error of a `failed` event. */
export async function* streamAnswer(
  question: QuestionScope & { query: string; history: { question: string; answer: string }[] },
  signal: AbortSignal,
): AsyncGenerator<Exclude<DocumentQueryEvent, { event: "failed" }>> {
  for await (const { name, data } of readEvents(await openStream(QUERY_PATH, question, signal))) {
    const fields = JSON.parse(data) as object;
    const event = await typed("documentQueryEvent", QUERY_PATH, { event: name, ...fields });
    if (event.event === "failed") throw new ApiError(0, { ...event });
    yield event;
  }
}

export async function saveDocumentTags(id: string, tags: readonly string[]): Promise<void> {
  await request("document", `/api/v1/documents/${id}`, { method: "PATCH", body: { tags } });
}

export async function deleteDocument(id: string): Promise<void> {
  await request("ok", `/api/v1/documents/${id}`, { method: "DELETE" });
}

/** URL and headers for the PDF reader, which sends its own range requests. */
export function documentFile(id: string): { url: string; httpHeaders: Record<string, string> } {
  return { url: `/api/v1/documents/${id}/file`, httpHeaders: authHeaders() };
}

/** Returns the id of the new document. XMLHttpRequest reports upload progress; fetch does not. */
export async function uploadDocument(
  file: File,
  { tags, collectionId }: { tags: readonly string[]; collectionId?: string | undefined },
  onProgress: (share: number) => void,
): Promise<string> {
  const form = new FormData();
  form.set("metadata", JSON.stringify({ title: file.name, ...(tags.length === 0 ? {} : { tags }) }));
  if (collectionId !== undefined) form.set("collection_id", collectionId);
  form.set("file", file);
  const body = await new Promise<Record<string, unknown>>((resolve, reject) => {
    const upload = new XMLHttpRequest();
    upload.open("POST", UPLOAD_PATH);
    for (const [name, value] of Object.entries(authHeaders())) upload.setRequestHeader(name, value);
    upload.responseType = "json";
    upload.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress(total === 0 ? 0 : loaded / total),
    );
    upload.addEventListener("load", () => {
      const response = (upload.response ?? {}) as Record<string, unknown>;
      if (upload.status < 300) resolve(response);
      else reject(new ApiError(upload.status, response));
    });
    upload.addEventListener("error", () =>
      reject(
        new ApiError(0, { message: "The file could not be uploaded. Check the connection and try again." }),
      ),
    );
    upload.send(form);
  });
  return (await typed("documentUpload", UPLOAD_PATH, body)).document_id;
}

export function useDocumentMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["documents"], mutate, onSuccess);
}
