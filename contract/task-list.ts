import * as z from "zod";
import { MAX_BULK_TASKS } from "./bulk-limit.ts";
import { emptyAsAbsent, queryNumber, success, text, timeSchema } from "./api.ts";
import { taskStatusSchema, triggerSchema } from "./tasks.ts";

const statuses = z
  .string()
  .transform((list) => list.split(","))
  .pipe(z.array(taskStatusSchema).min(1).max(taskStatusSchema.options.length))
  // A transform has no JSON Schema of its own.
  .meta({ type: "string" });

const count = queryNumber();

/** What a list of tasks is narrowed down to. All conditions hold together. */
export const taskFilterSchema = z.object({
  status: emptyAsAbsent(statuses).describe("One or more, comma-separated"),
  workflowId: emptyAsAbsent(text(200)),
  trigger: emptyAsAbsent(triggerSchema),
  stepTests: emptyAsAbsent(z.enum(["true", "false"])).describe(
    "`false` omits tests of single steps; runs of several chosen steps are listed, unless they were given more than 20 KB of outputs",
  ),
  version: emptyAsAbsent(count).describe("Version of the workflow"),
  error: emptyAsAbsent(text(1000)).describe("Text in the code or message of the error"),
  from: emptyAsAbsent(timeSchema).describe("Created at or after"),
  to: emptyAsAbsent(timeSchema).describe("Created before"),
  minMs: emptyAsAbsent(count.min(0)).describe("Ended after at least this duration"),
  maxMs: emptyAsAbsent(count.min(0)).describe("Ended within this duration"),
  q: emptyAsAbsent(text(200)).describe("Text in the id, the name of the workflow or the error"),
});
export type TaskFilter = z.infer<typeof taskFilterSchema>;

export const taskCountsResponseSchema = success({
  counts: z.partialRecord(taskStatusSchema, z.int()),
  atLeast: z.array(taskStatusSchema).describe("Statuses with more tasks than were counted"),
});

export const bulkTasksSchema = z
  .object({
    action: z
      .enum(["cancel", "rerun"])
      .describe("rerun: a failed task continues at its failed step, any other ended one is replayed"),
    ids: z.array(text(200)).min(1).max(MAX_BULK_TASKS).optional(),
    filter: taskFilterSchema.optional().describe(`The newest ${MAX_BULK_TASKS} that match, instead of ids`),
    version: z.enum(["original", "current"]).default("original").describe("For rerun"),
  })
  .refine((body) => (body.ids === undefined) !== (body.filter === undefined), {
    path: ["ids"],
    message: "name the tasks by ids or by filter",
  });

export const bulkTasksResponseSchema = success({
  results: z.array(
    z.object({
      taskId: z.string(),
      ok: z.boolean(),
      newTaskId: z.string().optional().describe("The replay of a task that had not failed"),
      error: z.string().optional().describe("The code of the error"),
      message: z.string().optional(),
    }),
  ),
  hasMore: z.boolean().describe("More tasks match the filter"),
});
