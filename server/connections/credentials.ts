import type { ConnectionSettings } from "../../contract/connections.ts";
import type { ConnectionRecord } from "./connection.sql.ts";
import type { AuthorizedRequest, Credential } from "./connection-use.ts";

type Secrets = Record<string, string>;

/** Credentials that never change by themselves: keys, passwords, tokens, headers. */
export function staticCredential(record: ConnectionRecord, stored: Record<string, unknown>): Credential {
  const headers = record.kind === "headers" ? (stored["headers"] as Secrets) : {};
  const secretValues = record.kind === "headers" ? {} : (stored as Secrets);
  return {
    secretValues,
    secrets: () => [...Object.values(secretValues), ...Object.values(headers).flatMap(withoutScheme)],
    authorize(request) {
      addTo(request, record, secretValues, headers);
    },
    renew: () => Promise.resolve(false),
  };
}

function addTo(
  request: AuthorizedRequest,
  { kind, settings }: ConnectionRecord,
  secrets: Secrets,
  headers: Secrets,
): void {
  switch (kind) {
    case "bearer":
      request.headers["authorization"] = `Bearer ${secrets["token"]}`;
      break;
    case "basic": {
      const { username } = settings as ConnectionSettings<"basic">;
      const pair = Buffer.from(`${username}:${secrets["password"]}`, "utf8").toString("base64");
      request.headers["authorization"] = `Basic ${pair}`;
      break;
    }
    case "headers":
      for (const [name, value] of Object.entries(headers)) request.headers[name.toLowerCase()] = value;
      break;
    case "api_key": {
      const { in: where, name = "", prefix = "", bearer } = settings as ConnectionSettings<"api_key">;
      const value = `${prefix}${secrets["key"]}`;
      if (where === "query") setQuery(request.url, name, value);
      else if (where === "path") {
        // A path is encoded by URL: the name is looked up in both spellings. A colon is common in keys and needs no encoding.
        const part = encodeURIComponent(value).replaceAll("%3A", ":");
        for (const spelling of new Set([name, encodeURI(name)]))
          request.url.pathname = request.url.pathname.replace(spelling, () => part);
      } else request.headers[name.toLowerCase()] = value;
      if (bearer) request.headers["authorization"] = `Bearer ${secrets["key"]}`;
      break;
    }
    default:
      throw new TypeError(`A connection of the kind ${kind} is not sent with HTTP requests.`);
  }
}

/** Appended as text: `searchParams` re-encodes the rest of the query, which breaks a signature over it. */
function setQuery(url: URL, name: string, value: string): void {
  if (url.searchParams.has(name)) url.searchParams.delete(name);
  const added = new URLSearchParams([[name, value]]).toString();
  url.search = url.search.length > 1 ? `${url.search}&${added}` : added;
}

/** `Bearer abc` contains `abc`. */
function withoutScheme(header: string): string[] {
  return [header, header.replace(/^\S+\s+/, "")];
}
