import {
  connectionContext,
  eventSecretContext,
  mcpServerContext,
  oauthClientContext,
  pushConfigContext,
  secondFactorContext,
  secretContext,
  signatureContext,
  triggerContext,
} from "../security/seal-contexts.ts";
import type { Db, Row, Statement } from "./db.ts";

export interface SealedColumn {
  table: string;
  column: string;
  /** Text columns that identify a row. */
  keys: readonly string[];
  contextOf(row: Row): string;
}

/** Every column with sealed values. A new one must be added here, or a key rotation leaves it behind and the audit log shows it. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    // A variable that is not a secret is JSON, which never begins like a sealed value.
    table: "variable",
    column: "value",
    keys: ["owner_id", "name"],
    contextOf: (row) => secretContext(String(row["owner_id"]), String(row["name"])),
  },
  {
    table: "webhook",
    column: "signature_secret",
    keys: ["owner_id", "id"],
    contextOf: (row) => signatureContext({ ownerId: String(row["owner_id"]), id: String(row["id"]) }),
  },
  ...["secret", "previous_secret"].map((column) => ({
    table: "event_subscription",
    column,
    keys: ["owner_id", "id"],
    contextOf: (row: Row) => eventSecretContext({ ownerId: String(row["owner_id"]), id: String(row["id"]) }),
  })),
  {
    table: "triggers",
    column: "secrets",
    keys: ["owner_id", "id"],
    contextOf: (row) => triggerContext({ ownerId: String(row["owner_id"]), id: String(row["id"]) }),
  },
  {
    table: "a2a_push_config",
    column: "sealed",
    keys: ["owner_id", "id"],
    contextOf: (row) => pushConfigContext({ ownerId: String(row["owner_id"]), id: String(row["id"]) }),
  },
  ...(["headers", "oauth", "pending"] as const).map((column) => ({
    table: "mcp_server",
    column,
    keys: ["owner_id", "id"],
    contextOf: (row: Row) =>
      mcpServerContext({ ownerId: String(row["owner_id"]), id: String(row["id"]) }, column),
  })),
  ...(["secrets", "tokens", "pending"] as const).map((column) => ({
    table: "connection",
    column,
    keys: ["owner_id", "id"],
    contextOf: (row: Row) =>
      connectionContext({ ownerId: String(row["owner_id"]), id: String(row["id"]) }, column),
  })),
  {
    table: "second_factor",
    column: "secret",
    keys: ["user_id"],
    contextOf: (row) => secondFactorContext(String(row["user_id"])),
  },
  {
    table: "app_oauth_client",
    column: "client_secret",
    keys: ["app"],
    contextOf: (row) => oauthClientContext(String(row["app"])),
  },
];

/** Rows after `last` that are sealed with another key, ordered by their keys. */
export function listSealed(
  db: Db,
  { table, column, keys }: SealedColumn,
  { last, newest, limit }: { last: Row | undefined; newest: string; limit: number },
): Promise<Row[]> {
  const names = keys.join(", ");
  const after = Object.fromEntries(keys.map((key) => [key, String(last?.[key] ?? "")]));
  return db.query(
    `select ${names}, ${column} as sealed from ${table}
     where ${column} like 'v1.%' and ${column} not like $newest and (${names}) > (${keys.map((key) => `$${key}`).join(", ")})
     order by ${names} limit $limit`,
    { ...after, newest: `${newest}%`, limit },
  );
}

/** Changes nothing if the value was replaced in the meantime. */
export function replaceSealed({ table, column, keys }: SealedColumn, row: Row, sealed: string): Statement {
  const isRow = keys.map((key) => `${key} = $${key}`).join(" and ");
  return {
    sql: `update ${table} set ${column} = $sealed where ${isRow} and ${column} = $old`,
    params: {
      sealed,
      old: String(row["sealed"]),
      ...Object.fromEntries(keys.map((key) => [key, String(row[key])])),
    },
  };
}
