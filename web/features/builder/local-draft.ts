import type { Draft } from "../../flow/draft.ts";

/** What could not be saved yet: it waits in this browser, with the version it was made on. */
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
    const kept = JSON.parse(text) as Partial<LocalDraft> | null;
    return Array.isArray(kept?.draft?.steps) &&
      Array.isArray(kept.base?.steps) &&
      typeof kept.baseVersion === "number"
      ? (kept as LocalDraft)
      : undefined;
  } catch {
    return undefined;
  }
}

export function storeLocalDraft(workflowId: string, draft: LocalDraft): void {
  try {
    localStorage.setItem(keyOf(workflowId), JSON.stringify(draft));
  } catch {
    // Full storage: the draft is still on the screen, and the next save may succeed.
  }
}

export function deleteLocalDraft(workflowId: string): void {
  localStorage.removeItem(keyOf(workflowId));
}
