import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { OpenApiDocument } from "./read-document.ts";
import { trimEndOf } from "../../contract/trim-end.ts";

const MAX_SERVERS = 20;

/** The addresses of the API, the first one suggested; variables have their defaults. Relative ones need the document's own address. */
export function serversOf(document: OpenApiDocument, sourceUrl: string | undefined): string[] {
  const candidates = Array.isArray(document["servers"])
    ? addressesOf(document["servers"])
    : [swaggerAddress(document)];
  const found = candidates.flatMap((address) => serverUrl(address, sourceUrl) ?? []);
  return [...new Set(found)].slice(0, MAX_SERVERS);
}

/** The address of a path or an operation with its own servers. */
export function ownServer(servers: unknown, base: string): string | undefined {
  if (!Array.isArray(servers)) return undefined;
  return addressesOf(servers).flatMap((address) => serverUrl(address, `${base}/`) ?? [])[0];
}

/** Undefined for what is not an address of a server. Without a slash at the end: paths begin with one. */
export function serverUrl(address: string | undefined, base?: string): string | undefined {
  if (address === undefined || /[{}\s]/.test(address)) return undefined;
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password !== "")
    return undefined;
  return trimEndOf(`${url.origin}${url.pathname}`, "/");
}

/** As connections are bound: without a port an entry means https on 443. */
export function hostEntry(server: string): string {
  const { protocol, host, hostname, port } = new URL(server);
  return protocol === "http:" && port === "" ? `${hostname}:80` : host;
}

function addressesOf(servers: readonly unknown[]): (string | undefined)[] {
  return servers.slice(0, MAX_SERVERS).map((server) => {
    if (!isRecord(server) || typeof server["url"] !== "string") return undefined;
    const variables = isRecord(server["variables"]) ? server["variables"] : {};
    return server["url"].replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return isRecord(variable) && typeof variable["default"] === "string" ? variable["default"] : whole;
    });
  });
}

function swaggerAddress({ host, basePath, schemes }: OpenApiDocument): string | undefined {
  if (typeof host !== "string") return typeof basePath === "string" ? basePath : undefined;
  const scheme = Array.isArray(schemes) && !schemes.includes("https") ? "http" : "https";
  return `${scheme}://${host}${typeof basePath === "string" ? basePath : ""}`;
}
