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
  const text = localStorage.getItem(keyOf(workflowId));
  if (text === null) return undefined;
  try {
    const stored = JSON.parse(text) as Partial<LocalDraft> | null;
    return Array.isArray(stored?.draft?.steps) &&
      Array.isArray(stored.base?.draft?.steps) &&
      typeof stored.base.baseVersion === "number"
      ? (stored as LocalDraft)
      : undefined;
  } catch {
    return undefined;
  }
}

export function storeLocalDraft(workflowId: string, draft: LocalDraft): void {
  try {
    localStorage.setItem(keyOf(workflowId), JSON.stringify(draft));
  } catch {
    // Storage is full: the draft is still in memory, and the next save may succeed.
  }
}

export function deleteLocalDraft(workflowId: string): void {
  localStorage.removeItem(keyOf(workflowId));
}
