import { localValues } from "../../api/browser-storage.ts";
import type { Draft } from "../../flow/draft.ts";

/** What the service has: the draft, or the live version while there is none. */
export interface Saved {
  /** Null while there is no draft on the service. */
  revision: number | null;
  /** The live version that the draft changes. */
  baseVersion: number;
  draft: Draft;
}

/** An unsaved draft in this browser, with what the service had when it was edited. */
export interface LocalDraft {
  base: Saved;
  draft: Draft;
}

const keyOf = (workflowId: string): string => `baton.draft.${workflowId}`;

export function readLocalDraft(workflowId: string): LocalDraft | undefined {
  const stored = localValues.readJson(keyOf(workflowId)) as Partial<LocalDraft> | undefined;
  return Array.isArray(stored?.draft?.steps) &&
    Array.isArray(stored.base?.draft?.steps) &&
    typeof stored.base.baseVersion === "number"
    ? (stored as LocalDraft)
    : undefined;
}

export function storeLocalDraft(workflowId: string, draft: LocalDraft): void {
  localValues.save(keyOf(workflowId), JSON.stringify(draft));
}

export function deleteLocalDraft(workflowId: string): void {
  localValues.remove(keyOf(workflowId));
}
