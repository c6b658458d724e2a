import { useRef, useState } from "react";
import type { Draft } from "../../../flow/draft.ts";
import { mergeGraphs } from "../../../flow/merge-graphs.ts";
import { showToast } from "../../../ui/toasts.tsx";
import type { Saved } from "../local-draft.ts";

/** What somebody else saved, and what both edits started from. */
export interface SaveConflict {
  theirs: Saved;
  base: Draft;
}

interface ConflictDeps {
  draft: Draft;
  edit: (change: (draft: Draft) => Draft) => void;
}

/** Merges a draft with what somebody else saved; only fields that both changed are asked about. */
export function useConflicts({ draft, edit }: ConflictDeps) {
  const [open, setOpen] = useState<SaveConflict>();
  const latest = useRef(draft);
  latest.current = draft;
  const rebase = useRef<(theirs: Saved) => void>(() => undefined);

  function adopt(theirs: Saved, merged: Draft): void {
    // Rebased first: the edit then saves on top of the other state instead of conflicting again.
    rebase.current(theirs);
    edit(() => merged);
    setOpen(undefined);
  }

  function resolve(theirs: Saved, base: Draft): void {
    const mine = latest.current;
    const { graph, conflicts } = mergeGraphs(base, mine, theirs.draft);
    if (conflicts.length > 0) return setOpen({ theirs, base });
    adopt(theirs, { ...graph, ...mergeNames(base, mine, theirs.draft) });
    showToast("Changes made elsewhere were merged.");
  }

  return { open, resolve, adopt, close: () => setOpen(undefined), rebaseWith: rebase };
}

/** Name and description: the side that changed them, and mine when both did. */
export function mergeNames(base: Draft, mine: Draft, theirs: Draft): Pick<Draft, "name" | "description"> {
  return {
    name: mine.name === base.name ? theirs.name : mine.name,
    description: mine.description === base.description ? theirs.description : mine.description,
  };
}
