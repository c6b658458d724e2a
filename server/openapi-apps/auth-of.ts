import type { AppAuth } from "../../contract/apps.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { isLoopbackName } from "../security/address-classes.ts";
import { shortText } from "./field-of.ts";
import type { OpenApiDocument, Resolve, Schema } from "./read-document.ts";

export interface DescribedAuth {
  ways: AppAuth[];
  /** The document says nothing about logins. */
  isUndescribed: boolean;
}

/** What most APIs take. */
const USUAL: AppAuth[] = [{ kind: "bearer" }, { kind: "basic" }];

/** The security schemes as ways to log in. Those that a connection cannot hold, such as cookies, are left out. */
export function authOf(document: OpenApiDocument, resolve: Resolve, baseUrl: string): DescribedAuth {
  const components = isRecord(document["components"]) ? document["components"] : {};
  const schemes = components["securitySchemes"] ?? document["securityDefinitions"];
  const found = new Map(
    Object.entries(isRecord(schemes) ? schemes : {}).flatMap(([name, given]) => {
      const scheme = resolve(given);
      return scheme === undefined ? [] : [[name, scheme]];
    }),
  );
  const requirements = requirementsOf(document);
  const together = headersTogether(requirements, found);
  const inSets = new Set(together.flatMap(({ schemes }) => schemes));
  const enoughAlone = new Set(requirements.flatMap((schemes) => (schemes.length === 1 ? schemes : [])));
  const alone = [...found].flatMap(([name, scheme]): AppAuth[] => {
    if (inSets.has(name) && !enoughAlone.has(name)) return [];
    const help = shortText(scheme["description"]);
    return waysOf(scheme, baseUrl).map((way) => ({ ...way, ...(help && { help }) }));
  });
  const ways = unique([...together.map(({ way }) => way), ...alone]);
  return { ways: ways.length === 0 ? USUAL : withTitles(ways), isUndescribed: found.size === 0 };
}

/** Sets of headers that a call needs at once, such as a key and the id of the application. */
function headersTogether(requirements: readonly string[][], found: ReadonlyMap<string, Schema>) {
  return requirements.flatMap((schemes) => {
    const names = schemes.map((name) => headerOf(found.get(name)));
    if (names.length < 2 || names.includes(undefined)) return [];
    const way: AppAuth = { kind: "headers", names: (names as string[]).toSorted() };
    return [{ schemes, way }];
  });
}

/** Each entry of `security` of the document and of its operations: names of schemes that are needed together. */
function requirementsOf(document: OpenApiDocument): string[][] {
  const paths = isRecord(document["paths"]) ? Object.values(document["paths"]) : [];
  const operations = paths.flatMap((path) => (isRecord(path) ? Object.values(path) : []));
  return [document, ...operations].flatMap((place) => {
    const security: unknown = isRecord(place) ? place["security"] : undefined;
    return Array.isArray(security) ? security.filter(isRecord).map((entry) => Object.keys(entry)) : [];
  });
}

function headerOf(scheme: Schema | undefined): string | undefined {
  const way = scheme && wayOf(scheme);
  if (way?.kind === "bearer") return "Authorization";
  return way?.kind === "api_key" && way.in === "header" ? way.name : undefined;
}

function unique(ways: readonly AppAuth[]): AppAuth[] {
  const seen = new Set<string>();
  return ways.filter((way) => {
    const key = JSON.stringify({ ...way, help: undefined });
    return !seen.has(key) && seen.add(key);
  });
}

/** One of several keys is chosen by its name. */
function withTitles(ways: AppAuth[]): AppAuth[] {
  if (ways.filter(({ kind }) => kind === "api_key").length < 2) return ways;
  return ways.map((way) => (way.kind === "api_key" ? { ...way, title: `API key (${way.name})` } : way));
}

function wayOf(scheme: Schema): AppAuth | undefined {
  const type = String(scheme["type"]);
  if (type === "basic") return { kind: "basic" };
  if (type === "http") {
    const name = String(scheme["scheme"]).toLowerCase();
    return name === "bearer" ? { kind: "bearer" } : name === "basic" ? { kind: "basic" } : undefined;
  }
  if (type === "apiKey") {
    const { in: where, name } = scheme;
    if (typeof name !== "string" || !/^[\w.$-]{1,200}$/.test(name)) return undefined;
    return where === "header" || where === "query" ? { kind: "api_key", in: where, name } : undefined;
  }
  return undefined;
}

/** Other flows end in a bearer token as well, which people get from the vendor. */
const OWN_TOKEN: AppAuth = { kind: "bearer" };

function waysOf(scheme: Schema, baseUrl: string): AppAuth[] {
  if (scheme["type"] === "oauth2") {
    const flows = oauthWaysOf(scheme, baseUrl);
    return flows.length === 0 ? [OWN_TOKEN] : flows;
  }
  if (scheme["type"] === "openIdConnect") return [OWN_TOKEN];
  const way = wayOf(scheme);
  return way === undefined ? [] : [way];
}

/** One way for each flow that works without the user's password. */
function oauthWaysOf(scheme: Schema, baseUrl: string): AppAuth[] {
  const flows = isRecord(scheme["flows"]) ? scheme["flows"] : {};
  const swaggerFlow = (name: string) => (scheme["flow"] === name ? scheme : undefined);
  const byUser = flowOf(flows["authorizationCode"] ?? swaggerFlow("accessCode"), baseUrl);
  const byClient = flowOf(flows["clientCredentials"] ?? swaggerFlow("application"), baseUrl);
  const ways: AppAuth[] = [];
  if (byUser?.authorizationUrl !== undefined) ways.push({ kind: "oauth2", ...byUser });
  if (byClient !== undefined) {
    const { tokenUrl, scopes } = byClient;
    // Every server takes HTTP basic (RFC 6749, 2.3.1); a connection may choose the body.
    const clientAuthentication = "basic";
    ways.push({ kind: "oauth2", grant: "client_credentials", tokenUrl, scopes, clientAuthentication });
  }
  return ways;
}

function flowOf(flow: unknown, baseUrl: string) {
  if (!isRecord(flow)) return undefined;
  const tokenUrl = safeUrl(flow["tokenUrl"], baseUrl);
  const authorizationUrl = safeUrl(flow["authorizationUrl"], baseUrl);
  if (tokenUrl === undefined) return undefined;
  const scopes = isRecord(flow["scopes"]) ? Object.keys(flow["scopes"]) : [];
  return { ...(authorizationUrl && { authorizationUrl }), tokenUrl, scopes };
}

/** Without encryption a code or a token could be read on the way. A template could name other fields. */
function safeUrl(given: unknown, baseUrl: string): string | undefined {
  if (
    typeof given !== "string" ||
    given === "" ||
    given.includes("{{") ||
    !URL.canParse(given, `${baseUrl}/`)
  )
    return undefined;
  const url = new URL(given, `${baseUrl}/`);
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && isLoopbackName(url.hostname));
  return isSafe && url.username + url.password === "" ? url.href : undefined;
}
