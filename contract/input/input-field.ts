import type { JsonValue } from "../placeholders/json-value.ts";

/** The input of a workflow, in a subset of JSON Schema. Without zod: the page loads this file. */
export type InputSchema = {
  type: "object";
  properties?: Record<string, InputField>;
  required?: string[];
  additionalProperties?: boolean;
};

export const inputTypes = ["string", "number", "integer", "boolean", "array", "object"] as const;
export type InputType = (typeof inputTypes)[number];

/** `multiline` is a text with line breaks, `file` an object that is a file reference. */
export const inputFormats = ["email", "date", "date-time", "uri", "multiline", "file"] as const;
export type InputFormat = (typeof inputFormats)[number];

export type InputField = {
  type: InputType;
  title?: string;
  description?: string;
  default?: JsonValue;
  enum?: JsonValue[];
  format?: InputFormat;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: InputField;
  properties?: Record<string, InputField>;
  required?: string[];
  additionalProperties?: boolean;
};
