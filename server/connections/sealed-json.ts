import { connectionContext } from "../security/seal-contexts.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { ConnectionRecord } from "./connection.sql.ts";

type Row = Pick<ConnectionRecord, "id" | "ownerId">;
type Column = Parameters<typeof connectionContext>[1];

export function sealJson(box: SecretBox, row: Row, column: Column, value: unknown): string {
  return box.seal(JSON.stringify(value), connectionContext(row, column));
}

export function openJson(box: SecretBox, row: Row, column: Column, sealed: string): Record<string, unknown> {
  return JSON.parse(box.open(sealed, connectionContext(row, column))) as Record<string, unknown>;
}
