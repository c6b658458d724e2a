import type { App } from "../../apps/define-app.ts";
import {
  type ApiDocument,
  type ImportApp,
  MAX_API_APPS,
  type RefreshApp,
  type RefreshedApp,
  type UpdateApp,
} from "../../contract/api-apps.ts";
import type { AppSummary } from "../../contract/apps.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { isBoundHost } from "../connections/host-binding.ts";
import type { ApiAppUsages } from "./action-usages.sql.ts";
import type { ApiAppRecord, ApiAppStore } from "./api-app.sql.ts";
import { changesBetween, type PackedApp } from "./pack-document.ts";
import type { ConvertOptions } from "./convert-document.ts";
import { hostEntry, serverUrl } from "./servers-of.ts";

export interface ApiAppsDeps {
  store: ApiAppStore;
  usages: ApiAppUsages;
  clock: Pick<Clock, "now">;
  /** Fetches a document; takes a share of the owner. */
  fetchDocument(ownerId: string, url: string, signal: AbortSignal): Promise<string>;
  /** Reads a document in a thread with limits; takes a share of the owner. */
  readDocument(
    ownerId: string,
    text: string,
    options: ConvertOptions,
    signal: AbortSignal,
  ): Promise<PackedApp>;
  /** Throws `egress_denied` for a server that no step may call. */
  requireReachable(server: string): Promise<void>;
}

export type ApiApps = ReturnType<typeof createApiApps>;

/** Apps that users make from OpenAPI documents. */
export function createApiApps(deps: ApiAppsDeps) {
  const { store, usages, clock, fetchDocument, readDocument, requireReachable } = deps;

  /** Connections that the hosts of an app do not cover: their secret was given for others. */
  async function outdatedConnections(record: ApiAppRecord): Promise<{ id: string; name: string }[]> {
    const connections = await usages.connections(record.ownerId, record.id);
    return connections
      .filter(({ hosts }) => !isBoundHost(hosts, new URL(record.server)))
      .map(({ id, name }) => ({ id, name }));
  }

  return {
    async create(ownerId: string, given: ImportApp, signal: AbortSignal): Promise<ApiAppRecord> {
      const { url, document, title } = given;
      if ((await store.count(ownerId)) >= MAX_API_APPS)
        throw new AppError(
          "limit_reached",
          `You have ${MAX_API_APPS} APIs, the most allowed. Delete one that you no longer use.`,
        );
      const server = given.server === undefined ? undefined : requireServer(given.server);
      const now = clock.now();
      const id = createId("api", now);
      const text = url === undefined ? (document ?? "") : await fetchDocument(ownerId, url, signal);
      const packed = await readDocument(ownerId, text, { id, sourceUrl: url, server }, signal);
      await requireReachable(packed.server);
      const record: ApiAppRecord = {
        id,
        ownerId,
        title: title ?? packed.title,
        sourceUrl: url ?? null,
        server: packed.server,
        servers: packed.servers,
        definition: packed.app,
        operationCount: packed.operationCount,
        hidden: [],
        readAt: now,
        createdAt: now,
        updatedAt: now,
      };
      await store.insert(record, packed);
      return record;
    },

    /** The title, the server and the actions that lists show. */
    async update(
      ownerId: string,
      id: string,
      { title, server, hidden }: UpdateApp,
    ): Promise<{ record: ApiAppRecord; reconnect: { id: string; name: string }[] }> {
      const current = await store.get(id, ownerId);
      const record: ApiAppRecord = {
        ...current,
        title: title ?? current.title,
        server: server === undefined ? current.server : requireServer(server),
        hidden: hidden === undefined ? current.hidden : [...new Set(hidden)],
        updatedAt: clock.now(),
      };
      if (record.server !== current.server) await requireReachable(record.server);
      await store.update(record);
      return { record, reconnect: await outdatedConnections(record) };
    },

    /** Reads the document again. A server or title that the user chose stays. */
    async refresh(
      ownerId: string,
      id: string,
      given: RefreshApp,
      signal: AbortSignal,
    ): Promise<Omit<RefreshedApp, "ok">> {
      const { document, dryRun = false } = given ?? {};
      const current = await store.get(id, ownerId);
      const { sourceUrl } = current;
      if (document === undefined && sourceUrl === null)
        throw invalidRequest("The document was pasted: send its new text as `document`.", [
          { path: "document", message: "is required for an app without a source" },
        ]);
      const text = document ?? (await fetchDocument(ownerId, sourceUrl ?? "", signal));
      const isChosen = current.server !== current.servers[0];
      const options = {
        id,
        sourceUrl: sourceUrl ?? undefined,
        server: isChosen ? current.server : undefined,
        fallbackServer: current.server,
      };
      const packed = await readDocument(ownerId, text, options, signal);
      await requireReachable(packed.server);
      const before = await store.shapes(id);
      const changes = changesBetween(before, new Map(packed.actions.map((each) => [each.id, each.shape])));
      const { operations } = await store.operations(id, ownerId);
      const titles = new Map([...operations, ...packed.operations].map((each) => [each.id, each.title]));
      const users = await usages.byAction(ownerId, id);
      const named = (action: string) => ({ id: action, title: titles.get(action) ?? action });
      const used = (action: string) => ({ ...named(action), usedBy: users.get(action) ?? [] });
      const now = clock.now();
      const record: ApiAppRecord = {
        ...current,
        server: packed.server,
        servers: packed.servers,
        definition: packed.app,
        operationCount: packed.operationCount,
        hidden: current.hidden.filter((each) => titles.has(each)),
        readAt: now,
        updatedAt: now,
      };
      if (!dryRun) await store.replace(record, packed);
      return {
        changes: {
          added: changes.added.map(named),
          removed: changes.removed.map(used),
          changed: changes.changed.map(used),
        },
        reconnect: await outdatedConnections(record),
      };
    },

    operations: (ownerId: string, id: string) => store.operations(id, ownerId),
    get: (ownerId: string, id: string) => store.get(id, ownerId),
    remove: (ownerId: string, id: string) => store.remove(id, ownerId),

    /** For runs: undefined when this owner has no such app. */
    async find(ownerId: string, id: string, actionIds?: readonly string[]): Promise<App | undefined> {
      const found = await store.findWithActions(id, ownerId, actionIds);
      return found && appOf(found.record, found.actions);
    },

    /** Throws `app_not_found` or `forbidden`. */
    async describe(
      ownerId: string,
      id: string,
      actionIds?: readonly string[],
    ): Promise<{ app: App; api: ApiDocument }> {
      const found = await store.findWithActions(id, ownerId, actionIds);
      const record = found?.record ?? (await store.get(id, ownerId));
      return {
        app: appOf(record, found?.actions ?? {}),
        api: toApiDocument(record, await store.countActions(id)),
      };
    },

    /** Reads no action: the operations are stored for lists. */
    async list(ownerId: string): Promise<Omit<AppSummary, "connected">[]> {
      const apps: Omit<AppSummary, "connected">[] = [];
      for await (const { record, operations } of store.list(ownerId)) {
        const hidden = new Set(record.hidden);
        const { description, category, icon, documentation, auth } = record.definition;
        apps.push({
          id: record.id,
          title: record.title,
          description,
          category,
          synonyms: [],
          icon,
          documentation,
          isOwn: true,
          auth: auth.map(({ kind }) => kind),
          actions: operations
            .filter(({ id }) => !hidden.has(id))
            .map(({ id, title, description: text, tags, writes }) => ({
              id,
              title,
              description: text,
              synonyms: tags,
              writes,
            })),
          triggers: [],
        });
      }
      return apps;
    },
  };
}

function appOf({ id, title, server, definition }: ApiAppRecord, actions: App["actions"]): App {
  // The first host is that of the server in the document; the others are of single operations.
  const hosts = [...new Set([hostEntry(server), ...definition.hosts.slice(1)])];
  return { ...definition, id, title, baseUrl: server, hosts, actions };
}

export function toApiDocument(record: ApiAppRecord, actions: number): ApiDocument {
  const { sourceUrl, server, servers, operationCount, hidden, readAt, createdAt } = record;
  return {
    source: sourceUrl,
    server,
    servers,
    operations: operationCount,
    actions,
    hidden,
    readAt: toIso(readAt),
    createdAt: toIso(createdAt),
  };
}

function requireServer(given: string): string {
  const server = serverUrl(given.trim());
  if (server === undefined)
    throw invalidRequest("The server must be an address such as https://api.example.com/v1.", [
      { path: "server", message: "must be an address with https:// or http://" },
    ]);
  return server;
}
