import * as z from "zod";
import { emptyAsAbsent, nextCursorSchema, pageQuerySchema, success, text, timeSchema } from "./api.ts";
import { MANAGEMENT_SCOPES } from "./roles.ts";

/** What a key or an access token opens: public endpoints, `/mcp`, `/v1` and A2A agents. */
export const ACCESS_SCOPES = ["endpoints", "mcp", "chat", "a2a"] as const;
export const accessScopeSchema = z.enum(ACCESS_SCOPES).meta({ id: "AccessScope" });
export type AccessScope = z.infer<typeof accessScopeSchema>;

/** What an API key allows: a protocol, or the routes that manage records. */
export const KEY_SCOPES = [...ACCESS_SCOPES, ...MANAGEMENT_SCOPES] as const;
export const keyScopeSchema = z.enum(KEY_SCOPES).meta({ id: "KeyScope" });
export type KeyScope = z.infer<typeof keyScopeSchema>;

/** `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/32`. */
export const addressRangeSchema = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: "must be an IPv4 or IPv6 address or a CIDR range such as 203.0.113.0/24",
});
const MAX_LISTED = 100;

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
      .array(keyScopeSchema)
      .min(1)
      .max(20)
      .optional()
      .describe(
        "What the key allows: `endpoints` (public endpoints), `mcp` (the MCP server), `chat` (the OpenAI-compatible API), `a2a` (A2A agents), and the operations whose `x-required-scope` is among them; `:write` includes `:read`. Default: `endpoints`",
      ),
    workflowIds: z
      .array(text(100, 1))
      .min(1)
      .max(MAX_LISTED)
      .nullish()
      .describe(
        "The only workflows whose endpoints the key may call, for a key with the scope `endpoints` alone",
      ),
    addresses: z
      .array(addressRangeSchema)
      .min(1)
      .max(MAX_LISTED)
      .nullish()
      .describe("The only addresses that may use the key: IPv4 or IPv6 addresses and CIDR ranges"),
    serviceAccountId: text(100, 1)
      .nullish()
      .describe("The key acts as this service account, with its role; without it as you, with your role"),
  })
  .nullish()
  .meta({ examples: [{ name: "Website", scopes: ["endpoints"] }] });

export const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe("The first characters, to identify the key"),
    scopes: z.array(keyScopeSchema).describe("What the key allows"),
    workflowIds: z
      .array(z.string())
      .nullable()
      .describe("The only workflows whose endpoints the key may call; null for all"),
    addresses: z
      .array(z.string())
      .nullable()
      .describe("The only addresses that may use the key; null for all"),
    createdBy: z
      .object({ id: z.string(), name: z.string().nullable() })
      .nullable()
      .describe("The person who created the key; the name is null when the account was deleted"),
    serviceAccount: z
      .object({ id: z.string(), name: z.string().nullable() })
      .nullable()
      .describe("The service account that the key acts as; null when it acts as its creator"),
    createdAt: timeSchema,
    lastUsedAt: timeSchema.nullable(),
    lastUsedFrom: z.string().nullable().describe("The address of the last caller"),
    expiresAt: timeSchema.nullable(),
    revokedAt: timeSchema.nullable(),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKeySchema>;

export const keyQuerySchema = pageQuerySchema.extend({
  serviceAccountId: emptyAsAbsent(text(100)).describe("Only keys of this service account"),
});

export const createdKeyResponseSchema = success({
  apiKey: apiKeySchema,
  rawKey: z.string().describe("Returned only here"),
});
export const keyResponseSchema = success({ apiKey: apiKeySchema });
export const keyListResponseSchema = success({ keys: z.array(apiKeySchema), nextCursor: nextCursorSchema });
