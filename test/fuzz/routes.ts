/** The part of JSON Schema that the service's OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

export interface Operation {
  method: string;
  /** As the document writes it: `/api/tasks/{id}`. */
  path: string;
  query: { name: string; schema: Schema }[];
  /** By content type; empty without a body. */
  bodies: Record<string, Schema>;
}

export interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { in: string; name: string; schema: Schema }[];
        requestBody?: { content: Record<string, { schema: Schema }> };
      }
    >
  >;
  components?: { schemas?: Record<string, Schema> };
}

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, { parameters = [], requestBody }]) => {
      const contents = Object.entries(requestBody?.content ?? {});
      return {
        method: verb.toUpperCase(),
        path,
        query: parameters.filter((parameter) => parameter.in === "query"),
        bodies: Object.fromEntries(contents.map(([type, { schema }]) => [type, schema])),
      };
    }),
  );
}
