import * as z from "zod";
import { nextCursorSchema, success, text, timeSchema } from "./api.ts";

export const createKeySchema = z
  .object({
    name: text(200).optional(),
    expiresAt: z.iso
      .datetime({ offset: true })
      // Its offset may carry it beyond the last year that four digits can write.
      .refine((time) => Date.parse(time) <= Date.UTC(9999, 11, 31), "must lie before the year 10000")
      .nullable()
      .optional()
      .describe("Not before now"),
  })
  .nullish();

export const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe("The first characters, by which you tell keys apart"),
    createdAt: timeSchema,
    lastUsedAt: timeSchema.nullable(),
    expiresAt: timeSchema.nullable(),
    revokedAt: timeSchema.nullable(),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKeySchema>;

export const createdKeyResponseSchema = success({
  apiKey: apiKeySchema,
  rawKey: z.string().describe("Shown here and never again"),
});
export const keyResponseSchema = success({ apiKey: apiKeySchema });
export const keyListResponseSchema = success({ keys: z.array(apiKeySchema), nextCursor: nextCursorSchema });
