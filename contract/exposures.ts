import * as z from "zod";
import {
  emptyAsAbsent,
  nextCursorSchema,
  pageQuery,
  pageQuerySchema,
  success,
  text,
  timeSchema,
} from "./api.ts";

export const protocols = ["mcp", "a2a", "chat"] as const;
export type Protocol = (typeof protocols)[number];

export const exposureKinds = ["workflow", "agent", "team", "documents"] as const;
export type ExposureKind = (typeof exposureKinds)[number];

/** The protocols that can be switched on for each kind. A team is always an A2A agent, protected by its secret. */
export const PROTOCOLS_OF: Readonly<Record<ExposureKind, readonly Protocol[]>> = {
  workflow: ["mcp", "a2a", "chat"],
  agent: ["mcp", "chat"],
  team: ["mcp", "chat"],
  documents: ["mcp"],
};

/** The only record of the kind `documents`: all documents of the account. */
export const ALL_DOCUMENTS = "all";

export const MAX_EXPOSED_NAME = 64;
export const exposedName = z
  .string()
  .regex(
    new RegExp(`^[a-z0-9_-]{1,${MAX_EXPOSED_NAME}}$`),
    "must be 1–64 lower-case letters, digits, - or _",
  );

const kindSchema = z.enum(exposureKinds);
const protocolSchema = z.enum(protocols);

export const exposureSchema = z
  .object({
    kind: kindSchema,
    recordId: z.string(),
    title: z.string().describe("The name of the workflow, agent or team"),
    name: z.string().describe("The tool or model name; a suggestion until a protocol is switched on"),
    description: z.string().describe("What clients read"),
    customDescription: z
      .string()
      .nullable()
      .describe("Replaces the description of the record; null: it does not"),
    mcp: z.boolean(),
    a2a: z.boolean(),
    chat: z.boolean(),
    protocols: z.array(protocolSchema).describe("Those that can be switched on"),
    paused: z.literal(true).optional().describe("The workflow is paused, so no client sees it"),
  })
  .meta({ id: "Exposure" });
export type Exposure = z.infer<typeof exposureSchema>;

export const exposureParamsSchema = z.object({
  kind: kindSchema,
  id: z.string().describe("The id of the record; `all` for documents"),
});

export const changeExposureSchema = z
  .object({
    mcp: z.boolean().optional(),
    a2a: z.boolean().optional(),
    chat: z.boolean().optional(),
    name: exposedName.optional().describe("Unique among the names of your account"),
    description: text(2000)
      .nullable()
      .optional()
      .describe("What clients read instead of the record's description; null or empty: the record's"),
  })
  .describe("Omitted fields keep their value");
export type ChangeExposure = z.infer<typeof changeExposureSchema>;

/** The documents of a workspace are one record, without an id of its own. */
export const exposureQuerySchema = pageQuery(/^([a-z]+_[0-9a-z]+|all)$/).extend({
  kind: emptyAsAbsent(kindSchema).describe("Only records of this kind"),
});
export type ExposureQuery = z.infer<typeof exposureQuerySchema>;

export const exposureResponseSchema = success({ exposure: exposureSchema });
export const exposureListResponseSchema = success({
  exposures: z.array(exposureSchema),
  nextCursor: nextCursorSchema,
});

export const clientCallSchema = z
  .object({
    id: z.string(),
    protocol: protocolSchema,
    method: z.string().describe("The method of the protocol, such as tools/call"),
    kind: kindSchema.nullable(),
    recordId: z.string().nullable(),
    name: z.string().nullable().describe("The tool or model that was called"),
    callerName: z.string().describe("The name of the API key or of the connected app"),
    taskId: z.string().nullable(),
    status: z.enum(["ok", "failed"]),
    errorCode: z.string().nullable(),
    durationMs: z.number(),
    at: timeSchema,
  })
  .meta({ id: "ClientCall" });
export type ClientCall = z.infer<typeof clientCallSchema>;

export const clientCallQuerySchema = pageQuerySchema.extend({
  protocol: emptyAsAbsent(protocolSchema).describe("Only calls of this protocol"),
});
export type ClientCallQuery = z.infer<typeof clientCallQuerySchema>;

export const clientCallListResponseSchema = success({
  calls: z.array(clientCallSchema),
  nextCursor: nextCursorSchema,
});
