/** A JSON Schema (2020-12) in the document. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  [keyword: string]: unknown;
}

export type Schemas = Record<string, Schema>;

const COMPONENTS = "#/components/schemas/";

export const refTo = (name: string): Schema => ({ $ref: COMPONENTS + name });
export const nameInRef = (ref: string): string => ref.slice(COMPONENTS.length);
