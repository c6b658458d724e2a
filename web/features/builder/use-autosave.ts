import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, messageOf } from "../../api/api-error.ts";
import { connection } from "../../api/connection.ts";
import type { Workflow } from "../../api/types.ts";
import { cacheWorkflow, readWorkflow, saveWorkflow } from "../../api/workflows.ts";
import { type Draft, draftOf } from "../../flow/draft.ts";
import { deleteLocalDraft, storeLocalDraft } from "./local-draft.ts";

export type SaveState =
  | { kind: "saved" }
  | { kind: "dirty" }
  | { kind: "saving" }
  /** Stored in this browser only: the graph has problems, or the service cannot be reached. */
  | { kind: "unsaved"; reason: string };

const SAVE_DELAY_MS = 900;

interface Saved {
  version: number;
  draft: Draft;
}

interface AutosaveOptions {
  workflow: Workflow;
  draft: Draft;
  valid: boolean;
  /** The version and draft that editing started from. */
  initial: Saved;
  onConflict: (theirs: Workflow, base: Draft) => void;
}

/** Saves 0.9 s after the last edit, based on the version it started from. Unsaved drafts are stored in the browser. */
export function useAutosave({ workflow, draft, valid, initial, onConflict }: AutosaveOptions) {
  const client = useQueryClient();
  const [saved, setSaved] = useState<Saved>(initial);
  const [state, setState] = useState<SaveState>({ kind: "saved" });
  const latest = useRef({ draft, saved, valid, onConflict });
  latest.current = { draft, saved, valid, onConflict };
  const inFlight = useRef<Promise<boolean> | undefined>(undefined);

  const saveOnce = useCallback(async (): Promise<boolean> => {
    const { draft: mine, saved: base, valid: isValid } = latest.current;
    if (mine === base.draft) return true;
    // Stored before the request: a tab closed during the save loses nothing.
    storeLocalDraft(workflow.id, { baseVersion: base.version, base: base.draft, draft: mine });
    if (!isValid) {
      setState({
        kind: "unsaved",
        reason: "Not saved: fix the problems first. Your draft is stored in this browser.",
      });
      return false;
    }
    setState({ kind: "saving" });
    try {
      const { name, description, ...metadata } = mine;
      const response = await saveWorkflow(workflow.id, {
        name,
        description,
        metadata,
        baseVersion: base.version,
      });
      const now = { version: response.workflow.version, draft: mine };
      setSaved(now);
      latest.current.saved = now;
      deleteLocalDraft(workflow.id);
      setState({ kind: latest.current.draft === mine ? "saved" : "dirty" });
      cacheWorkflow(client, response.workflow);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === "version_conflict") {
        setState({ kind: "unsaved", reason: "Changed elsewhere: choose which changes to keep." });
        latest.current.onConflict(await readWorkflow(workflow.id), base.draft);
      } else
        setState({
          kind: "unsaved",
          reason: `Not saved: ${messageOf(error)} Your draft is stored in this browser.`,
        });
      return false;
    }
  }, [client, workflow.id]);

  /** Saves never overlap: two requests with one base version would conflict with each other. */
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
  }, [draft, valid, save]);

  useEffect(() => {
    const unsubscribe = connection.onRestored(() => void save());
    return () => {
      unsubscribe();
      void save();
    };
  }, [save]);

  /** Sets the version that the next save is based on: after a merge, a restore or a change made elsewhere. */
  const rebase = useCallback((next: Workflow, onto = draftOf(next)) => {
    const now = { version: next.version, draft: onto };
    setSaved(now);
    latest.current.saved = now;
  }, []);

  return { state, version: saved.version, save, rebase };
}
