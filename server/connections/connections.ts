import type { PageQuery } from "../../contract/api.ts";
import { type AppAuth, isWayOf } from "../../contract/apps.ts";
import type {
  Connection,
  ConnectionKind,
  ConnectionSettings,
  CreateConnection,
  UpdateConnection,
} from "../../contract/connections.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError, invalidRequest, notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { ConnectionApp, ConnectionApps } from "./connection-app.ts";
import {
  derivedSettings,
  destinationOf,
  isSentByHttp,
  readSecrets,
  readSettings,
} from "./connection-kinds.ts";
import { type ConnectionRecord, type ConnectionStore, MAX_CONNECTIONS } from "./connection.sql.ts";
import { renderHost, renderHosts } from "./host-binding.ts";
import { sealJson } from "./sealed-json.ts";

export interface ConnectionsDeps {
  store: ConnectionStore;
  box: SecretBox;
  clock: Clock;
  apps: ConnectionApps;
  /** It has a new credential: steps that wait for it try again. */
  onRepaired(record: ConnectionRecord): void;
}

export type Connections = ReturnType<typeof createConnections>;

export function createConnections({ store, box, clock, apps, onRepaired }: ConnectionsDeps) {
  async function appOf(ownerId: string, id: string | null | undefined): Promise<ConnectionApp | undefined> {
    if (id === null || id === undefined) return undefined;
    const app = await apps.find(ownerId, id);
    if (app === undefined) throw notFound("app", id);
    return app;
  }

  /** Not stored: the record of a body, also to test it before it is saved. */
  async function build(
    ownerId: string,
    given: CreateConnection,
    createdBy: string = ownerId,
  ): Promise<ConnectionRecord> {
    const now = clock.now();
    const { kind, name } = given;
    const app = await appOf(ownerId, given.app);
    const fields = given.fields ?? {};
    const secrets = given.secrets as Record<string, unknown>;
    const bare: ConnectionRecord = {
      id: createId("conn", now),
      ownerId,
      kind,
      name,
      app: app?.id ?? null,
      hosts: hostsOf(kind, app, fields, given.hosts ?? []),
      fields,
      settings: { ...settingsOf(kind, app, given.settings, fields), ...secretSettings(kind, app, secrets) },
      secrets: "",
      status: "untested",
      account: null,
      problemAt: null,
      problem: null,
      lastTestAt: null,
      lastUsedAt: null,
      tokens: null,
      tokensVersion: 0,
      expiresAt: null,
      createdBy,
      createdAt: now,
      updatedAt: now,
    };
    return { ...bare, status: initialStatus(bare), secrets: sealJson(box, bare, "secrets", secrets) };
  }

  return {
    build,

    async create(
      ownerId: string,
      given: CreateConnection,
      createdBy: string = ownerId,
    ): Promise<ConnectionRecord> {
      const connection = await build(ownerId, given, createdBy);
      if (!(await store.insert(connection)))
        throw new AppError(
          "limit_reached",
          `You have ${MAX_CONNECTIONS} connections, the most allowed. Delete one that you no longer use.`,
        );
      return connection;
    },

    get: (ownerId: string, id: string) => store.get(id, ownerId),

    /** For records that name a connection: one of another user does not exist for this one. */
    async require(ownerId: string, id: string, isAccepted: (kind: ConnectionKind) => boolean): Promise<void> {
      const found = await store.find(id, ownerId);
      if (found === undefined) throw notFound("connection", id);
      if (!isAccepted(found.kind))
        throw invalidRequest(
          `The connection "${found.name}" is of the kind ${found.kind}, which cannot be used here.`,
          [{ path: "connection", message: "has another kind" }],
        );
    },

    list: (ownerId: string, page: PageQuery) => store.list(ownerId, page),
    remove: (ownerId: string, id: string) => store.remove(id, ownerId),

    /** A stolen login must not get a secret sent elsewhere: a new destination needs the secret again. */
    async update(ownerId: string, id: string, change: UpdateConnection): Promise<ConnectionRecord> {
      const current = await store.get(id, ownerId);
      const { kind } = current;
      const app = await appOf(ownerId, current.app);
      const fields = change.fields ?? current.fields;
      const secrets = change.secrets === undefined ? undefined : readSecrets(kind, change.secrets);
      const connection: ConnectionRecord = {
        ...current,
        name: change.name ?? current.name,
        fields,
        hosts: hostsOf(kind, app, fields, change.hosts ?? (app === undefined ? current.hosts : [])),
        settings: {
          ...current.settings,
          ...settingsOf(kind, app, readSettings(kind, { ...current.settings, ...change.settings }), fields),
          ...(secrets && secretSettings(kind, app, secrets)),
        },
        // Times of two changes differ: the state that a use of the old credential found is not stored.
        updatedAt: Math.max(clock.now(), current.updatedAt + 1),
      };
      const isSentElsewhere =
        destinationOf(kind, connection.settings) !== destinationOf(kind, current.settings) ||
        connection.hosts.some((host) => !current.hosts.includes(host));
      const isNewClient = connection.settings["clientId"] !== current.settings["clientId"];
      if (secrets !== undefined) connection.secrets = sealJson(box, connection, "secrets", secrets);
      else if ((isSentElsewhere || isNewClient) && holdsSecret(current))
        throw invalidRequest("Enter the secret again: it would be sent to another place than before.", [
          { path: "secrets", message: "is needed when the hosts or addresses change" },
        ]);
      const isNewCredential = isSentElsewhere || secrets !== undefined;
      const dropsTokens = kind === "oauth2" && (isNewCredential || isNewClient);
      if (isNewCredential || dropsTokens)
        Object.assign(connection, { status: initialStatus(connection), problem: null, problemAt: null });
      await store.update(connection, { dropsTokens });
      if (secrets !== undefined && !dropsTokens) onRepaired(connection);
      return connection;
    },
  };

  /** Tokens of OAuth are dropped instead. A public client has no secret. */
  function holdsSecret({ kind, settings }: ConnectionRecord): boolean {
    return kind !== "oauth2" || settings["clientId"] !== undefined;
  }
}

function initialStatus({ kind, settings }: ConnectionRecord): ConnectionRecord["status"] {
  const { grant } = settings as ConnectionSettings<"oauth2">;
  return kind === "oauth2" && grant !== "client_credentials" ? "authorization_needed" : "untested";
}

/** An app decides where its credentials go and how; a user decides the rest. */
function settingsOf(
  kind: ConnectionRecord["kind"],
  app: ConnectionApp | undefined,
  given: Record<string, unknown>,
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const ways = app?.auth.filter((each) => each.kind === kind) ?? [];
  const auth = ways.find((each) => isWayOf(each, kind, given)) ?? ways[0];
  if (app !== undefined && auth === undefined)
    throw invalidRequest(`${app.title} cannot be connected with ${kind}.`, [
      { path: "kind", message: `must be one of ${app.auth.map((each) => each.kind).join(", ")}` },
    ]);
  const settings = { ...given, ...(auth && appSettings(auth, given, fields)) };
  if (kind === "api_key" && settings["name"] === undefined)
    throw missing("settings.name", "The name of the header or query parameter is missing.");
  if (kind === "api_key" && (settings["in"] ?? "header") === "header") {
    const name = String(settings["name"]);
    readSecrets("headers", { headers: { [name]: "value" } });
  }
  if (kind === "oauth2" && settings["tokenUrl"] === undefined)
    throw missing("settings.tokenUrl", "The token URL is missing.");
  return settings;
}

/** Settings that come from the secrets. An app that needs several headers gets all of them and no other. */
function secretSettings(
  kind: ConnectionRecord["kind"],
  app: ConnectionApp | undefined,
  secrets: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const settings = derivedSettings(kind, secrets);
  if (app === undefined || kind !== "headers") return settings;
  const key = (names: readonly string[]): string =>
    names
      .map((name) => name.toLowerCase())
      .toSorted()
      .join("\n");
  const given = key(settings["names"] as string[]);
  const ways = app.auth.flatMap((each) => (each.kind === "headers" ? [each.names] : []));
  if (ways.some((names) => key(names) === given)) return settings;
  const needed = ways.map((names) => names.join(" and ")).join(", or ");
  throw invalidRequest(`${app.title} needs the headers ${needed}.`, [
    { path: "secrets.headers", message: `must be ${needed}` },
  ]);
}

/** What the app fixes. A user may choose other scopes of it and their own client. */
function appSettings(
  auth: AppAuth,
  given: Record<string, unknown>,
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> {
  if (auth.kind === "api_key")
    return { in: auth.in, name: auth.name, prefix: auth.prefix ?? "", bearer: auth.bearer ?? false };
  if (auth.kind !== "oauth2") return {};
  const { scopes, scopeSeparator, authorizationParameters, clientAuthentication = "body", pkce } = auth;
  const isClientOnly = auth.grant === "client_credentials";
  return {
    grant: auth.grant ?? "authorization_code",
    authorizationUrl:
      auth.authorizationUrl === undefined ? undefined : renderHost(auth.authorizationUrl, fields),
    tokenUrl: renderHost(auth.tokenUrl, fields),
    scopes: given["scopes"] ?? [...scopes],
    scopeSeparator,
    authorizationParameters,
    clientAuthentication: (isClientOnly && given["clientAuthentication"]) || clientAuthentication,
    pkce,
    issuer: undefined,
    // No user signs in, so the owner of the client says what the token is for.
    audience: isClientOnly ? given["audience"] : undefined,
  };
}

function hostsOf(
  kind: ConnectionRecord["kind"],
  app: ConnectionApp | undefined,
  fields: Record<string, string>,
  given: string[],
): string[] {
  if (app !== undefined) {
    if (given.length > 0)
      throw invalidRequest(`The hosts of ${app.title} are those of the app.`, [
        { path: "hosts", message: "cannot be set for an app" },
      ]);
    app.checkFields?.(fields);
    return renderHosts(app.hosts, fields);
  }
  if (!isSentByHttp(kind)) return [];
  if (given.length === 0)
    throw missing("hosts", "Name the hosts that may get the credential, such as api.example.com.");
  return [...new Set(given)];
}

function missing(path: string, message: string): AppError {
  return invalidRequest(message, [{ path, message: "is required" }]);
}

const HOUR_MS = 3_600_000;

/** Without any secret. */
const HIDDEN = { hosts: [], fields: {}, settings: {}, account: null };

/** A member who may only use the connection sees its name, app and status. */
export function toConnection(record: ConnectionRecord, canManage: boolean): Connection {
  const { id, kind, name, app, status, createdBy, problem, problemAt } = record;
  const { hosts, fields, settings, account } = canManage ? record : HIDDEN;
  const time = (at: number | null) => (at === null ? null : toIso(at));
  return {
    id,
    kind,
    name,
    app,
    hosts,
    fields,
    settings,
    status,
    account,
    createdBy,
    canManage,
    problem: problem === null || problemAt === null ? null : { at: toIso(problemAt), message: problem },
    lastTestAt: time(record.lastTestAt),
    lastUsedAt: time(record.lastUsedAt === null ? null : record.lastUsedAt - (record.lastUsedAt % HOUR_MS)),
    expiresAt: time(record.expiresAt),
    createdAt: toIso(record.createdAt),
    updatedAt: toIso(record.updatedAt),
  };
}
