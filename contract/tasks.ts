import * as z from "zod";
import { nextCursorSchema, queryNumber, success, text, timeSchema } from "./api.ts";
import { logLineSchema } from "./step-log.ts";
import { costSchema, usageSchema } from "./models.ts";

export const taskStatusSchema = z
  .enum(["queued", "running", "waiting", "waiting_approval", "completed", "failed", "cancelled", "rejected"])
  .meta({ id: "TaskStatus" });
export type TaskStatus = z.infer<typeof taskStatusSchema>;

export const stepStatusSchema = z
  .enum(["completed", "failed", "skipped", "running", "waiting", "waiting_approval"])
  .meta({ id: "StepStatus" });
export type StepStatus = z.infer<typeof stepStatusSchema>;

export const triggerSchema = z
  .enum([
    "manual",
    "api",
    "webhook",
    "schedule",
    "team",
    "workflow",
    "mcp",
    "a2a",
    "partial",
    "form",
    "chat",
    "rss",
    "error",
    "email",
    "app",
  ])
  .meta({ id: "Trigger" });
export type Trigger = z.infer<typeof triggerSchema>;
const errorDetailsSchema = z
  .object({
    limit: z
      .string()
      .optional()
      .describe("With `limit_reached` and `output_too_large`: the setting of the limit"),
    connection: z
      .string()
      .optional()
      .describe("With `connection_authorization_required`: the id of the connection"),
  })
  .optional();
const stepErrorSchema = z
  .looseObject({
    code: z.string(),
    message: z.string(),
    details: errorDetailsSchema,
  })
  .meta({ id: "StepError" });
/** In events: the error of a step, or of a task with the step that failed. */
export const taskErrorSchema = z
  .object({
    code: z.string(),
    message: z.string(),
    details: errorDetailsSchema,
    stepId: z.string().optional(),
  })
  .meta({ id: "TaskError" });

const toolCallSchema = z
  .object({
    name: z.string(),
    input: z.unknown().describe("Shortened when large"),
    output: z.unknown().describe("Shortened when large; of a failed call, the error that the model received"),
    failed: z.boolean(),
    taskId: z.string().optional().describe("The task that ran the tool"),
  })
  .meta({ id: "ToolCall" });
export type ToolCall = z.infer<typeof toolCallSchema>;

export const stepResultSchema = z
  .looseObject({
    stepId: z.string(),
    type: z.string(),
    status: stepStatusSchema,
    input: z.unknown(),
    output: z
      .unknown()
      .describe("`{truncated, bytes, url}` when the response would be too large; `url` has all of it"),
    error: stepErrorSchema.nullable(),
    attempts: z.int(),
    startedAt: timeSchema.nullable(),
    completedAt: timeSchema.nullable(),
    durationMs: z.number().nullable(),
    dueAt: timeSchema.optional().describe("When a waiting step continues: a delay, a retry, a time limit"),
    childTaskId: z.string().optional().describe("The task of a sub-workflow that has ended"),
    logs: z
      .array(logLineSchema)
      .optional()
      .describe("Log lines of the attempt in progress or of the last one; absent when it wrote none"),
    toolCalls: z
      .array(toolCallSchema)
      .optional()
      .describe(
        "What the agent of the step has called, oldest first, at most 50; absent when it called nothing",
      ),
  })
  .meta({ id: "StepResult" });
export type StepResult = z.infer<typeof stepResultSchema>;

export const stepAttemptSchema = z
  .looseObject({
    attempt: z.int().describe("1, 2, 3 …; starts again at 1 after a rerun"),
    status: z.enum(["completed", "failed"]),
    input: z.unknown(),
    output: z.unknown().describe("Shortened when large; the step result has all of it"),
    error: stepErrorSchema.nullable(),
    usage: usageSchema.optional().describe("Tokens of a language model"),
    cost: costSchema.optional(),
    logs: z.array(logLineSchema).optional().describe("The log lines that this attempt wrote"),
    startedAt: timeSchema.nullable().optional(),
    completedAt: timeSchema,
    retryAt: timeSchema.nullable().describe("When the next attempt was due; null when there was none"),
  })
  .meta({ id: "StepAttempt" });
export type StepAttempt = z.infer<typeof stepAttemptSchema>;
export const attemptListResponseSchema = success({
  attempts: z.array(stepAttemptSchema),
  nextCursor: nextCursorSchema,
});

export const childTaskResponseSchema = success({
  taskId: z.string().nullable().describe("Null while the step has started none"),
});

export const loopItemStatusSchema = z
  .enum(["pending", "running", "waiting", "waiting_approval", "completed", "failed"])
  .describe("pending: not started yet");
export type LoopItemStatus = z.infer<typeof loopItemStatusSchema>;

const loopStepSchema = z.object({
  stepId: z.string().describe("The step path, such as each[3]/fetch"),
  type: z.string(),
  status: stepStatusSchema,
  error: stepErrorSchema.nullable(),
  attempts: z.int(),
  startedAt: timeSchema.nullable(),
  completedAt: timeSchema.nullable(),
  durationMs: z.number().nullable(),
  dueAt: timeSchema.optional().describe("When a waiting step continues"),
});
export const loopItemSchema = z
  .object({
    index: z.int().describe("0, 1, 2 …"),
    status: loopItemStatusSchema,
    item: z
      .unknown()
      .describe("The item of the list, in a while the output of the iteration before; shortened when large"),
    steps: z.array(loopStepSchema).describe("Those that have started, without input and output"),
  })
  .meta({ id: "LoopItem" });
export type LoopItem = z.infer<typeof loopItemSchema>;
export type LoopStep = LoopItem["steps"][number];
export const loopItemListResponseSchema = success({
  items: z.array(loopItemSchema),
  total: z
    .int()
    .describe("Number of items in the list of the foreach, or of iterations of the while that have begun"),
  counts: z.partialRecord(loopItemStatusSchema, z.int()).describe("Number of items by status"),
  nextCursor: nextCursorSchema,
});

const summary = {
  id: z.string(),
  taskId: z.string(),
  workflowId: z.string(),
  workflowVersion: z.int().describe("Negative for a run of a draft: the snapshot of that revision"),
  draft: z.literal(true).optional().describe("A run of unpublished changes"),
  status: taskStatusSchema,
  trigger: triggerSchema,
  error: stepErrorSchema.nullable(),
  parentTaskId: z.string().optional(),
  sessionId: z.string().optional().describe("The team session whose agent started this task"),
  createdAt: timeSchema,
  startedAt: timeSchema.nullable(),
  completedAt: timeSchema.nullable(),
};

/** In lists: without input, result and step results, which may be large. */
export const taskSummarySchema = z.object(summary).meta({ id: "TaskSummary" });
export type TaskSummary = z.infer<typeof taskSummarySchema>;
export const taskSchema = z
  .object({
    ...summary,
    input: z.unknown(),
    result: z.object({ output: z.unknown(), outputs: z.record(z.string(), z.unknown()) }).nullable(),
    usage: usageSchema.optional().describe("Tokens of all steps; absent when no model was called"),
    cost: costSchema.optional(),
    stepResults: z.array(stepResultSchema),
  })
  .meta({ id: "Task" });
export type Task = z.infer<typeof taskSchema>;

export const taskResponseSchema = success({
  task: taskSchema,
  lastSeq: z
    .int()
    .optional()
    .describe("The event stream continues this response after this number: `?after=`"),
});
export const taskListResponseSchema = success({
  tasks: z.array(taskSummarySchema),
  nextCursor: nextCursorSchema,
});

export const runWorkflowSchema = z
  .object({ input: z.unknown().optional().describe("Any JSON; {} by default") })
  .nullish();
export const startedResponseSchema = success({
  taskId: z.string(),
  status: taskStatusSchema,
  workflowId: z.string(),
});

const stepIds = z.array(text(200, 1)).min(1, "must name at least one step").max(100_000);
export const runPartialSchema = z
  .object({
    stepIds: stepIds.optional().describe("The steps to run"),
    steps: stepIds.optional().describe("Alias of stepIds"),
    startStepId: text(200, 1).optional().describe("Runs this step and all steps after it"),
    input: z.unknown().optional(),
    fromTaskId: text(200).optional().describe("The outputs of steps that do not run are read from this task"),
    outputs: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Outputs of steps that do not run, by step id"),
  })
  .refine(
    (body) => body.stepIds !== undefined || body.steps !== undefined || body.startStepId !== undefined,
    {
      path: ["stepIds"],
      message: "is missing: name the steps to run",
    },
  );
export type RunPartial = z.infer<typeof runPartialSchema>;
export const partialResponseSchema = success({
  taskId: z.string(),
  status: taskStatusSchema,
  workflowId: z.string(),
  stepIds: z.array(z.string()),
});

/** Strict: `{"approved": false}` or a misspelled `decision` would approve. */
export const resumeSchema = z
  .strictObject(
    {
      decision: z.enum(["approve", "reject"]).default("approve"),
      comment: text(10_000).optional(),
      data: z.unknown().optional().describe("Available to later steps as output.data of the approval"),
      stepId: text(500).optional().describe("The approval, when the task waits for several"),
    },
    {
      error: (issue) =>
        issue.code === "unrecognized_keys"
          ? `has an unknown field: send decision, "approve" or "reject", and optionally comment, data and stepId`
          : undefined,
    },
  )
  .nullish();
export const resumeResponseSchema = success({ taskId: z.string(), status: taskStatusSchema });
export const retryNowSchema = z
  .object({
    stepId: text(500).optional().describe("The step path; without it, every step that waits for a retry"),
  })
  .nullish();
export const rerunResponseSchema = success({
  taskId: z.string(),
  rerunFromStep: z.string(),
  status: taskStatusSchema,
  keptSteps: z.array(z.string()).describe("Steps whose recorded results are kept"),
  changedSteps: z
    .array(z.string())
    .describe("Completed steps that run again: this version changed them, or a step before them"),
});

const versionChoice = z
  .union([z.enum(["original", "current", "draft"]), queryNumber().min(1)])
  .describe(
    "`original`, the version of the task; `current`, the live version; `draft`, the unpublished changes, if there are any; or the number of a version",
  );
export type VersionChoice = z.infer<typeof versionChoice>;

export const rerunSchema = z.object({ version: versionChoice.optional() });

export const replaySchema = z
  .object({
    fromStepId: text(200, 1).optional(),
    input: z.unknown().optional(),
    version: versionChoice.optional(),
  })
  .nullish();
export const replayResponseSchema = success({ taskId: z.string(), task: z.unknown() });
