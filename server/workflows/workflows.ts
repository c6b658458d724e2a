import type { PageQuery } from "../../contract/api.ts";
import type { FormSettingsInput } from "../../contract/forms.ts";
import type { Graph, Problem } from "../../contract/graph.ts";
import { responseStepWarnings } from "../../contract/graph/response-step.ts";
import type { TemplateFile } from "../../contract/templates.ts";
import { MAX_NAME_LENGTH, type UpdateWorkflow, type WorkflowFilter } from "../../contract/workflows.ts";
import type { ApiSettingsInput, RunSettingsInput } from "../../contract/workflow-settings.ts";
import { type Clock, laterThan } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { checkGraph, checkSteps, isNewTo, validateInTurns } from "./check-graph.ts";
import { changedGraph } from "./graph-change.ts";
import { firstRevision, type NewDraft, sameContent, toVersionRecord, versionConflict } from "./versions.ts";
import type { WorkflowRecord } from "./workflow-rows.sql.ts";
import type { SaveOutcome, WorkflowStore } from "./workflow.sql.ts";
import { toTemplateFile, type WorkflowContent } from "./template-file.ts";
import type { LooseGraph, VersionRecord } from "./version.sql.ts";
import {
  fitRunSettings,
  mergeApiSettings,
  mergeForm,
  mergeRunSettings,
  NO_ENDPOINT,
  type RequireWorkflow,
} from "./workflow-settings.ts";

/** Bounds the memory of an export: a large graph may have thousands of versions. */
const MAX_EXPORTED_CHARACTERS = 32_000_000;

/** Bounds the time of a count: it reads a row per run. */
const MAX_COUNTED_RUNS = 10_000;

export interface WorkflowsDeps {
  store: WorkflowStore;
  clock: Clock;
  maxSteps: number;
  /** Warnings about records that the steps name. */
  recordWarnings?: RecordWarnings;
}

export type RecordWarnings = (ownerId: string, graph: LooseGraph) => Promise<Problem[]>;

export interface NewWorkflow {
  name: string;
  description?: string | undefined;
  metadata?: LooseGraph | undefined;
  apiSettings?: ApiSettingsInput | undefined;
  settings?: RunSettingsInput | undefined;
  /** Settings from elsewhere: an error workflow that is not in the workspace is left out. */
  copiedSettings?: RunSettingsInput | undefined;
  form?: FormSettingsInput | null | undefined;
  active?: boolean | undefined;
  folder?: string | undefined;
  tags?: string[] | undefined;
  /** False: version 0, which no list of versions shows, until a draft is published. */
  published?: false | undefined;
  /** Stored together with the workflow, as the first revision of its draft. */
  draft?: NewDraft | undefined;
  note?: string;
  /** Earlier versions to import; the new workflow's own state becomes the version after them. */
  history?: Omit<VersionRecord, "workflowId" | "createdBy">[];
}

export interface SavedWorkflow {
  workflow: WorkflowRecord;
  warnings: Problem[];
}

const EMPTY_GRAPH = { steps: [], edges: [] };

export type Workflows = ReturnType<typeof createWorkflows>;

export function createWorkflows({
  store,
  clock,
  maxSteps,
  recordWarnings = () => Promise.resolve([]),
}: WorkflowsDeps) {
  const workflowsOf =
    (ownerId: string): RequireWorkflow =>
    (id) =>
      store.get(id, ownerId);

  /** `earlier` is the graph that is copied. */
  async function create(
    ownerId: string,
    given: NewWorkflow,
    authorId: string,
    earlier: LooseGraph = EMPTY_GRAPH,
  ): Promise<SavedWorkflow> {
    const metadata = given.metadata ?? EMPTY_GRAPH;
    const warnings = await checkGraph(metadata, { maxSteps, isNewStep: isNewTo(earlier) });
    const now = clock.now();
    const id = createId("wf", now);
    const history = (given.history ?? []).map((version) => ({
      ...version,
      workflowId: id,
      createdBy: authorId,
    }));
    const workflow: WorkflowRecord = {
      id,
      ownerId,
      name: given.name,
      description: given.description ?? "",
      version: given.published === false ? 0 : (history.at(-1)?.version ?? 0) + 1,
      metadata,
      apiSettings: mergeApiSettings(NO_ENDPOINT, given.apiSettings),
      form: mergeForm(undefined, given.form),
      settings: await mergeRunSettings(
        undefined,
        given.settings ?? (await fitRunSettings(given.copiedSettings, workflowsOf(ownerId))),
        workflowsOf(ownerId),
      ),
      active: given.active ?? true,
      folder: given.folder ?? "",
      tags: given.tags ?? [],
      createdAt: now,
      updatedAt: now,
    };
    const draft = given.draft && firstRevision(workflow, given.draft, authorId);
    rejectTakenSlug(
      await store.insert(
        workflow,
        [...history, toVersionRecord(workflow, given.note ?? "Created", authorId)],
        draft,
      ),
      workflow,
    );
    return {
      workflow: draft === undefined ? workflow : { ...workflow, draft },
      warnings: [
        ...warnings,
        ...responseStepWarnings(workflow.apiSettings.responseStepId, metadata, warnings),
        ...(await recordWarnings(ownerId, metadata)),
      ],
    };
  }

  /** `earlier` is the graph of a version that is restored. */
  async function update(
    ownerId: string,
    id: string,
    change: UpdateWorkflow,
    authorId: string,
    earlier?: LooseGraph,
  ): Promise<SavedWorkflow> {
    const current = await store.get(id, ownerId);
    if (change.baseVersion !== undefined && change.baseVersion !== current.version)
      throw versionConflict(current.version);
    const next: WorkflowRecord = {
      ...current,
      name: change.name ?? current.name,
      description: change.description ?? current.description,
      metadata: changedGraph(current.metadata, change.metadata),
      apiSettings: mergeApiSettings(current.apiSettings, change.apiSettings),
      form: mergeForm(current.form, change.form),
      settings: await mergeRunSettings(current.settings, change.settings, workflowsOf(ownerId), id),
      active: change.active ?? current.active,
      folder: change.folder ?? current.folder,
      tags: change.tags ?? current.tags,
      updatedAt: laterThan(current.updatedAt, clock),
    };
    const isNewStep = isNewTo(earlier ?? current.metadata);
    // A stored graph may violate a newer rule or limit; its owner must still be able to disable the endpoint.
    const warnings =
      change.metadata === undefined
        ? (await validateInTurns(next.metadata, { maxSteps, workflowId: id })).warnings
        : await checkGraph(next.metadata, { maxSteps, workflowId: id, isNewStep });
    // Nothing is published without steps: version 0 keeps its number.
    const isUnpublished = current.version === 0 && next.metadata.steps.length === 0;
    if (!isUnpublished && !(await sameContent(current, next))) next.version = current.version + 1;
    const version =
      next.version === current.version ? undefined : toVersionRecord(next, change.note ?? "Edited", authorId);
    const outcome = await store.update(next, current.updatedAt, version);
    // A concurrent save won: apply the change to its result, or fail if `baseVersion` no longer matches.
    if (outcome === "outdated") return update(ownerId, id, change, authorId, earlier);
    rejectTakenSlug(outcome, next);
    return {
      workflow: next,
      warnings: [
        ...warnings,
        ...responseStepWarnings(next.apiSettings.responseStepId, next.metadata, warnings),
        ...(await recordWarnings(ownerId, next.metadata)),
      ],
    };
  }

  async function getVersion(ownerId: string, id: string, number: number): Promise<VersionRecord> {
    await store.get(id, ownerId);
    const found = await store.findVersion(id, number);
    if (found === undefined) throw notFound("version", String(number));
    return found;
  }

  return {
    create,
    update,
    getVersion,
    get: (ownerId: string, id: string) => store.get(id, ownerId),
    list: (ownerId: string, filter: WorkflowFilter) => store.list(ownerId, filter),
    listSummaries: (ownerId: string, filter: WorkflowFilter) => store.listSummaries(ownerId, filter),
    remove: (ownerId: string, id: string) => store.remove(id, ownerId, clock.now()),

    /** Throws unless these steps, or all, are valid: a draft may have errors. */
    async requireValid(
      graph: LooseGraph,
      live: LooseGraph,
      choose?: (graph: Graph) => readonly string[],
    ): Promise<void> {
      const options = { maxSteps, isNewStep: isNewTo(live) };
      if (choose === undefined) return void (await checkGraph(graph, options));
      // First what holds for any choice: steps can only be chosen from a readable graph.
      await checkSteps(graph, [], options);
      await checkSteps(graph, choose(graph as Graph), options);
    },

    /** Throws unless the version is valid: versions imported with a template were never validated. */
    async requireRunnable(ownerId: string, id: string, number: number): Promise<void> {
      await checkGraph((await getVersion(ownerId, id, number)).metadata, { maxSteps });
    },

    async listVersions(ownerId: string, id: string, page: PageQuery) {
      await store.get(id, ownerId);
      return store.listVersions(id, page);
    },

    /** Called after `listVersions`, which has checked the owner. */
    countRuns: (ownerId: string, id: string) => store.countRuns(id, ownerId, MAX_COUNTED_RUNS),

    async setVersionNote(ownerId: string, id: string, number: number, note: string): Promise<void> {
      await store.get(id, ownerId);
      if (!(await store.setVersionNote(id, number, note))) throw notFound("version", String(number));
    },

    /** Creates a new version with the old content; the history stays complete. */
    async rollback(ownerId: string, id: string, number: number, authorId: string): Promise<SavedWorkflow> {
      const { name, description, metadata } = await getVersion(ownerId, id, number);
      const note = `Rolled back to version ${number}`;
      return update(ownerId, id, { name, description, metadata, note }, authorId, metadata);
    },

    async clone(ownerId: string, id: string, authorId: string, draft?: NewDraft): Promise<SavedWorkflow> {
      const { name, description, version, metadata, apiSettings, settings, form, folder, tags } =
        await store.get(id, ownerId);
      const copy = {
        ...(version === 0 && { published: false as const }),
        name: copyName(name),
        description,
        metadata,
        apiSettings: { ...apiSettings, enabled: false, endpointName: null },
        copiedSettings: settings,
        form: form && { ...form, enabled: false },
        folder,
        tags,
        note: `Cloned from ${name}`,
        draft,
      };
      return create(ownerId, copy, authorId, metadata);
    },

    /** `draft` replaces the live content; the history has published versions only. */
    async export(ownerId: string, id: string, draft?: WorkflowContent): Promise<TemplateFile> {
      const live = await store.get(id, ownerId);
      return toTemplateFile(live, draft ?? live, await store.listNewestVersions(id, MAX_EXPORTED_CHARACTERS));
    },
  };
}

/** Truncates a name that is too long for the suffix, never inside a surrogate pair. */
function copyName(name: string): string {
  const suffix = " (copy)";
  const room = MAX_NAME_LENGTH - suffix.length;
  return (name.length > room ? name.slice(0, room).replace(/[\ud800-\udbff]$/, "") : name) + suffix;
}

function rejectTakenSlug(outcome: SaveOutcome, workflow: WorkflowRecord): void {
  if (outcome === "slug_taken") {
    throw new AppError(
      "slug_taken",
      `The endpoint name ${workflow.apiSettings.endpointName} is in use, or reserved for 30 days for the account that used it. Choose a different endpointName.`,
    );
  }
}
