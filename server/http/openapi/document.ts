import type * as z from "zod";
import { errorSchema } from "../../../contract/api.ts";
import { sharedErrorResponses } from "./error-responses.ts";
import { createExamples } from "./examples.ts";
import { convertSchemas } from "./json-schemas.ts";
import { toOperation } from "./operation.ts";
import { requestHeaders } from "./request-headers.ts";
import type { DocumentedRoute } from "./route-schema.ts";
import { DEFAULT_SECURITY, securitySchemes } from "./security.ts";
import { stepComponents } from "./step-schemas.ts";
import { tags } from "./tags.ts";

export interface DocumentOptions {
  version: string;
  /** The public address of the service; the address of the document when it is not set. */
  publicUrl: string | undefined;
}

/** The OpenAPI document of the routes. */
export function createDocument(routes: readonly DocumentedRoute[], { version, publicUrl }: DocumentOptions) {
  const { request, response, components } = convertSchemas(
    routes.flatMap(({ schema }) => [schema.params, schema.querystring, schema.body].filter(isPresent)),
    [
      errorSchema,
      ...routes.flatMap(({ schema }) =>
        [...Object.values(schema.response ?? {}), schema.events].filter(isPresent),
      ),
    ],
  );
  const schemas = { ...components, ...stepComponents() };
  const examples = createExamples(schemas);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.url.replaceAll(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[route.method.toLowerCase()] = toOperation(route, { request, response, examples });
  }
  const all = { schemas, responses: sharedErrorResponses(), parameters: requestHeaders };
  return {
    openapi: "3.1.0",
    info: {
      title: "Baton",
      version,
      description:
        "Durable workflows as endpoints, webhooks, agent teams and documents. Every successful response has `ok: true`; every error is `{ok: false, error, message, details?}`.",
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
      contact: { name: "Operator of this service", ...(publicUrl && { url: publicUrl }) },
    },
    servers: [{ url: publicUrl ?? "/", description: "This service" }],
    tags,
    security: DEFAULT_SECURITY,
    paths,
    components: { ...usedComponents(paths, all), securitySchemes },
  };
}

const isPresent = (schema: z.ZodType | undefined): schema is z.ZodType => schema !== undefined;

type Components = Record<string, Readonly<Record<string, unknown>>>;

/** The components that the paths refer to, directly or through another component. */
function usedComponents(paths: object, all: Components): Components {
  const used: Record<string, Record<string, unknown>> = {};
  const pending: unknown[] = [paths];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [, kind = "", name = ""] of JSON.stringify(next).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      if (used[kind]?.[name] !== undefined) continue;
      const component = all[kind]?.[name];
      if (component === undefined) continue;
      (used[kind] ??= {})[name] = component;
      pending.push(component);
    }
  }
  const sorted = Object.entries(used).map(([kind, named]) => [
    kind,
    Object.fromEntries(Object.entries(named).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  ]);
  return Object.fromEntries(sorted);
}
