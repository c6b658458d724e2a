import type { DocumentMetadata } from "../../../contract/documents.ts";
import type { Clock } from "../../lib/clock.ts";
import { knownErrorCode } from "../../../contract/errors.ts";
import { AppError, unavailable } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import { isClaimLost } from "./document-claim.ts";
import type { ReceivedFile } from "../store/document-files.ts";
import { type DocumentRecord, type DocumentStore, unread } from "../store/document-record.ts";
import { documentDeleted } from "./ingest.ts";
import type { Ingestion } from "./ingestion.ts";

export interface Upload {
  file: ReceivedFile;
  fileName: string;
  metadata: DocumentMetadata;
  /** False: answer as soon as the record is there. */
  wait: boolean;
}

export interface UploadsDeps {
  records: Pick<DocumentStore, "begin" | "byHash" | "owned">;
  ingestion: Ingestion;
  clock: Clock;
  /** Resolves when a document has changed or may have, in whichever process. */
  news(): Promise<void>;
}

interface Arrival {
  document: DocumentRecord;
  created: boolean;
  /** Undefined when it is not this process that takes it in. */
  end: Promise<void> | undefined;
}

const MAX_TRIES = 5;

/** Takes hold of the file whatever happens. The same bytes give the same document: `created` is false then. */
export function createUploads({ records, ingestion, clock, news }: UploadsDeps) {
  // Two uploads of the same bytes at once: the second waits until the first has its record.
  const arrivals = new Map<string, Promise<unknown>>();

  async function arrive(ownerId: string, upload: Upload): Promise<Arrival> {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const known = await records.byHash(ownerId, upload.file.sha256);
      if (known && known.status !== "failed")
        return { document: known, created: false, end: ingestion.underWay(known.id) };
      // The same bytes after a failure are another try.
      if (known) await ingestion.remove(known).catch(unlessGone);
      const document = newDocument(ownerId, upload, clock.now());
      // Otherwise they have just come to another process, too.
      if (!(await records.begin(document))) continue;
      const { kept, end } = ingestion.start(document, { file: upload.file, keepFailure: !upload.wait });
      // Whoever waits hears of a failure below; otherwise the record tells it.
      end.catch(() => {});
      await kept;
      return { document, created: true, end };
    }
    throw unavailable("The same file is just being uploaded; try again.");
  }

  function inTurn<T>(key: string, act: () => Promise<T>): Promise<T> {
    const turn = (arrivals.get(key) ?? Promise.resolve()).then(act, act);
    arrivals.set(key, turn);
    const leave = (): void => {
      if (arrivals.get(key) === turn) arrivals.delete(key);
    };
    turn.then(leave, leave);
    return turn;
  }

  /** The record when it is in, whichever process has brought it there. */
  async function settled({ id, ownerId }: DocumentRecord): Promise<DocumentRecord> {
    for (;;) {
      const document = await records.owned(id, ownerId).catch(unlessGone);
      if (document === undefined) throw documentDeleted();
      if (document.error) throw new AppError(knownErrorCode(document.error.code), document.error.message);
      if (document.status === "indexed") return document;
      await news();
    }
  }

  return async (ownerId: string, upload: Upload): Promise<{ document: DocumentRecord; created: boolean }> => {
    try {
      const key = `${ownerId} ${upload.file.sha256}`;
      const { document, created, end } = await inTurn(key, () => arrive(ownerId, upload));
      if (!upload.wait) return { document, created };
      await end?.catch((error: unknown) => {
        if (!isClaimLost(error)) throw error;
      });
      return { document: await settled(document), created };
    } finally {
      // Gone already when it was kept.
      await upload.file.discard();
    }
  };
}

function newDocument(ownerId: string, { file, fileName, metadata }: Upload, now: number): DocumentRecord {
  return unread({
    id: createId("doc"),
    ownerId,
    sha256: file.sha256,
    title: metadata.title ?? titleFrom(fileName),
    metadata,
    bytes: file.bytes,
    createdAt: now,
  });
}

/** The name of a file is the uploader's text: without its folders, its ending and what is not printed. */
function titleFrom(fileName: string): string {
  const name = fileName.split(/[/\\]/).at(-1) ?? "";
  const tidy = name
    .replace(/\.pdf$/i, "")
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, " ")
    .trim();
  return tidy.slice(0, 300) || "Untitled";
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === "document_not_found")) throw error;
}
