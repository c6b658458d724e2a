import { apps as builtIn } from "../../apps/all.ts";
import type { App, AppAction, AppTrigger } from "../../apps/define-app.ts";
import type { AppDetails, AppSummary } from "../../contract/apps.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { permanentFailure } from "../steps/step-failure.ts";
import { inputFieldsOf } from "./app-input.ts";

export interface AppCatalogueDeps {
  /** The apps that ship with Baton; others in tests. */
  apps?: readonly App[];
  /** Ids of the apps that an owner has connections of. */
  connectedApps(ownerId: string): Promise<ReadonlySet<string>>;
}

export type AppCatalogue = ReturnType<typeof createAppCatalogue>;

/** Finds and describes apps. */
export function createAppCatalogue({ apps = builtIn, connectedApps }: AppCatalogueDeps) {
  const byId = new Map(apps.map((app) => [app.id, app]));
  return {
    /** The apps that ship with Baton. */
    builtIn: apps,

    find: (_ownerId: string, id: string): Promise<App | undefined> => Promise.resolve(byId.get(id)),

    async list(ownerId: string): Promise<AppSummary[]> {
      const connected = await connectedApps(ownerId);
      return apps.map((app) => ({ ...summaryOf(app), connected: connected.has(app.id) }));
    },

    async get(ownerId: string, id: string): Promise<AppDetails> {
      const app = byId.get(id);
      if (app === undefined) throw notFound("app");
      const connected = await connectedApps(ownerId);
      return { ...detailsOf(app), connected: connected.has(id) };
    },
  };
}

/** The action of a step; a run fails when an app has changed since the workflow was saved. */
export function requireAction(
  app: App | undefined,
  appId: string,
  actionId: string,
): { app: App; action: AppAction } {
  if (app === undefined) throw permanentFailure("app_not_found", `There is no app "${appId.slice(0, 80)}".`);
  const action = Object.hasOwn(app.actions, actionId) ? app.actions[actionId] : undefined;
  if (action === undefined)
    throw new AppError("app_action_not_found", `${app.title} has no action "${actionId.slice(0, 80)}".`);
  return { app, action };
}

export function writesOf({ writes, request }: AppAction): boolean {
  return writes ?? (request.method ?? "GET") !== "GET";
}

function kindOf(trigger: AppTrigger): "polling" | "webhook" {
  return "polling" in trigger ? "polling" : "webhook";
}

function textsOf({ id, title, description, category, synonyms = [], icon, documentation }: App) {
  return { id, title, description, category, synonyms: [...synonyms], icon, documentation };
}

function operationsOf<T extends AppAction | AppTrigger>(operations: Readonly<Record<string, T>> = {}) {
  return Object.entries(operations).map(([id, operation]) => {
    const { title, description, synonyms = [] } = operation;
    return { operation, texts: { id, title, description, synonyms: [...synonyms] } };
  });
}

function summaryOf(app: App): Omit<AppSummary, "connected"> {
  return {
    ...textsOf(app),
    auth: app.auth.map(({ kind }) => kind),
    actions: operationsOf(app.actions).map(({ operation, texts }) => ({
      ...texts,
      writes: writesOf(operation),
    })),
    triggers: operationsOf(app.triggers).map(({ operation, texts }) => ({
      ...texts,
      kind: kindOf(operation),
    })),
  };
}

function detailsOf(app: App): Omit<AppDetails, "connected"> {
  const detailed = (operation: AppAction | AppTrigger) => ({
    input: inputFieldsOf(operation) as AppDetails["actions"][number]["input"],
    sample: operation.sample,
  });
  return {
    ...textsOf(app),
    hosts: [...app.hosts],
    fields: (app.fields ?? {}) as AppDetails["fields"],
    auth: app.auth as AppDetails["auth"],
    options: Object.entries(app.options ?? {}).map(([id, { title }]) => ({ id, title })),
    actions: operationsOf(app.actions).map(({ operation, texts }) => ({
      ...texts,
      ...detailed(operation),
      writes: writesOf(operation),
    })),
    triggers: operationsOf(app.triggers).map(({ operation, texts }) => ({
      ...texts,
      ...detailed(operation),
      kind: kindOf(operation),
    })),
  };
}
