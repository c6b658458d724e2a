import type { AppAuth } from "../../contract/apps.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
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
export function authOf(document: OpenApiDocument, resolve: Resolve): DescribedAuth {
  const components = isRecord(document["components"]) ? document["components"] : {};
  const schemes = components["securitySchemes"] ?? document["securityDefinitions"];
  const found = isRecord(schemes) ? Object.values(schemes) : [];
  const ways = found.flatMap((given): AppAuth[] => {
    const scheme = resolve(given);
    const way = scheme === undefined ? undefined : wayOf(scheme);
    if (way === undefined) return [];
    const help = shortText(scheme?.["description"]);
    return [{ ...way, ...(help && { help }) }];
  });
  const seen = new Set<string>();
  const different = ways.filter((way) => {
    const key = JSON.stringify({ ...way, help: undefined });
    return !seen.has(key) && seen.add(key);
  });
  return { ways: different.length === 0 ? USUAL : different, isUndescribed: found.length === 0 };
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
  return type === "oauth2" ? oauthOf(scheme) : undefined;
}

function oauthOf(scheme: Schema): AppAuth | undefined {
  const flows = isRecord(scheme["flows"]) ? scheme["flows"] : {};
  const flow = flows["authorizationCode"] ?? (scheme["flow"] === "accessCode" ? scheme : undefined);
  if (!isRecord(flow)) return undefined;
  const { authorizationUrl, tokenUrl, scopes } = flow;
  if (!isSafeUrl(authorizationUrl) || !isSafeUrl(tokenUrl)) return undefined;
  return { kind: "oauth2", authorizationUrl, tokenUrl, scopes: isRecord(scopes) ? Object.keys(scopes) : [] };
}

/** Without encryption a code or a token could be read on the way. A template could name other fields. */
function isSafeUrl(given: unknown): given is string {
  return (
    typeof given === "string" && given.startsWith("https://") && URL.canParse(given) && !given.includes("{{")
  );
}
