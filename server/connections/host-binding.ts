import { isHostEntry } from "../../contract/connections.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";

/** Without a port an entry means https on 443, so that a credential never travels in the clear by mistake. */
export function isBoundHost(hosts: readonly string[], url: URL): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return hosts.some((entry) => {
    const [, host = "", entryPort = "443"] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
    if (entryPort !== port || (port === "443" && url.protocol !== "https:")) return false;
    return host.startsWith("*.") ? url.hostname.endsWith(host.slice(1)) : url.hostname === host;
  });
}

export function hostNotAllowed(connection: { name: string; hosts: readonly string[] }, url: URL): AppError {
  const shown = connection.hosts.slice(0, 5).join(", ");
  return new AppError(
    "connection_host_not_allowed",
    `The connection "${connection.name}" is not sent to ${url.protocol}//${url.host}. Its hosts: ${shown || "none"}.`,
  );
}

/** A field becomes part of a host: with a slash or an at sign it would name another one. */
const HOST_PART = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*(:\d{1,5})?$/;

/** Hosts and addresses of an app, such as `{{connection.shop}}.example.com`. */
export function renderHost(template: string, fields: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{\s*connection\.(\w+)\s*\}\}/g, (_match, field: string) => {
    const value = (Object.hasOwn(fields, field) ? (fields[field] ?? "") : "").trim().toLowerCase();
    if (!HOST_PART.test(value))
      throw invalidRequest(`"${field}" must be part of a host name, without https:// and slashes.`, [
        { path: `fields.${field}`, message: "must be part of a host name" },
      ]);
    return value;
  });
}

export function renderHosts(
  templates: readonly string[],
  fields: Readonly<Record<string, string>>,
): string[] {
  return templates.map((template) => {
    const entry = renderHost(template, fields);
    if (!isHostEntry(entry)) throw invalidRequest(`"${entry}" is not a host.`);
    return entry;
  });
}
