import type * as z from "zod";
import type { ApiErrorCode } from "../../../contract/errors.ts";
import type { RouteAccess } from "../../../contract/roles.ts";
import type { RequestHeader } from "./request-headers.ts";

declare module "fastify" {
  /** What a route tells the OpenAPI document in addition to its schemas. Nothing of it changes how the route works. */
  interface FastifySchema {
    /** Error codes of this route, in addition to those that follow from its login, its path and its body. */
    errors?: readonly ApiErrorCode[];
    /** Headers that the route reads. */
    requestHeaders?: readonly RequestHeader[];
    /** The events of a successful response as `text/event-stream`. Without `response[200]` it is the only form. */
    events?: z.ZodType;
    /** A body for the reference, when the one derived from the schema says too little. */
    bodyExample?: unknown;
    /** A successful response for the reference, when the one derived from the schema says too little. */
    responseExample?: unknown;
  }
}

/** The fields of a route's schema that the document is made of. */
export interface DocumentedSchema {
  hide?: boolean;
  operationId?: string;
  tags?: readonly string[];
  summary?: string;
  description?: string;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  deprecated?: boolean;
  consumes?: readonly string[];
  produces?: readonly string[];
  params?: z.ZodType;
  querystring?: z.ZodType;
  body?: z.ZodType;
  response?: Readonly<Record<string, z.ZodType>>;
  events?: z.ZodType;
  errors?: readonly ApiErrorCode[];
  requestHeaders?: readonly RequestHeader[];
  bodyExample?: unknown;
  responseExample?: unknown;
}

export interface DocumentedRoute {
  method: string;
  url: string;
  /** Undefined for public routes. */
  access: RouteAccess | undefined;
  schema: DocumentedSchema;
}
