import * as z from "zod";
import { emptyAsAbsent, queryNumber, success, text, timeSchema } from "./api.ts";
import { taskStatusSchema } from "./tasks.ts";

export const statsRanges = ["24h", "7d", "30d"] as const;
export type StatsRange = (typeof statsRanges)[number];

const range = z.enum(statsRanges).default("24h");
const workflowId = emptyAsAbsent(text(200)).describe("Only the runs of this workflow");

export const statsQuerySchema = z.object({
  range,
  workflowId,
  utcOffset: queryNumber()
    .min(-14 * 60)
    .max(14 * 60)
    .default(0)
    .describe("Minutes that local time is ahead of UTC: buckets begin at full hours and days of local time"),
});
export type StatsQuery = z.infer<typeof statsQuerySchema>;

const count = z.int().min(0);
const duration = z.number().nullable().describe("Milliseconds, accurate to 5 %; null without a finished run");

const totalsSchema = z.object({
  runs: count.describe("Runs that ended in the range, and open runs that began in it"),
  completed: count,
  failed: count,
  cancelled: count,
  rejected: count,
  successRate: z
    .number()
    .nullable()
    .describe("Completed runs as a share of completed and failed ones, 0 to 1"),
  p50Ms: duration,
  p95Ms: duration,
});
export type StatsTotals = z.infer<typeof totalsSchema>;

const bucketSchema = z.object({
  at: timeSchema.describe("Begin of the bucket"),
  completed: count,
  failed: count,
  cancelled: count,
  rejected: count,
  running: count.describe("Runs that began in the bucket and still run or are queued"),
  waiting: count.describe("Runs that began in the bucket and still wait"),
  p95Ms: duration,
  previousRuns: count.describe("Runs that ended in the same bucket of the range before"),
});
export type StatsBucket = z.infer<typeof bucketSchema>;

export const statsSchema = z
  .object({
    range: z.enum(statsRanges),
    from: timeSchema,
    until: timeSchema,
    bucketMs: z.int(),
    series: z.array(bucketSchema).describe("Oldest first; ended runs are in the bucket in which they ended"),
    totals: totalsSchema,
    previous: totalsSchema.describe("The range before, up to the same time of its last bucket"),
    now: z.object({ running: count, queued: count, waiting: count, waitingApproval: count }),
  })
  .meta({ id: "Stats" });
export type Stats = z.infer<typeof statsSchema>;
export const statsResponseSchema = success({ stats: statsSchema });

export const failuresQuerySchema = z.object({ range, workflowId });

const failureGroupSchema = z
  .object({
    key: z.string().describe("Stable for the same workflow, step, code and message"),
    workflowId: z.string(),
    stepId: z.string().nullable(),
    stepTitle: z
      .string()
      .nullable()
      .describe("The name of the step in the version that ran, otherwise its id"),
    code: z.string(),
    message: z.string().describe("The message of the newest failure"),
    count,
    firstAt: timeSchema,
    lastAt: timeSchema,
    taskIds: z.array(z.string()).describe("The newest failures, at most 200"),
  })
  .meta({ id: "FailureGroup" });
export type FailureGroup = z.infer<typeof failureGroupSchema>;
export const failuresResponseSchema = success({
  failures: z.array(failureGroupSchema).describe("Most frequent first"),
  complete: z.boolean().describe("False when only the newest 2,000 failed runs were grouped"),
});

const recentRunSchema = z.object({ status: taskStatusSchema, durationMs: z.number().nullable() });
const recentRunsSchema = z
  .object({
    workflowId: z.string(),
    runs: z.array(recentRunSchema).describe("Newest first, at most 20"),
    lastRun: z.object({ taskId: z.string(), status: taskStatusSchema, createdAt: timeSchema }).nullable(),
  })
  .meta({ id: "RecentRuns" });
export type RecentRuns = z.infer<typeof recentRunsSchema>;
export const recentRunsResponseSchema = success({
  workflows: z.array(recentRunsSchema).describe("The newest 1,000 workflows"),
});
