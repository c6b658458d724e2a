import { type ApiErrorCode, RESOURCES, type ResourceNoun, statusOfError } from "../../../contract/errors.ts";
import { refTo, type Schema } from "./schema.ts";
import { DEFAULT_SECURITY, securityErrors, securityOf } from "./security.ts";
import type { DocumentedRoute } from "./route-schema.ts";

/** The statuses of errors, each with a response that operations refer to. */
const STATUSES: Readonly<Record<number, { name: string; description: string; code: ApiErrorCode }>> = {
  400: { name: "BadRequest", description: "The request is not valid.", code: "invalid_request" },
  401: {
    name: "Unauthorized",
    description: "The credential is missing or not valid.",
    code: "invalid_token",
  },
  403: { name: "Forbidden", description: "The caller may not do this.", code: "forbidden" },
  404: { name: "NotFound", description: "The record does not exist.", code: "not_found" },
  409: {
    name: "Conflict",
    description: "The state of the record does not allow this.",
    code: "version_conflict",
  },
  413: { name: "PayloadTooLarge", description: "The body is too large.", code: "payload_too_large" },
  415: {
    name: "UnsupportedMediaType",
    description: "The body has another media type than the route reads.",
    code: "unsupported_media_type",
  },
  422: { name: "Unprocessable", description: "The content cannot be processed.", code: "invalid_workflow" },
  429: { name: "TooManyRequests", description: "A limit is reached.", code: "rate_limited" },
  500: { name: "ServerError", description: "The run or the service failed.", code: "internal_error" },
  503: {
    name: "Unavailable",
    description: "A service that this one needs is not available.",
    code: "unavailable",
  },
  504: { name: "Timeout", description: "The time limit of the call ended.", code: "execution_timeout" },
};
const OTHER = "OtherError";

const integer = { type: "integer" };
const rateHeaders = {
  "Retry-After": { description: "Seconds until the next attempt", schema: integer },
  "RateLimit-Limit": { description: "Calls per period", schema: integer },
  "RateLimit-Remaining": { description: "Calls left in this period", schema: integer },
  "RateLimit-Reset": { description: "Seconds until the period ends", schema: integer },
};

function errorResponse(description: string, code: ApiErrorCode, message: string) {
  const example = { ok: false, error: code, message };
  return { description, content: { "application/json": { schema: refTo("Error"), example } } };
}

/** The body of an error in the shape of another protocol. */
export interface OwnShape {
  schema: Schema;
  example: unknown;
  mediaTypes: readonly string[];
}

function ownResponse(description: string, { mediaTypes, ...media }: OwnShape): object {
  return { description, content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, media])) };
}

/** The responses of `components` that the operations refer to. */
export function sharedErrorResponses(): Record<string, object> {
  const shared = Object.entries(STATUSES).map(([status, { name, description, code }]) => [
    name,
    {
      ...errorResponse(description, code, description),
      ...(status === "429" && { headers: rateHeaders }),
    },
  ]);
  const other = errorResponse("Any other error.", "internal_error", "An internal error occurred.");
  return { ...Object.fromEntries(shared), [OTHER]: other };
}

/** The error responses of a route: by its security, its path and its body, and the codes that it names. */
export function errorResponsesOf(route: DocumentedRoute, ownShape?: OwnShape): Record<string, object> {
  const { schema } = route;
  const implied = new Set(impliedCodes(route));
  const named = [...(schema.errors ?? []), ...missingRecord(route)];
  const byStatus = new Map<number, ApiErrorCode[]>();
  for (const code of new Set([...named, ...implied])) {
    const status = statusOfError(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Record<string, object> = {};
  for (const [status, codes] of byStatus) {
    const entry = STATUSES[status];
    if (entry === undefined) throw new Error(`No error response is described for status ${status}.`);
    const { name, description } = entry;
    if (ownShape !== undefined) {
      responses[status] = ownResponse(description, ownShape);
      continue;
    }
    const first = codes.find((code) => named.includes(code) && !implied.has(code));
    if (first === undefined || status === 429) responses[status] = { $ref: `#/components/responses/${name}` };
    else
      responses[status] = errorResponse(
        `${description} Codes: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
        first,
        description,
      );
  }
  if (ownShape !== undefined) return { ...responses, default: ownResponse("Any other error.", ownShape) };
  return { ...responses, default: { $ref: `#/components/responses/${OTHER}` } };
}

function impliedCodes({ url, access, schema: { security, body } }: DocumentedRoute): ApiErrorCode[] {
  const schemes = (security ?? securityOf(access) ?? DEFAULT_SECURITY).flatMap((requirement) =>
    Object.keys(requirement),
  );
  return [
    "invalid_request",
    ...schemes.flatMap((scheme) => securityErrors[scheme] ?? []),
    // Keys open no route of an account.
    ...(ownsRecords({ url, security }) || access !== undefined ? (["forbidden"] as const) : []),
    ...(body === undefined ? [] : (["payload_too_large", "unsupported_media_type"] as const)),
  ];
}

function ownsRecords({ url, security }: { url: string; security: unknown }): boolean {
  return security === undefined && url.includes(":");
}

const NOUN_OF_SEGMENT: Readonly<Record<string, ResourceNoun>> = {
  "agent-teams": "team",
  import: "template",
  keys: "api_key",
};

/** The code for the record that the first parameter of the path names, unless the route names another. */
function missingRecord({ url, schema: { security, errors = [] } }: DocumentedRoute): ApiErrorCode[] {
  if (!ownsRecords({ url, security }) || errors.some((code) => statusOfError(code) === 404)) return [];
  const segment = /([^/]+)\/:/.exec(url)?.[1] ?? "";
  const singular = segment.replace(/s$/, "").replaceAll("-", "_");
  const noun = NOUN_OF_SEGMENT[segment] ?? RESOURCES.find((resource) => resource === singular);
  return [noun === undefined ? "not_found" : `${noun}_not_found`];
}
