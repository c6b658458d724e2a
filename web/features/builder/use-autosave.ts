import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, messageOf } from "../../api/api-error.ts";
import { connection } from "../../api/connection.ts";
import { cacheDraft, readDraft, saveDraft, type WorkflowDraft } from "../../api/drafts.ts";
import type { Workflow } from "../../api/types.ts";
import { readWorkflow } from "../../api/workflows.ts";
import { type Draft, draftOf } from "../../flow/draft.ts";
import { deleteLocalDraft, type Saved, storeLocalDraft } from "./local-draft.ts";

export type SaveState =
  | { kind: "saved" }
  | { kind: "dirty" }
  | { kind: "saving" }
  /** Stored in this browser only; retried. */
  | { kind: "unsaved"; reason: string }
  /** Somebody else saved first, and the user has to choose. */
  | { kind: "conflict" };

const SAVE_DELAY_MS = 900;
const RETRY_MS = 5000;

export function savedOf(workflow: Workflow, draft: WorkflowDraft | null): Saved {
  return draft === null
    ? { revision: null, baseVersion: workflow.version, draft: draftOf(workflow) }
    : { revision: draft.revision, baseVersion: draft.baseVersion, draft: draftOf(draft) };
}

interface AutosaveOptions {
  workflow: Workflow;
  draft: Draft;
  /** What editing started from. */
  initial: Saved;
  onConflict: (theirs: Saved, base: Draft) => void;
}

/** Saves the draft 0.9 s after the last edit, also with problems. Unsaved drafts are stored in the browser. */
export function useAutosave({ workflow, draft, initial, onConflict }: AutosaveOptions) {
  const client = useQueryClient();
  const [saved, setSaved] = useState<Saved>(initial);
  const [state, setState] = useState<SaveState>({ kind: "saved" });
  const latest = useRef({ draft, saved, onConflict });
  latest.current = { draft, saved, onConflict };
  const inFlight = useRef<Promise<boolean> | undefined>(undefined);

  const setBase = useCallback((next: Saved): void => {
    setSaved(next);
    latest.current.saved = next;
  }, []);

  const saveOnce = useCallback(async (): Promise<boolean> => {
    const { draft: mine, saved: base } = latest.current;
    if (mine === base.draft) return true;
    // Stored before the request: a tab closed during the save loses nothing.
    storeLocalDraft(workflow.id, { base, draft: mine });
    setState({ kind: "saving" });
    try {
      const { name, description, ...metadata } = mine;
      const { revision, baseVersion } = base;
      const stored = await saveDraft(workflow.id, { name, description, metadata, revision, baseVersion });
      setBase({ revision: stored.revision, baseVersion: stored.baseVersion, draft: mine });
      deleteLocalDraft(workflow.id);
      setState({ kind: latest.current.draft === mine ? "saved" : "dirty" });
      cacheDraft(client, workflow.id, stored);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === "version_conflict") {
        setState({ kind: "conflict" });
        const [live, theirs] = await Promise.all([readWorkflow(workflow.id), readDraft(workflow.id)]);
        latest.current.onConflict(savedOf(live, theirs), base.draft);
      } else setState({ kind: "unsaved", reason: messageOf(error) });
      return false;
    }
  }, [client, workflow.id, setBase]);

  /** Saves never overlap: two requests with one base revision would conflict with each other. */
  const save = useCallback(async (): Promise<boolean> => {
    while (inFlight.current !== undefined) await inFlight.current;
    inFlight.current = saveOnce();
    try {
      return await inFlight.current;
    } finally {
      inFlight.current = undefined;
    }
  }, [saveOnce]);

  useEffect(() => {
    if (draft === latest.current.saved.draft) {
      setState({ kind: "saved" });
      return;
    }
    setState({ kind: "dirty" });
    const timer = setTimeout(() => void save(), SAVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [draft, save]);

  const isUnsaved = state.kind === "unsaved";
  useEffect(() => {
    if (!isUnsaved) return;
    const timer = setInterval(() => void save(), RETRY_MS);
    return () => clearInterval(timer);
  }, [isUnsaved, save]);

  useEffect(() => {
    const unsubscribe = connection.onRestored(() => void save());
    return () => {
      unsubscribe();
      void save();
    };
  }, [save]);

  /** Read after a save: `saved` of the render that started it is older. */
  const current = useCallback(() => latest.current.saved, []);
  return { state, saved, current, save, rebase: setBase };
}
