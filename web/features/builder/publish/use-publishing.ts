import { useQueryClient } from "@tanstack/react-query";
import { ApiError, messageOf } from "../../../api/api-error.ts";
import { cacheDraft, discardDraft, publishDraft } from "../../../api/drafts.ts";
import type { Workflow } from "../../../api/types.ts";
import { cacheWorkflow, readVersion, readWorkflow, rollBack, saveWorkflow } from "../../../api/workflows.ts";
import { draftOf } from "../../../flow/draft.ts";
import { showToast } from "../../../ui/toasts.tsx";
import type { useConflicts } from "../history/use-conflicts.ts";
import { deleteLocalDraft } from "../local-draft.ts";
import type { useAutosave } from "../use-autosave.ts";
import type { useDraft } from "../use-draft.ts";
import { isPublished } from "./is-published.ts";

const UNDO_MS = 30_000;

interface PublishingDeps {
  workflow: Workflow;
  history: ReturnType<typeof useDraft>;
  autosave: ReturnType<typeof useAutosave>;
  conflicts: ReturnType<typeof useConflicts>;
}

/** Makes the draft live, takes that back, or discards the draft. */
export function usePublishing({ workflow, history, autosave, conflicts }: PublishingDeps) {
  const client = useQueryClient();
  const { id } = workflow;

  function adopt(live: Workflow): void {
    cacheDraft(client, id, null);
    cacheWorkflow(client, live);
  }

  /** The live version changed after the draft was begun: merges it into the draft. */
  async function mergeLive(): Promise<void> {
    const { revision, baseVersion } = autosave.current();
    const [live, base] = await Promise.all([readWorkflow(id), readVersion(id, baseVersion)]);
    cacheWorkflow(client, live);
    conflicts.resolve({ revision, baseVersion: live.version, draft: draftOf(live) }, draftOf(base));
  }

  /** True when the draft is live. Throws what the service refused. */
  async function publish(note: string): Promise<boolean> {
    if (!(await autosave.save())) throw new Error("Not published: the draft could not be saved.");
    const { revision } = autosave.current();
    if (revision === null) return true;
    try {
      const published = await publishDraft(id, { revision, ...(note === "" ? {} : { note }) });
      adopt(published);
      autosave.rebase({ revision: null, baseVersion: published.version, draft: history.draft });
      showToast(`Published as v${published.version}.`, {
        forMs: UNDO_MS,
        about: id,
        action: { label: "Undo", run: () => void undo(workflow.version) },
      });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "version_conflict") throw error;
      await mergeLive();
      return false;
    }
  }

  /** The version before is live again, and what was published is the draft. */
  async function undo(version: number): Promise<void> {
    try {
      // Before the first publish there is no version to return to.
      const live =
        version === 0
          ? (await saveWorkflow(id, { metadata: { steps: [], edges: [] }, note: "Publish undone" })).workflow
          : await rollBack(id, version);
      adopt(live);
      autosave.rebase({ revision: null, baseVersion: live.version, draft: draftOf(live) });
      await autosave.save();
      const now = isPublished(live)
        ? `v${live.version} is live, with the content of v${version}`
        : "Nothing is live";
      showToast(`${now}. Your changes are a draft again.`, { about: id });
    } catch (error) {
      showToast(messageOf(error));
    }
  }

  async function discard(): Promise<void> {
    await discardDraft(id);
    deleteLocalDraft(id);
    const live = await readWorkflow(id);
    adopt(live);
    const content = draftOf(live);
    autosave.rebase({ revision: null, baseVersion: live.version, draft: content });
    history.reset(content);
  }

  /** A paused workflow keeps its triggers, but they start nothing. */
  async function setActive(active: boolean): Promise<void> {
    try {
      cacheWorkflow(client, (await saveWorkflow(id, { active })).workflow);
    } catch (error) {
      showToast(messageOf(error));
    }
  }

  return { publish, discard, mergeLive, setActive };
}
