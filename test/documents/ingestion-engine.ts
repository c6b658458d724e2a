import { limitsOf } from "../../server/limits/testing/limits-of.ts";
import type { Documents } from "../../server/documents/documents.ts";
import { INGESTION_LANES, ingestionWorkflow } from "../../server/documents/ingest/document-task.ts";
import { createEngine } from "../../server/engine/engine.ts";
import type { Engine } from "../../server/engine/engine-api.ts";
import { createBlobs } from "../../server/lib/blob-store.ts";
import { systemClock } from "../../server/lib/clock.ts";
import type { Db } from "../../server/storage/db.ts";
import { createEngineStore } from "../../server/storage/engine/engine-store.ts";
import { createPeers } from "../../server/storage/engine/peers.ts";
import { createFolderStores } from "../../server/storage/files/folder-store.ts";

export interface IngestionEngineOptions {
  db: Db;
  folder: string;
  documents: Documents;
  /** Unset: this process is the only one. */
  leaseMs?: number;
  /** Whether processes send each other hints. */
  hints?: boolean;
  slots?: number;
}

/** The engine with the lanes of documents alone: no workflow, no other step. */
export async function startIngestionEngine({
  db,
  folder,
  documents,
  leaseMs,
  hints = false,
  slots = 2,
}: IngestionEngineOptions): Promise<Engine> {
  const { step, beforeFail } = documents.ingestion;
  const engine = await createEngine({
    limits: limitsOf(),
    store: createEngineStore(db),
    blobs: createBlobs(createFolderStores(folder).area("blobs")),
    clock: systemClock,
    runners: new Map(),
    controls: { ingestion: step },
    beforeFail,
    lanes: Object.fromEntries(INGESTION_LANES.map((lane) => [lane, slots])),
    approvalUrl: (linkId) => `http://127.0.0.1/a/${linkId}`,
    resumeUrl: () => "",
    evaluate: () => Promise.resolve([]),
    vault: { variables: () => Promise.resolve({}), secrets: () => Promise.resolve({}) },
    loadWorkflow: () => Promise.resolve(ingestionWorkflow),
    currentWorkflow: () => Promise.resolve(ingestionWorkflow),
    concurrency: 1,
    quarantineMs: 0,
    closeGraceMs: 5000,
    ...(leaseMs !== undefined && { leaseMs }),
    ...(hints && { peers: createPeers(db) }),
    onError: () => undefined,
  });
  engine.claimTasks();
  return engine;
}
