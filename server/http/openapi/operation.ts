import type * as z from "zod";
import { errorSchema } from "../../../contract/api.ts";
import { errorResponsesOf, type OwnShape } from "./error-responses.ts";
import type { Examples } from "./examples.ts";
import type { RouteAccess } from "../../../contract/roles.ts";
import type { RequestHeader } from "./request-headers.ts";
import type { DocumentedRoute, DocumentedSchema } from "./route-schema.ts";
import type { Schema } from "./schema.ts";
import { securityOf, securitySchemes } from "./security.ts";

export interface OperationDeps {
  request(schema: z.ZodType): Schema;
  response(schema: z.ZodType): Schema;
  examples: Examples;
}

const EVENT_STREAM = "text/event-stream";
const SUCCESS: Readonly<Record<string, string>> = { 200: "Success", 201: "Created", 202: "Accepted" };

/** The operation of one route. */
export function toOperation(route: DocumentedRoute, deps: OperationDeps): object {
  const { schema } = route;
  const security = schema.security ?? securityOf(route.access);
  const parameters = [
    ...parametersOf(schema.params, "path", deps),
    ...parametersOf(schema.querystring, "query", deps).filter(({ name }) => !isCredential(schema, name)),
    ...headersOf(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
  return {
    operationId: schema.operationId,
    tags: schema.tags,
    summary: schema.summary,
    description: schema.description,
    ...(schema.deprecated && { deprecated: true }),
    ...(security && { security }),
    ...requirementsOf(route.access),
    ...(parameters.length > 0 && { parameters }),
    ...(schema.body && { requestBody: requestBodyOf(schema.body, schema, deps) }),
    responses: { ...errorResponsesOf(route, ownErrorShape(schema, deps)), ...successesOf(schema, deps) },
  };
}

function headersOf({ access, schema: { requestHeaders = [] } }: DocumentedRoute): readonly RequestHeader[] {
  return typeof access === "object" && access.workspace === undefined
    ? [...requestHeaders, "Workspace"]
    : requestHeaders;
}

/** The least role and the scope of an API key; `account` routes are the person's own, `administrator` routes the instance's. */
function requirementsOf(access: RouteAccess | undefined): object {
  if (access === undefined) return {};
  return typeof access === "string"
    ? { "x-required-role": access }
    : { "x-required-role": access.role, "x-required-scope": access.scope };
}

/**
 * A route of another protocol declares its shape of errors as `4xx`. They have the media type of its results, those of
 * authentication and limits that of every route.
 */
function ownErrorShape(
  { response, produces = [] }: DocumentedSchema,
  deps: OperationDeps,
): OwnShape | undefined {
  const shape = response?.["4xx"];
  if (shape === undefined || shape === errorSchema) return undefined;
  const schema = deps.response(shape);
  const own = produces.filter((mediaType) => mediaType.endsWith("+json"));
  return { schema, example: deps.examples.response(schema), mediaTypes: ["application/json", ...own] };
}

function parametersOf(schema: z.ZodType | undefined, place: "path" | "query", deps: OperationDeps) {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = deps.request(schema);
  return Object.entries(properties).map(([name, { description, ...field }]) => ({
    name,
    in: place,
    ...(description !== undefined && { description }),
    required: place === "path" || required.includes(name),
    schema: withoutEmptyText(field),
  }));
}

/** An empty parameter counts as absent: the document names only the values that mean something. */
function withoutEmptyText(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  const branches = anyOf?.filter((branch) => branch.const !== "");
  const [only] = branches ?? [];
  return only !== undefined && branches?.length === 1 ? { ...only, ...rest } : schema;
}

/** The document describes a credential in the URL as a security scheme, not as a parameter. */
function isCredential({ security = [] }: DocumentedSchema, name: string): boolean {
  const schemes = security.flatMap((requirement) => Object.keys(requirement));
  return schemes.some((key) => {
    const scheme = securitySchemes[key as keyof typeof securitySchemes];
    return scheme.type === "apiKey" && scheme.in === "query" && scheme.name === name;
  });
}

function requestBodyOf(
  body: z.ZodType,
  { operationId = "", consumes, bodyExample }: DocumentedSchema,
  deps: OperationDeps,
) {
  const isOptional = body.safeParse(undefined).success || body.safeParse(null).success;
  const schema = isOptional ? withoutNull(deps.request(body)) : deps.request(body);
  const example = bodyExample ?? deps.examples.request(schema, nounOf(operationId));
  const content = (consumes ?? ["application/json"]).map((mediaType) => [
    mediaType,
    isBinary(mediaType) ? { schema: BINARY } : { schema, example },
  ]);
  return { required: !isOptional, content: Object.fromEntries(content) };
}

/** `createApiKey` is about an `ApiKey`. */
function nounOf(operationId: string): string {
  return operationId.replace(/^[a-z0-9]+/, "");
}

function successesOf(
  { response = {}, produces, events, responseExample }: DocumentedSchema,
  deps: OperationDeps,
) {
  const successes = Object.entries(response).filter(([status]) => /^2\d\d$/.test(status));
  const failures = Object.entries(response).filter(([status]) => /^[45]\d\d$/.test(status));
  const stream = events && deps.response(events);
  const contents = successes.map(([status, zodSchema]) => {
    const { description = SUCCESS[status] ?? "Success", ...schema } = deps.response(zodSchema);
    const example = responseExample ?? deps.examples.response(schema);
    const content = (produces ?? ["application/json"]).map((mediaType) => [
      mediaType,
      isBinary(mediaType) ? { schema: BINARY } : { schema, example },
    ]);
    return [status, { description, content: Object.fromEntries(content) as Record<string, object> }] as const;
  });
  if (stream !== undefined) {
    const media = { schema: stream, example: deps.examples.response(stream) };
    if (contents.length === 0) contents.push(["200", { description: "A stream of events", content: {} }]);
    for (const [, { content }] of contents) content[EVENT_STREAM] = media;
  }
  const others = Object.entries(response)
    .filter(([status]) => /^3\d\d$/.test(status))
    .map(([status, zodSchema]) => [status, { description: zodSchema.description ?? "" }] as const);
  // A failure with its own schema, such as that of a run, in place of the common one.
  const own = failures.map(([status, zodSchema]) => {
    const schema = deps.response(zodSchema);
    const content = { "application/json": { schema, example: deps.examples.response(schema) } };
    return [status, { description: FAILURE[status] ?? "The run failed.", content }] as const;
  });
  return Object.fromEntries([...contents, ...others, ...own]);
}

const FAILURE: Readonly<Record<string, string>> = { 504: "The run did not end within the time limit." };

/** Without `contentEncoding`, which would mean text: the body is the bytes. */
const BINARY: Schema = { type: "string", format: "binary" };

function isBinary(mediaType: string): boolean {
  return !/^(application\/(([\w.-]+\+)?json|x-www-form-urlencoded)|multipart\/form-data|text\/(plain|event-stream))$/.test(
    mediaType,
  );
}

function withoutNull(schema: Schema): Schema {
  if (Array.isArray(schema.type)) {
    const types = (schema.type as string[]).filter((type) => type !== "null");
    return { ...schema, type: types.length === 1 ? types[0]! : types };
  }
  const { anyOf, ...rest } = schema;
  const branches = anyOf?.filter((branch) => branch.type !== "null");
  const [only] = branches ?? [];
  return only !== undefined && branches?.length === 1 ? { ...only, ...rest } : schema;
}
