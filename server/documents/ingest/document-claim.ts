import { AppError } from "../../lib/errors.ts";

/**
 * The right to write into a document, held by one process at a time. Every claim raises the epoch, and a write that
 * carries an older one is refused: a process that slept through its claim leaves nothing behind.
 */
export interface Claim {
  documentId: string;
  ownerId: string;
  epoch: number;
}

export function claimOf(document: { id: string; ownerId: string; epoch: number }): Claim {
  return { documentId: document.id, ownerId: document.ownerId, epoch: document.epoch };
}

const CLAIM_LOST = "document_taken_over";

/** Thrown by every write whose claim is another's by now, or whose document is gone. */
export function claimLost(): AppError {
  return new AppError(CLAIM_LOST, "Another process has taken the document over.");
}

export function isClaimLost(error: unknown): boolean {
  return error instanceof AppError && error.code === CLAIM_LOST;
}
