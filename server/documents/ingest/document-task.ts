import type { RunnableWorkflow } from "../../engine/engine-api.ts";
import { AppError } from "../../lib/errors.ts";

/** The lane of the tasks that process documents. Such a task has its document's id, and no list of tasks shows it. */
export const INGESTION_LANE = "ingestion";

/** Slots of their own for documents that take long, so that small documents of other owners do not wait for them. */
export const LARGE_INGESTION_LANE = "ingestion_large";

export const INGESTION_LANES: readonly string[] = [INGESTION_LANE, LARGE_INGESTION_LANE];

/** Larger files start in the lane of large documents. */
export const LARGE_DOCUMENT_BYTES = 1_000_000;

/** The graph that all of them run. */
export const ingestionWorkflow: RunnableWorkflow = {
  id: "ingestion",
  ownerId: "",
  name: "Ingestion",
  version: 1,
  graph: { steps: [{ stepId: "ingestion", type: "ingestion" }], edges: [] },
};

/**
 * The right to write into a document: one claim of its task. The next claim and a deletion raise the task's epoch, and
 * a write that carries an older one is refused, so a process that was suspended leaves nothing behind.
 */
export interface DocumentLease {
  documentId: string;
  ownerId: string;
  epoch: number;
}

/**
 * A request that works on a document itself (storing an upload, deleting) makes the task due this much later. If the
 * process dies, the engine finishes the work; deleting 10,000 passages takes about 10 s.
 */
export const HANDOVER_MS = 5 * 60_000;

const LEASE_LOST = "document_taken_over";

/** Thrown by every write whose lease has ended. */
export function leaseLost(): AppError {
  return new AppError(LEASE_LOST, "Another process has taken over the document.");
}

export function isLeaseLost(error: unknown): boolean {
  return error instanceof AppError && error.code === LEASE_LOST;
}
