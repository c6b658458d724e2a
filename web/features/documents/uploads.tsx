import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { uploadDocument } from "../../api/documents.ts";

interface UploadState {
  id: number;
  name: string;
  sent: number;
  error?: string;
}

let nextId = 1;

function refresh(client: QueryClient): void {
  for (const noun of ["documents", "collections"]) void client.invalidateQueries({ queryKey: [noun] });
}

export function useUploads() {
  const client = useQueryClient();
  const [uploads, setUploads] = useState<readonly UploadState[]>([]);
  const upload = useCallback(
    (files: readonly File[], target: { tags: readonly string[]; collectionId?: string | undefined }) => {
      for (const file of files) {
        const id = nextId++;
        const change = (next: Partial<UploadState>): void =>
          setUploads((all) => all.map((entry) => (entry.id === id ? { ...entry, ...next } : entry)));
        setUploads((all) => [
          ...all.filter(({ error }) => error === undefined),
          { id, name: file.name, sent: 0 },
        ]);
        uploadDocument(file, target, (sent) => change({ sent }))
          .then(() => setUploads((all) => all.filter((entry) => entry.id !== id)))
          .catch((error: unknown) => change({ error: messageOf(error) }))
          .finally(() => refresh(client));
      }
    },
    [client],
  );
  return { uploads, upload };
}

export function UploadList({ uploads }: { uploads: readonly UploadState[] }) {
  return (
    <>
      {uploads.map(({ id, name, sent, error }) =>
        error === undefined ? (
          <div key={id} className="card pad stack tight">
            <div className="row small">
              <span className="grow ellipsis">{name}</span>
              <span className="muted">uploading {Math.round(sent * 100)} %</span>
            </div>
            <div
              className="meter"
              role="progressbar"
              aria-label={`Uploading ${name}`}
              aria-valuenow={Math.round(sent * 100)}
            >
              <i style={{ width: `${sent * 100}%` }} />
            </div>
          </div>
        ) : (
          <div key={id} className="notice bad" role="alert">
            <span>
              <b>{name}</b>: {error}
            </span>
          </div>
        ),
      )}
    </>
  );
}
