import type { PageQuery } from "../../contract/api.ts";
import type { Validation } from "../../contract/graph.ts";
import { validateGraph } from "../../contract/graph/validate.ts";
import type { RegisterTemplate, Template, TemplateVersion } from "../../contract/templates.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { Page } from "../lib/page.ts";
import type { Starter } from "./starters/starter.ts";
import type { LooseGraph } from "./workflow-record.ts";
import type { Saved, Workflows } from "./workflows.ts";

export interface TemplateRecord {
  id: string;
  ownerId: string;
  name: string;
  description: string;
  category: string;
  metadata: LooseGraph;
  versions: TemplateVersion[];
  createdAt: number;
}

export interface TemplateStore {
  insert(template: TemplateRecord): Promise<void>;
  /** Throws `template_not_found` or `forbidden`. */
  owned(id: string, ownerId: string): Promise<TemplateRecord>;
  list(ownerId: string, page: PageQuery): Promise<Page<TemplateRecord>>;
  remove(id: string, ownerId: string): Promise<void>;
}

export interface TemplatesDeps {
  store: TemplateStore;
  workflows: Workflows;
  starters: readonly Starter[];
  clock: Clock;
  maxSteps: number;
  /** As large as a workflow may be that is stored directly. */
  maxGraphBytes: number;
}

export type Templates = ReturnType<typeof createTemplates>;

const STARTER_CURSOR = "starter:";

/** Built-in starters and the caller's own templates under one roof; starters belong to nobody and never change. */
export function createTemplates(deps: TemplatesDeps) {
  const { store, workflows, starters, clock, maxSteps, maxGraphBytes } = deps;
  const starterById = new Map(starters.map((starter) => [starter.id, starter]));

  async function find(userId: string, id: string): Promise<TemplateRecord & { builtIn: boolean }> {
    const starter = starterById.get(id);
    if (starter !== undefined) return { ...starter, ownerId: "", versions: [], createdAt: 0, builtIn: true };
    return { ...(await store.owned(id, userId)), builtIn: false };
  }

  return {
    /** The caller's own, newest first, then the starters, on the same pages. */
    async list(
      userId: string,
      { limit, cursor }: PageQuery,
    ): Promise<{ templates: Template[]; nextCursor: string | null }> {
      const starterOffset = cursor?.startsWith(STARTER_CURSOR)
        ? Number(cursor.slice(STARTER_CURSOR.length))
        : undefined;
      const own =
        starterOffset === undefined
          ? await store.list(userId, { limit, cursor })
          : { items: [], nextCursor: null };
      if (own.nextCursor !== null) return { templates: own.items.map(toOwn), nextCursor: own.nextCursor };
      const from = Number.isSafeInteger(starterOffset) ? (starterOffset ?? 0) : 0;
      const to = from + limit - own.items.length;
      const templates = [...own.items.map(toOwn), ...starters.slice(from, to).map(toStarter)];
      return { templates, nextCursor: to < starters.length ? `${STARTER_CURSOR}${to}` : null };
    },

    async get(userId: string, id: string): Promise<Template> {
      const template = await find(userId, id);
      return template.builtIn ? toStarter(template) : toOwn(template);
    },

    async register(userId: string, file: RegisterTemplate): Promise<Template> {
      const now = clock.now();
      const template: TemplateRecord = {
        id: createId("tpl", now),
        ownerId: userId,
        name: file.name,
        description: file.description,
        category: file.category,
        metadata: file.metadata ?? { steps: file.steps ?? [], edges: file.edges ?? [] },
        versions: file.versions
          .map((entry) => ({ ...entry, createdAt: entry.createdAt ?? toIso(now) }))
          .toSorted((a, b) => a.version - b.version),
        createdAt: now,
      };
      for (const { metadata } of [template, ...template.versions]) requireSize(metadata, maxGraphBytes);
      await store.insert(template);
      return toOwn(template);
    },

    async remove(userId: string, id: string): Promise<void> {
      if (starterById.has(id)) throw new AppError("forbidden", "A built-in starter cannot be deleted.");
      await store.remove(id, userId);
    },

    async validate(userId: string, id: string): Promise<Validation> {
      return validateGraph((await find(userId, id)).metadata, { maxSteps });
    },

    /** The template's history comes along, numbered 1, 2, 3 …; the imported state is the version after it. */
    async import(userId: string, id: string): Promise<Saved> {
      const { name, description, metadata, versions } = await find(userId, id);
      const history = versions.map((entry, index) => ({
        ...entry,
        version: index + 1,
        createdAt: Date.parse(entry.createdAt),
      }));
      return workflows.create(userId, {
        name,
        description,
        metadata,
        history,
        note: `Imported from ${name}`,
      });
    },
  };
}

function requireSize(graph: LooseGraph, maxBytes: number): void {
  if (Buffer.byteLength(JSON.stringify(graph)) > maxBytes)
    throw new AppError(
      "payload_too_large",
      `The steps and edges of a version may have ${maxBytes} bytes at most.`,
    );
}

function toOwn({ id, name, description, category, metadata, createdAt }: TemplateRecord): Template {
  return { id, name, description, category, builtIn: false, ...metadata, createdAt: toIso(createdAt) };
}

function toStarter({
  id,
  name,
  description,
  category,
  metadata,
}: Omit<TemplateRecord, "ownerId" | "versions" | "createdAt">): Template {
  return { id, name, description, category, builtIn: true, ...metadata };
}
