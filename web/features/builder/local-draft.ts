import type { Draft } from "../../flow/draft.ts";

/** An unsaved draft in this browser, with the version it is based on. */
export interface LocalDraft {
  baseVersion: number;
  base: Draft;
  draft: Draft;
}

const keyOf = (workflowId: string): string => `baton.draft.${workflowId}`;

export function readLocalDraft(workflowId: string): LocalDraft | undefined {
  const text = localStorage.getItem(keyOf(workflowId));
  if (text === null) return undefined;
  try {
    const stored = JSON.parse(text) as Partial<LocalDraft> | null;
    return Array.isArray(stored?.draft?.steps) &&
      Array.isArray(stored.base?.steps) &&
      typeof stored.baseVersion === "number"
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
