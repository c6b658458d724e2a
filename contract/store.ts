import * as z from "zod";
import { isStorableText, nextCursorSchema, pageQuery, success, text, timeSchema } from "./api.ts";

/** The scope of values that all workflows of a workspace share. Every other scope is the id of a workflow or an agent. */
export const WORKSPACE_SCOPE = "workspace";

export const MAX_STORE_KEY_LENGTH = 300;
export const MAX_STORE_EXPIRY_MS = 10 * 366 * 24 * 3600 * 1000;

export const STORE_KEY_RULE = `must be text of 1–${MAX_STORE_KEY_LENGTH} characters`;

/** `.` and `..` could not be part of a URL. */
export function isStoreKey(key: string): boolean {
  return (
    key !== "" && key !== "." && key !== ".." && key.length <= MAX_STORE_KEY_LENGTH && isStorableText(key)
  );
}

const keySchema = z.string().refine(isStoreKey, STORE_KEY_RULE);
const scopeSchema = text(200, 1).describe(
  "`workspace`, or the id of the workflow or agent that the value belongs to",
);

export const storeParamsSchema = z.object({ scope: scopeSchema, key: keySchema });

export const storeQuerySchema = pageQuery(/^\S+ /, 600).extend({
  scope: scopeSchema.optional(),
  prefix: text(MAX_STORE_KEY_LENGTH).optional().describe("Only keys that begin with this text"),
});
export type StoreQuery = z.infer<typeof storeQuerySchema>;

export const putStoreValueSchema = z.object({
  value: z
    .unknown()
    .refine((value) => value !== undefined, "is required")
    .describe("Any JSON, up to `MAX_STORE_VALUE_BYTES`"),
  expiresInMs: z
    .int()
    .min(1)
    .max(MAX_STORE_EXPIRY_MS)
    .optional()
    .describe("The value is deleted after this time; without it, it stays"),
});
export type PutStoreValue = z.infer<typeof putStoreValueSchema>;

export const storeValueSchema = z
  .object({
    scope: z.string(),
    key: z.string(),
    value: z
      .unknown()
      .optional()
      .describe("Absent in lists when it is large; `GET /api/store/{scope}/{key}` has it"),
    bytes: z.int(),
    expiresAt: timeSchema.nullable(),
    updatedAt: timeSchema,
  })
  .meta({ id: "StoreValue" });
export type StoreValue = z.infer<typeof storeValueSchema>;

export const storeValueResponseSchema = success({ value: storeValueSchema });
export const storeListResponseSchema = success({
  values: z.array(storeValueSchema),
  nextCursor: nextCursorSchema,
});
