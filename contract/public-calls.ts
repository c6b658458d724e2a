import * as z from "zod";
import { errorSchema, success } from "./api.ts";
import { startedResponseSchema, stepResultSchema, taskSchema, taskStatusSchema } from "./tasks.ts";

/** Steps, edges and settings in the body are ignored: a caller cannot run another graph. */
export const publicCallSchema = z
  .looseObject({ input: z.looseObject({}).optional().describe("The `input` of the workflow") })
  .nullish();

const taskId = z.string();
const result = z
  .object({ output: z.unknown(), outputs: z.record(z.string(), z.unknown()) })
  .nullable()
  .describe("`outputs` of every final step; `output` of the response step, or of the only final step");
const stepResults = z.array(stepResultSchema);
const status = taskStatusSchema;

export const publicCallResponseSchema = z.union([
  success({ taskId, status, result, stepResults }).describe("A synchronous endpoint"),
  success({ taskId, workflowId: z.string() }).describe("An asynchronous endpoint"),
]);

export const runResponseSchema = z.union([
  success({ taskId, status, result, stepResults }).describe("With `wait=true`"),
  startedResponseSchema.describe("Without it"),
]);

export const executionFailedSchema = errorSchema
  .extend({ taskId, status, failedStep: z.string().nullable(), stepResults })
  .meta({ id: "ExecutionFailed" });

export const executionTimeoutSchema = errorSchema.extend({ taskId, status }).meta({ id: "ExecutionTimeout" });

export const publicTaskResponseSchema = success({
  taskId,
  status,
  task: taskSchema,
});
