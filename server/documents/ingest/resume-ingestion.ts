import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { RENEWALS_A_LEASE } from "./claim-keeper.ts";
import { claimOf, isClaimLost } from "./document-claim.ts";
import type { DocumentFiles } from "../store/document-files.ts";
import type { DocumentRecord, DocumentStore } from "../store/document-record.ts";
import type { Ingestion } from "./ingestion.ts";

export interface TakeUpDeps {
  records: Pick<DocumentStore, "claimAbandoned" | "releaseAll">;
  files: Pick<DocumentFiles, "has" | "sweep">;
  ingestion: Ingestion;
  clock: Clock;
  leaseMs?: number | undefined;
  onError(error: unknown, what: string): void;
}

/** Goes on with what other processes have left in the middle: takes in anew, or removes to the end. */
export interface TakeUp {
  /** Resolves after the first look; among several processes there is another now and then. */
  begin(): Promise<void>;
  /** Somebody may have left something just now. */
  look(): void;
  close(): Promise<void>;
}

const MAX_ATTEMPTS = 3;

export function createTakeUp({ records, files, ingestion, clock, leaseMs, onError }: TakeUpDeps): TakeUp {
  const isAlone = leaseMs === undefined;
  let prepared: Promise<void> | undefined;
  let closing = false;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function look(): Promise<void> {
    looking ??= takeUpAll()
      .catch((error: unknown) => onError(error, "going on with unfinished documents"))
      .finally(() => (looking = undefined));
    return looking;
  }

  /** One after the other, each claimed when its turn has come: the rest is for other processes. */
  async function takeUpAll(): Promise<void> {
    await prepared;
    while (!closing) {
      // Alone, only what was released at the start is anybody's; everything claimed since is our own.
      const renewedBefore = isAlone ? 1 : clock.now() - leaseMs;
      const document = await records.claimAbandoned(renewedBefore, clock.now());
      if (document === undefined) return;
      await goOnWith(document).catch((error: unknown) => {
        if (!closing && !isClaimLost(error)) onError(error, `going on with document ${document.id}`);
      });
    }
  }

  async function goOnWith(document: DocumentRecord): Promise<void> {
    if (document.status === "deleting") return ingestion.clearAway(claimOf(document));
    if (document.attempts > MAX_ATTEMPTS) {
      const message = `Taking it in ended the service ${MAX_ATTEMPTS} times.`;
      return ingestion.fail(document, new AppError("unreadable_document", message));
    }
    if (!(await files.has(document.id)))
      // Alone, it never arrived whole, and its sender was told nothing. Else it may stand on another machine's disk.
      return isAlone ? ingestion.remove(document) : ingestion.fail(document, fileMissing());
    await ingestion.start(document, { keepFailure: true }).end;
  }

  return {
    begin() {
      // Asked for before anything else: the first upload comes after it.
      const released = isAlone ? records.releaseAll() : Promise.resolve();
      prepared = released.then(() => files.sweep(isAlone));
      if (!isAlone) timer = setInterval(() => void look(), leaseMs / RENEWALS_A_LEASE).unref();
      return look();
    },
    look() {
      if (prepared) void look();
    },
    async close() {
      closing = true;
      clearInterval(timer);
      await looking;
    },
  };
}

function fileMissing(): AppError {
  return new AppError(
    "document_file_not_found",
    "Its file did not arrive whole, or stands where other processes do not find it; upload it again.",
  );
}
