import type { AuditEvent } from "../../contract/audit.ts";

const COLUMNS: readonly [name: string, valueOf: (event: AuditEvent) => unknown][] = [
  ["sequence", ({ sequence }) => sequence],
  ["at", ({ at }) => at],
  ["stage", ({ stage }) => stage],
  ["actionId", ({ actionId }) => actionId],
  ["action", ({ action }) => action],
  ["outcome", ({ outcome }) => outcome],
  ["status", ({ status }) => status],
  ["error", ({ error }) => error],
  ["actorKind", ({ actor }) => actor.kind],
  ["actorId", ({ actor }) => actor.id],
  ["actorName", ({ actor }) => actor.name],
  ["keyId", ({ actor }) => actor.keyId],
  ["targetKind", ({ target }) => target.kind],
  ["targetId", ({ target }) => target.id],
  ["targetName", ({ target }) => target.name],
  ["address", ({ address }) => address],
  ["userAgent", ({ userAgent }) => userAgent],
  ["requestId", ({ requestId }) => requestId],
  ["before", ({ before }) => before],
  ["after", ({ after }) => after],
  ["previousHash", ({ previousHash }) => previousHash],
  ["hash", ({ hash }) => hash],
];

export function csvHeader(): string {
  return `${COLUMNS.map(([name]) => name).join(",")}\r\n`;
}

export function toCsvLine(event: AuditEvent): string {
  return `${COLUMNS.map(([, valueOf]) => cell(valueOf(event))).join(",")}\r\n`;
}

/** A spreadsheet runs a cell that begins with one of these as a formula; the apostrophe makes it text. */
const FORMULA = /^[=+\-@\t\r\n]/;

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
