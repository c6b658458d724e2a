import type { PageQuery } from "../../contract/api.ts";
import type { Problem } from "../../contract/graph.ts";
import { validateGraph } from "../../contract/graph/validate.ts";
import { TEMPLATE_FORMAT, type TemplateFile } from "../../contract/templates.ts";
import { type ApiSettingsInput, MAX_NAME_LENGTH, type UpdateWorkflow } from "../../contract/workflows.ts";
import { type Clock, laterThan, toIso } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { checkGraph } from "./checked-graph.ts";
import {
  type LooseGraph,
  mergeApiSettings,
  NO_ENDPOINT,
  type VersionRecord,
  type WorkflowRecord,
} from "./workflow-record.ts";
import type { SaveOutcome, WorkflowStore } from "./workflow-store.ts";

/** Thousands of versions of a large graph are more than one answer, and the memory it is made in, can hold. */
const EXPORTED_CHARACTERS = 32_000_000;

export interface WorkflowsDeps {
  store: WorkflowStore;
  clock: Clock;
  maxSteps: number;
}

export interface NewWorkflow {
  name: string;
  description?: string | undefined;
  metadata?: LooseGraph | undefined;
  apiSettings?: ApiSettingsInput | undefined;
  note?: string;
  /** Earlier versions that the new workflow brings along; its own state comes after them. */
  history?: Omit<VersionRecord, "workflowId" | "createdBy">[];
}

export interface Saved {
  workflow: WorkflowRecord;
  warnings: Problem[];
}

export type Workflows = ReturnType<typeof createWorkflows>;

export function createWorkflows({ store, clock, maxSteps }: WorkflowsDeps) {
  async function create(userId: string, given: NewWorkflow): Promise<Saved> {
    const metadata = given.metadata ?? { steps: [], edges: [] };
    const warnings = checkGraph(metadata, maxSteps);
    const now = clock.now();
    const id = createId("wf", now);
    const history = (given.history ?? []).map((version) => ({
      ...version,
      workflowId: id,
      createdBy: userId,
    }));
    const workflow: WorkflowRecord = {
      id,
      ownerId: userId,
      name: given.name,
      description: given.description ?? "",
      version: (history.at(-1)?.version ?? 0) + 1,
      metadata,
      apiSettings: mergeApiSettings(NO_ENDPOINT, given.apiSettings),
      createdAt: now,
      updatedAt: now,
    };
    refuse(
      await store.insert(workflow, [...history, versionOf(workflow, given.note ?? "Created", userId)]),
      workflow,
    );
    return { workflow, warnings };
  }

  async function update(userId: string, id: string, change: UpdateWorkflow): Promise<Saved> {
    const current = await store.owned(id, userId);
    if (change.baseVersion !== undefined && change.baseVersion !== current.version)
      throw versionConflict(current.version);
    const next: WorkflowRecord = {
      ...current,
      name: change.name ?? current.name,
      description: change.description ?? current.description,
      metadata: change.metadata ?? current.metadata,
      apiSettings: mergeApiSettings(current.apiSettings, change.apiSettings),
      updatedAt: laterThan(current.updatedAt, clock),
    };
    // What is stored may have become invalid by a new rule or limit; that must not keep anybody from switching it off.
    const warnings =
      change.metadata === undefined
        ? validateGraph(next.metadata, { maxSteps }).warnings
        : checkGraph(next.metadata, maxSteps);
    if (!sameContent(current, next)) next.version = current.version + 1;
    const version =
      next.version === current.version ? undefined : versionOf(next, change.note ?? "Edited", userId);
    const outcome = await store.update(next, current.updatedAt, version);
    // Somebody saved in between: the change goes on top of that, unless it named a base that is now older.
    if (outcome === "outdated") return update(userId, id, change);
    refuse(outcome, next);
    return { workflow: next, warnings };
  }

  async function version(userId: string, id: string, number: number): Promise<VersionRecord> {
    await store.owned(id, userId);
    const found = await store.version(id, number);
    if (found === undefined) throw notFound("version");
    return found;
  }

  return {
    create,
    update,
    version,
    get: (userId: string, id: string) => store.owned(id, userId),
    list: (userId: string, page: PageQuery) => store.list(userId, page),
    heads: (userId: string, page: PageQuery) => store.heads(userId, page),
    remove: (userId: string, id: string) => store.remove(id, userId, clock.now()),

    /** A version may have come with a template, where nobody had checked it; throws unless it can be run. */
    async requireRunnable(userId: string, id: string, number: number): Promise<void> {
      checkGraph((await version(userId, id, number)).metadata, maxSteps);
    },

    async versions(userId: string, id: string, page: PageQuery) {
      await store.owned(id, userId);
      return store.versions(id, page);
    },

    /** A new version whose content is the old one: nothing of the history is lost. */
    async rollback(userId: string, id: string, number: number): Promise<Saved> {
      const { name, description, metadata } = await version(userId, id, number);
      return update(userId, id, { name, description, metadata, note: `Rolled back to version ${number}` });
    },

    async clone(userId: string, id: string): Promise<Saved> {
      const { name, description, metadata, apiSettings } = await store.owned(id, userId);
      return create(userId, {
        name: copyName(name),
        description,
        metadata,
        apiSettings: { ...apiSettings, enabled: false, endpointName: null },
        note: `Cloned from ${name}`,
      });
    },

    async export(userId: string, id: string): Promise<TemplateFile> {
      const { name, description, metadata } = await store.owned(id, userId);
      const versions = (await store.newestVersions(id, EXPORTED_CHARACTERS)).map((entry) => ({
        version: entry.version,
        name: entry.name,
        description: entry.description,
        note: entry.note,
        createdAt: toIso(entry.createdAt),
        metadata: entry.metadata,
      }));
      return { format: TEMPLATE_FORMAT, id, name, description, metadata, ...metadata, versions };
    },
  };
}

function versionOf(workflow: WorkflowRecord, note: string, createdBy: string): VersionRecord {
  const { id, version, name, description, metadata, updatedAt } = workflow;
  return { workflowId: id, version, name, description, metadata, note, createdAt: updatedAt, createdBy };
}

/** The longest name still fits with its suffix; a cut through a surrogate pair would leave half a character. */
function copyName(name: string): string {
  const suffix = " (copy)";
  const room = MAX_NAME_LENGTH - suffix.length;
  return (name.length > room ? name.slice(0, room).replace(/[\ud800-\udbff]$/, "") : name) + suffix;
}

function sameContent(a: WorkflowRecord, b: WorkflowRecord): boolean {
  return (
    a.name === b.name &&
    a.description === b.description &&
    JSON.stringify(a.metadata) === JSON.stringify(b.metadata)
  );
}

function refuse(outcome: SaveOutcome, workflow: WorkflowRecord): void {
  if (outcome === "slug_taken") {
    throw new AppError(
      "slug_taken",
      `Another enabled endpoint is called ${workflow.apiSettings.endpointName}; choose another endpointName.`,
    );
  }
}

function versionConflict(currentVersion: number): AppError {
  return new AppError(
    "version_conflict",
    "The workflow was changed since the version this save is based on; load it again and repeat the change.",
    { details: { currentVersion } },
  );
}
