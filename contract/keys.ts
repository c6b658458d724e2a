import * as z from "zod";
import { nextCursorSchema, success, text, timeSchema } from "./api.ts";

/** What a key or an access token opens: public endpoints, `/mcp`, `/v1` and A2A agents. */
export const ACCESS_SCOPES = ["endpoints", "mcp", "chat", "a2a"] as const;
export const accessScopeSchema = z.enum(ACCESS_SCOPES).meta({ id: "AccessScope" });
export type AccessScope = z.infer<typeof accessScopeSchema>;

export const createKeySchema = z
  .object({
    name: text(200).optional(),
    expiresAt: z.iso
      .datetime({ offset: true })
      // Its offset may move it past the last year with four digits.
      .refine((time) => Date.parse(time) <= Date.UTC(9999, 11, 31), "must be before the year 10000")
      .nullable()
      .optional()
      .describe("Must be in the future"),
    scopes: z
      .array(accessScopeSchema)
      .min(1)
      .max(20)
      .optional()
      .describe(
        "What the key opens: `endpoints` (public endpoints), `mcp` (the MCP server), `chat` (the OpenAI-compatible API), `a2a` (A2A agents). Default: `endpoints`",
      ),
  })
  .nullish();

export const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe("The first characters, to identify the key"),
    scopes: z.array(accessScopeSchema).describe("What the key opens"),
    createdAt: timeSchema,
    lastUsedAt: timeSchema.nullable(),
    expiresAt: timeSchema.nullable(),
    revokedAt: timeSchema.nullable(),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKeySchema>;

export const createdKeyResponseSchema = success({
  apiKey: apiKeySchema,
  rawKey: z.string().describe("Returned only here"),
});
export const keyResponseSchema = success({ apiKey: apiKeySchema });
export const keyListResponseSchema = success({ keys: z.array(apiKeySchema), nextCursor: nextCursorSchema });
