import * as z from "zod";
import { nextCursorSchema, success, timeSchema } from "./api.ts";
import { isForbiddenName } from "./placeholders/reference.ts";

export const MAX_VARIABLE_LENGTH = 64 * 1024;

export const variableNameSchema = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_-]{0,99}$/,
    "must be 1–100 letters, digits, - or _, and begin with a letter or _",
  )
  .refine((name) => !isForbiddenName(name), "is a name that placeholders never resolve");

export const putVariableSchema = z.object({
  value: z
    .unknown()
    .refine((value) => value !== undefined, "is required")
    .describe("Text, or any JSON up to 64 KiB; a secret is always text"),
  secret: z
    .boolean()
    .optional()
    .describe(
      "Stores the value encrypted and never returns it. By default unchanged, or false for a new variable",
    ),
});
export type PutVariable = z.infer<typeof putVariableSchema>;

export const createVariableSchema = putVariableSchema.extend({ name: variableNameSchema });
export type CreateVariable = z.infer<typeof createVariableSchema>;

export const variableSchema = z
  .object({
    name: z.string(),
    secret: z.boolean(),
    value: z.unknown().optional().describe("Absent for a secret"),
    updatedAt: timeSchema,
  })
  .meta({ id: "Variable" });
export type Variable = z.infer<typeof variableSchema>;

export const variableResponseSchema = success({ variable: variableSchema });
export const variableListResponseSchema = success({
  variables: z.array(variableSchema),
  nextCursor: nextCursorSchema,
});
