import * as z from "zod";
import { type ConnectionKind, connectionSecrets, connectionSettings } from "../../contract/connections.ts";
import { invalidRequest } from "../lib/errors.ts";
import { percentDecode } from "../lib/lenient-parse.ts";

/** Kinds whose credential is sent with HTTP requests, so it must be bound to hosts. */
const HTTP_KINDS: ReadonlySet<ConnectionKind> = new Set(["api_key", "basic", "bearer", "headers", "oauth2"]);

export function isSentByHttp(kind: ConnectionKind): boolean {
  return HTTP_KINDS.has(kind);
}

export function readSettings(kind: ConnectionKind, given: unknown): Record<string, unknown> {
  return read(connectionSettings[kind], given, "settings");
}

export function readSecrets(kind: ConnectionKind, given: unknown): Record<string, unknown> {
  return read(connectionSecrets[kind], given, "secrets");
}

function read(schema: z.ZodType, given: unknown, part: string): Record<string, unknown> {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data as Record<string, unknown>;
  const details = error.issues.map(({ path, message }) => ({ path: [part, ...path].join("."), message }));
  const [first] = details;
  throw invalidRequest(`${first?.path} ${first?.message}`, details);
}

/** Settings that are shown but come from the secrets. */
export function derivedSettings(
  kind: ConnectionKind,
  secrets: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (kind === "headers") return { names: Object.keys(secrets["headers"] as object) };
  if (kind === "database") return databaseSettings(String(secrets["url"]));
  return {};
}

/** Settings that decide where a secret is sent. When one changes, the secret must be entered again. */
export function destinationOf(kind: ConnectionKind, settings: Readonly<Record<string, unknown>>): string {
  const names: Partial<Record<ConnectionKind, string[]>> = {
    oauth2: ["authorizationUrl", "tokenUrl", "grant", "issuer"],
    smtp: ["host", "port", "security"],
    imap: ["host", "port", "security"],
    s3: ["endpoint"],
  };
  return JSON.stringify((names[kind] ?? []).map((name) => settings[name] ?? null));
}

const DATABASE_TYPES: Record<string, { type: string; port: number }> = {
  "postgres:": { type: "postgres", port: 5432 },
  "postgresql:": { type: "postgres", port: 5432 },
  "mysql:": { type: "mysql", port: 3306 },
  "mariadb:": { type: "mysql", port: 3306 },
  "redis:": { type: "redis", port: 6379 },
  "rediss:": { type: "redis", port: 6379 },
};

/** Without the password and the parameters, which may hold one. */
function databaseSettings(text: string): Record<string, unknown> {
  if (/^sqlite:/i.test(text))
    return {
      type: "sqlite",
      host: null,
      port: null,
      database: text.replace(/^sqlite:(\/\/)?/i, ""),
      user: null,
    };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const known = url === undefined ? undefined : DATABASE_TYPES[url.protocol];
  if (url === undefined || known === undefined || url.hostname === "")
    throw invalidRequest(
      "The database URL must begin with postgres://, mysql://, redis://, rediss:// or sqlite:.",
      [{ path: "secrets.url", message: "must be the URL of a database" }],
    );
  return {
    type: known.type,
    host: url.hostname,
    port: Number(url.port) || known.port,
    database: percentDecode(url.pathname.slice(1)),
    user: percentDecode(url.username),
  };
}
