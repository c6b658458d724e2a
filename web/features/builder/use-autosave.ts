import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, messageOf } from "../../api/client.ts";
import { reach } from "../../api/reach.ts";
import type { Workflow } from "../../api/types.ts";
import { readWorkflow, saveWorkflow } from "../../api/workflows.ts";
import type { Draft } from "../../flow/draft.ts";
import { deleteLocalDraft, storeLocalDraft } from "./local-draft.ts";

export type SaveState =
  | { kind: "saved" }
  | { kind: "dirty" }
  | { kind: "saving" }
  /** Kept in this browser: the graph has problems, or the service cannot be reached. */
  | { kind: "kept"; why: string };

const SAVE_DELAY_MS = 900;

export function draftOf({ name, description, metadata }: Workflow): Draft {
  return { name, description, steps: metadata.steps, edges: metadata.edges };
}

interface Saved {
  version: number;
  draft: Draft;
}

interface Autosave {
  workflow: Workflow;
  draft: Draft;
  valid: boolean;
  /** The version and draft that this editing began on. */
  start: Saved;
  onConflict: (theirs: Workflow, base: Draft) => void;
}

/** Saves a moment after the last edit, on top of the version it began with; what cannot be saved is kept here. */
export function useAutosave({ workflow, draft, valid, start, onConflict }: Autosave) {
  const client = useQueryClient();
  const [saved, setSaved] = useState<Saved>(start);
  const [state, setState] = useState<SaveState>({ kind: "saved" });
  const latest = useRef({ draft, saved, valid, onConflict });
  latest.current = { draft, saved, valid, onConflict };
  const busy = useRef<Promise<boolean> | undefined>(undefined);

  const saveOnce = useCallback(async (): Promise<boolean> => {
    const { draft: mine, saved: base, valid: ok } = latest.current;
    if (mine === base.draft) return true;
    storeLocalDraft(workflow.id, { baseVersion: base.version, base: base.draft, draft: mine });
    if (!ok) {
      setState({
        kind: "kept",
        why: "Not saved: mend the problems first. Your draft is kept in this browser.",
      });
      return false;
    }
    setState({ kind: "saving" });
    try {
      const { name, description, steps, edges } = mine;
      const answer = await saveWorkflow(workflow.id, {
        name,
        description,
        metadata: { steps, edges },
        baseVersion: base.version,
      });
      const now = { version: answer.workflow.version, draft: mine };
      setSaved(now);
      latest.current.saved = now;
      deleteLocalDraft(workflow.id);
      setState({ kind: latest.current.draft === mine ? "saved" : "dirty" });
      client.setQueryData(["workflow", workflow.id], { ok: true, workflow: answer.workflow });
      for (const key of ["workflows", "versions"]) void client.invalidateQueries({ queryKey: [key] });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === "version_conflict") {
        setState({ kind: "kept", why: "Edited elsewhere: choose what to keep." });
        latest.current.onConflict(await readWorkflow(workflow.id), base.draft);
      } else
        setState({ kind: "kept", why: `Not saved: ${messageOf(error)} Your draft is kept in this browser.` });
      return false;
    }
  }, [client, workflow.id]);

  /** One save at a time, and the last edit is always in the last one. */
  const save = useCallback(async (): Promise<boolean> => {
    while (busy.current !== undefined) await busy.current;
    busy.current = saveOnce();
    try {
      return await busy.current;
    } finally {
      busy.current = undefined;
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
    // A draft that waits for the service goes out as soon as it is back.
    const stop = reach.whenBack(() => void save());
    return () => {
      stop();
      void save();
    };
  }, [save]);

  /** Editing goes on from here: after a merge, a rollback or a change made elsewhere. */
  const rebase = useCallback((next: Workflow, onto = draftOf(next)) => {
    const now = { version: next.version, draft: onto };
    setSaved(now);
    latest.current.saved = now;
  }, []);

  return { state, version: saved.version, save, rebase };
}
