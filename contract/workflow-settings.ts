import * as z from "zod";
import { text } from "./api.ts";

export const endpointName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/i,
    "must be 1–63 letters, digits, - or _, and begin with a letter or digit",
  );

export const apiSettingsInputSchema = z
  .object({
    enabled: z.boolean().optional(),
    endpointName: z.union([endpointName, z.literal("").transform(() => null), z.null()]).optional(),
    authentication: z.boolean().optional(),
    sync: z.boolean().optional(),
    responseStepId: text(200).nullable().optional(),
    customResponse: z
      .boolean()
      .optional()
      .describe(
        "The output of the response step, `{statusCode, headers, body}`, is the response of a synchronous call",
      ),
  })
  .meta({ id: "NewApiSettings" });
export type ApiSettingsInput = z.infer<typeof apiSettingsInputSchema>;

export const apiSettingsSchema = z
  .object({
    enabled: z.boolean(),
    endpointName: z.string().nullable(),
    authentication: z.boolean(),
    sync: z.boolean(),
    responseStepId: z.string().optional(),
    customResponse: z.literal(true).optional(),
  })
  .meta({ id: "ApiSettings" });
export type ApiSettings = z.infer<typeof apiSettingsSchema>;

const YEAR_MS = 366 * 24 * 3600 * 1000;

const concurrencySchema = z.object({
  limit: z.int().min(1).max(1000).default(1).describe("Runs that are not ended, at most"),
  key: text(500, 1)
    .optional()
    .describe(
      "Counts runs with the same value apart, such as {{input.customer}}; it may use input and trigger",
    ),
  whenFull: z
    .enum(["queue", "skip", "replace"])
    .default("queue")
    .describe(
      "`queue`: a new run waits for its turn; `skip`: it is refused; `replace`: it starts, and the oldest one is cancelled",
    ),
});

/** How runs of a workflow are limited and what follows when one fails. Not part of a version. */
export const runSettingsInputSchema = z
  .object({
    timeoutMs: z
      .int()
      .min(1)
      .max(YEAR_MS)
      .nullable()
      .optional()
      .describe("A run that takes longer, waits included, fails with `run_timeout`"),
    errorWorkflowId: text(100, 1)
      .nullable()
      .optional()
      .describe("The workflow that runs when a run of this one fails"),
    concurrency: concurrencySchema.nullable().optional(),
    onConnectionProblem: z
      .enum(["fail", "wait"])
      .nullable()
      .optional()
      .describe(
        "With `wait`, a step whose connection is refused waits up to 24 hours for its repair; `fail` by default",
      ),
  })
  .meta({ id: "NewRunSettings" });
export type RunSettingsInput = z.infer<typeof runSettingsInputSchema>;

export const runSettingsSchema = z
  .object({
    timeoutMs: z.int().optional(),
    errorWorkflowId: z.string().optional(),
    concurrency: concurrencySchema.optional(),
    onConnectionProblem: z.enum(["fail", "wait"]).optional(),
  })
  .meta({ id: "RunSettings" });
export type RunSettings = z.infer<typeof runSettingsSchema>;
