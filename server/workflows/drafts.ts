import type { SaveDraft } from "../../contract/drafts.ts";
import type { Problem } from "../../contract/graph.ts";
import { responseStepWarnings } from "../../contract/graph/response-step.ts";
import { type Clock, laterThan } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { checkGraph, findProblems, isNewTo } from "./check-graph.ts";
import type { DraftRecord, DraftStore } from "./draft.sql.ts";
import { changedGraph } from "./graph-change.ts";
import type { WorkflowRecord } from "./workflow-rows.sql.ts";
import type { WorkflowStore } from "./workflow.sql.ts";
import { type NewDraft, sameContent, toVersionRecord, versionConflict } from "./versions.ts";
import type { RecordWarnings, SavedWorkflow } from "./workflows.ts";

export interface DraftsDeps {
  workflows: WorkflowStore;
  drafts: DraftStore;
  /** Copies the live version of a workflow, with `draft` as the draft of the copy. */
  cloneLive(ownerId: string, id: string, authorId: string, draft?: NewDraft): Promise<SavedWorkflow>;
  clock: Clock;
  maxSteps: number;
  /** Warnings about records that the steps name. */
  recordWarnings?: RecordWarnings;
}

export interface CheckedDraft<Draft = DraftRecord | undefined> {
  draft: Draft;
  errors: Problem[];
  warnings: Problem[];
}

export type Drafts = ReturnType<typeof createDrafts>;

/** Unpublished changes of workflows. Triggers, sub-workflows and tools run the live version; a draft runs on request. */
export function createDrafts({
  workflows,
  drafts,
  cloneLive,
  clock,
  maxSteps,
  recordWarnings = () => Promise.resolve([]),
}: DraftsDeps) {
  async function check(
    draft: DraftRecord,
    live: WorkflowRecord,
  ): Promise<Pick<CheckedDraft, "errors" | "warnings">> {
    const isNewStep = isNewTo(live.metadata);
    const { errors, warnings } = await findProblems(draft.metadata, {
      maxSteps,
      workflowId: live.id,
      isNewStep,
    });
    return {
      errors,
      warnings: [
        ...warnings,
        ...responseStepWarnings(live.apiSettings.responseStepId, draft.metadata, warnings),
        ...(await recordWarnings(live.ownerId, draft.metadata)),
      ],
    };
  }

  async function find(ownerId: string, id: string): Promise<DraftRecord | undefined> {
    await workflows.get(id, ownerId);
    return (await drafts.find(id)).draft;
  }

  async function save(
    ownerId: string,
    id: string,
    change: SaveDraft,
    authorId: string,
  ): Promise<CheckedDraft<DraftRecord>> {
    const live = await workflows.get(id, ownerId);
    const { revision, draft } = await drafts.find(id);
    if (change.revision !== undefined && change.revision !== (draft?.revision ?? null))
      throw draftConflict(draft?.revision ?? null);
    const before = draft ?? { ...live, baseVersion: live.version };
    const next: DraftRecord = {
      workflowId: id,
      baseVersion: change.baseVersion ?? before.baseVersion,
      name: change.name ?? before.name,
      description: change.description ?? before.description,
      metadata: changedGraph(before.metadata, change.metadata),
      revision: revision + 1,
      updatedAt: clock.now(),
      updatedBy: authorId,
    };
    // A concurrent save won: apply the change to its result, or fail if `revision` no longer matches.
    if (!(await drafts.save(next, live.published !== false))) return save(ownerId, id, change, authorId);
    return { draft: next, ...(await check(next, live)) };
  }

  async function publish(
    ownerId: string,
    id: string,
    { note, revision }: { note?: string | undefined; revision?: number | undefined },
    authorId: string,
  ): Promise<SavedWorkflow> {
    const { draft: _summary, ...live } = await workflows.get(id, ownerId);
    const { draft } = await drafts.find(id);
    if (revision !== undefined && revision !== draft?.revision) throw draftConflict(draft?.revision ?? null);
    // A repeated request after a lost response finds its work done.
    if (draft === undefined) return { workflow: live, warnings: [] };
    if (draft.baseVersion !== live.version) throw versionConflict(live.version);
    const warnings = await checkGraph(draft.metadata, {
      maxSteps,
      workflowId: id,
      isNewStep: isNewTo(live.metadata),
    });
    const { name, description, metadata } = draft;
    const next = { ...live, name, description, metadata, updatedAt: laterThan(live.updatedAt, clock) };
    const isSame = await sameContent(live, next);
    if (!isSame) next.version = live.version + 1;
    const version = isSame ? undefined : toVersionRecord(next, note ?? "", authorId);
    const outcome = await workflows.update(next, live.updatedAt, version, draft.revision);
    if (outcome === "stored")
      return {
        workflow: next,
        warnings: [
          ...warnings,
          ...responseStepWarnings(live.apiSettings.responseStepId, metadata, warnings),
          ...(await recordWarnings(ownerId, metadata)),
        ],
      };
    return publish(ownerId, id, { note, revision }, authorId);
  }

  return {
    save,
    publish,
    find,
    async get(ownerId: string, id: string): Promise<CheckedDraft> {
      const live = await workflows.get(id, ownerId);
      const { draft } = await drafts.find(id);
      return draft === undefined
        ? { draft, errors: [], warnings: [] }
        : { draft, ...(await check(draft, live)) };
    },

    async discard(ownerId: string, id: string): Promise<void> {
      await workflows.get(id, ownerId);
      await drafts.discard(id);
    },

    /** Copies the live version and, as a draft of the copy, the unpublished changes. */
    async clone(ownerId: string, id: string, authorId: string): Promise<SavedWorkflow> {
      return cloneLive(ownerId, id, authorId, await find(ownerId, id));
    },

    /** The version number under which the engine runs this draft. */
    storeSnapshot: (draft: DraftRecord) => drafts.storeSnapshot(draft, clock.now()),
  };
}

function draftConflict(currentRevision: number | null): AppError {
  return new AppError(
    "version_conflict",
    "The draft was changed after the revision that this request is based on. Load it again and repeat the change.",
    { details: { currentRevision } },
  );
}
