import type { PageQuery } from "../../contract/api.ts";
import type { Validation } from "../../contract/graph.ts";
import type { RegisterTemplate, Template, UpdateTemplate } from "../../contract/templates.ts";
import { graphOf } from "../../contract/workflows.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { findProblems } from "./check-graph.ts";
import type { Starter } from "./starters/starter.ts";
import type { TemplateRecord, TemplateStore } from "./template.sql.ts";
import type { LooseGraph } from "./version.sql.ts";
import { checkConcurrencyKey } from "./workflow-settings.ts";
import type { SavedWorkflow, Workflows } from "./workflows.ts";

export interface TemplatesDeps {
  store: TemplateStore;
  workflows: Workflows;
  starters: readonly Starter[];
  clock: Clock;
  maxSteps: number;
  /** The same limit as for a workflow that is stored directly. */
  maxGraphBytes: number;
}

export type Templates = ReturnType<typeof createTemplates>;

const STARTER_CURSOR = "starter:";

/** The caller's own templates and the built-in starters, which have no owner and never change. */
export function createTemplates(deps: TemplatesDeps) {
  const { store, workflows, starters, clock, maxSteps, maxGraphBytes } = deps;
  const starterById = new Map(starters.map((starter) => [starter.id, starter]));

  async function find(ownerId: string, id: string): Promise<TemplateRecord> {
    const starter = starterById.get(id);
    if (starter !== undefined)
      return { ...starter, ownerId: "", folder: "", tags: [], versions: [], createdAt: 0 };
    return store.get(id, ownerId);
  }

  return {
    /** The caller's own templates, newest first, followed by the starters. */
    async list(
      ownerId: string,
      { limit, cursor }: PageQuery,
    ): Promise<{ templates: Template[]; nextCursor: string | null }> {
      const starterOffset = cursor?.startsWith(STARTER_CURSOR)
        ? Number(cursor.slice(STARTER_CURSOR.length))
        : undefined;
      const own =
        starterOffset === undefined
          ? await store.list(ownerId, { limit, cursor })
          : { items: [], nextCursor: null };
      if (own.nextCursor !== null) return { templates: own.items.map(toOwn), nextCursor: own.nextCursor };
      const from = Number.isSafeInteger(starterOffset) ? (starterOffset ?? 0) : 0;
      const to = from + limit - own.items.length;
      const templates = [...own.items.map(toOwn), ...starters.slice(from, to).map(toStarter)];
      return { templates, nextCursor: to < starters.length ? `${STARTER_CURSOR}${to}` : null };
    },

    async get(ownerId: string, id: string): Promise<Template> {
      const starter = starterById.get(id);
      return starter === undefined ? toOwn(await store.get(id, ownerId)) : toStarter(starter);
    },

    async register(ownerId: string, file: RegisterTemplate): Promise<Template> {
      checkConcurrencyKey(file.settings?.concurrency?.key);
      const now = clock.now();
      const template: TemplateRecord = {
        id: createId("tpl", now),
        ownerId,
        name: file.name,
        description: file.description,
        category: file.category,
        metadata: graphOf(file)!,
        folder: file.folder,
        tags: file.tags,
        apiSettings: file.apiSettings,
        settings: file.settings,
        form: file.form,
        versions: file.versions
          .map((entry) => ({ ...entry, createdAt: entry.createdAt ?? toIso(now) }))
          .toSorted((a, b) => a.version - b.version),
        createdAt: now,
      };
      for (const { metadata } of [template, ...template.versions]) checkSize(metadata, maxGraphBytes);
      await store.insert(template);
      return toOwn(template);
    },

    async update(ownerId: string, id: string, change: UpdateTemplate): Promise<Template> {
      if (starterById.has(id)) throw new AppError("forbidden", "Built-in starters cannot be changed.");
      await store.update(id, ownerId, change);
      return toOwn(await store.get(id, ownerId));
    },

    async remove(ownerId: string, id: string): Promise<void> {
      if (starterById.has(id)) throw new AppError("forbidden", "Built-in starters cannot be deleted.");
      await store.remove(id, ownerId);
    },

    async validate(ownerId: string, id: string): Promise<Validation> {
      const { metadata } = await find(ownerId, id);
      return findProblems(metadata, { maxSteps, isNewStep: () => true });
    },

    /** Imports the template's history, renumbered from 1; the imported state is the version after it. */
    async import(ownerId: string, id: string, authorId: string, newName?: string): Promise<SavedWorkflow> {
      const { name, description, metadata, folder, tags, apiSettings, settings, form, versions } = await find(
        ownerId,
        id,
      );
      const history = versions.map((entry, index) => ({
        ...entry,
        version: index + 1,
        createdAt: Date.parse(entry.createdAt),
      }));
      const imported = {
        name: newName ?? name,
        description,
        metadata,
        folder,
        tags,
        apiSettings,
        copiedSettings: settings,
        form,
        history,
        note: `Imported from ${name}`,
      };
      return workflows.create(ownerId, imported, authorId);
    },
  };
}

function checkSize(graph: LooseGraph, maxBytes: number): void {
  if (Buffer.byteLength(JSON.stringify(graph)) > maxBytes)
    throw new AppError(
      "payload_too_large",
      `The steps and edges of a version may have at most ${maxBytes} bytes.`,
    );
}

function toOwn({ id, name, description, category, metadata, createdAt }: TemplateRecord): Template {
  return { id, name, description, category, builtIn: false, ...metadata, createdAt: toIso(createdAt) };
}

function toStarter({ id, name, description, category, metadata, trigger }: Starter): Template {
  return { id, name, description, category, builtIn: true, ...metadata, ...(trigger && { trigger }) };
}
