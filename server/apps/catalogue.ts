import { apps as builtIn } from "../../apps/all.ts";
import type { App, AppAction, AppTrigger } from "../../apps/define-app.ts";
import type { ApiDocument } from "../../contract/api-apps.ts";
import type { AppDetails, AppSummary } from "../../contract/apps.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { permanentFailure } from "../steps/step-failure.ts";
import { inputFieldsOf } from "./app-input.ts";

/** Apps that owners made from OpenAPI documents. */
export interface OwnApps {
  /** With these actions; with all of them when none are named. Undefined when this owner has no such app. */
  find(ownerId: string, id: string, actionIds?: readonly string[]): Promise<App | undefined>;
  list(ownerId: string): Promise<Omit<AppSummary, "connected">[]>;
  /** Throws `app_not_found` or `forbidden`. */
  describe(
    ownerId: string,
    id: string,
    actionIds?: readonly string[],
  ): Promise<{ app: App; api: ApiDocument }>;
}

/** Ids of apps that owners made. */
const OWN_APP = /^api_/;

export interface AppCatalogueDeps {
  /** The apps that ship with Baton; others in tests. */
  apps?: readonly App[];
  ownApps?: OwnApps;
  /** Ids of the apps that an owner has connections of. */
  connectedApps(ownerId: string): Promise<ReadonlySet<string>>;
}

export type AppCatalogue = ReturnType<typeof createAppCatalogue>;

/** Finds and describes apps. */
export function createAppCatalogue({ apps = builtIn, ownApps, connectedApps }: AppCatalogueDeps) {
  const byId = new Map(apps.map((app) => [app.id, app]));

  /** `actionIds`: what the caller needs. An app of an owner may have a thousand actions, and only these are read. */
  async function find(ownerId: string, id: string, actionIds?: readonly string[]): Promise<App | undefined> {
    return byId.get(id) ?? (OWN_APP.test(id) ? ownApps?.find(ownerId, id, actionIds) : undefined);
  }

  /** Throws `app_not_found` or `forbidden`. */
  async function describe(ownerId: string, id: string, actionIds?: readonly string[]) {
    const app = byId.get(id);
    const described =
      app === undefined && OWN_APP.test(id)
        ? await ownApps?.describe(ownerId, id, actionIds)
        : app && { app, api: null };
    if (described === undefined) throw notFound("app", id);
    return described;
  }

  return {
    /** The apps that ship with Baton. */
    builtIn: apps,

    find,

    /** Throws `app_not_found` or `forbidden`. */
    require: (ownerId: string, id: string) => describe(ownerId, id, []),

    async list(ownerId: string): Promise<AppSummary[]> {
      const [connected, own = []] = await Promise.all([connectedApps(ownerId), ownApps?.list(ownerId)]);
      return [...apps.map(summaryOf), ...own].map((app) => ({ ...app, connected: connected.has(app.id) }));
    },

    async get(ownerId: string, id: string, actionIds?: readonly string[]): Promise<AppDetails> {
      const { app, api } = await describe(ownerId, id, actionIds);
      const connected = await connectedApps(ownerId);
      return { ...detailsOf(app), api, isOwn: api !== null, connected: connected.has(id) };
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
  return { id, title, description, category, synonyms: [...synonyms], icon, documentation, isOwn: false };
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

function detailsOf(app: App): Omit<AppDetails, "connected" | "api"> {
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
      needsConnection: operation.public !== true,
    })),
    triggers: operationsOf(app.triggers).map(({ operation, texts }) => ({
      ...texts,
      ...detailed(operation),
      kind: kindOf(operation),
    })),
  };
}
