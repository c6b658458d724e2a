import * as z from "zod";
import { nextCursorSchema, pageQuery, success, timeSchema } from "./api.ts";

/** What runs on the instance, and what it stores. */
export const OPEN_TASK_STATUSES = ["running", "queued", "waiting", "waiting_approval"] as const;

/** Runs of workflows, sessions of teams, and documents that are ingested. */
export const ADMIN_TASK_KINDS = ["run", "session", "ingestion"] as const;

export const adminTaskQuerySchema = pageQuery(/^\S+ \S+$/).extend({
  status: z.enum(OPEN_TASK_STATUSES).default("running"),
  kind: z
    .enum(ADMIN_TASK_KINDS)
    .default("run")
    .describe("`run`: runs of workflows; `session`: sessions of teams; `ingestion`: documents that are read"),
});

const adminTaskSchema = z
  .object({
    id: z.string().describe("Of the run, the session or the document"),
    kind: z.enum(ADMIN_TASK_KINDS),
    workspace: z.object({ id: z.string(), name: z.string() }),
    teamName: z.string().nullable().describe("Of a session; null otherwise"),
    workflowName: z
      .string()
      .nullable()
      .describe("null for work without a workflow, such as a message to an agent"),
    status: z.enum(OPEN_TASK_STATUSES),
    createdAt: timeSchema,
    startedAt: timeSchema.nullable(),
    process: z.string().nullable().describe("The process that runs it; null while it waits"),
    lastStep: z.string().nullable().describe("The last step with a recorded result"),
  })
  .meta({ id: "AdminTask" });
export type AdminTask = z.infer<typeof adminTaskSchema>;

export const adminTaskListResponseSchema = success({
  tasks: z.array(adminTaskSchema),
  nextCursor: nextCursorSchema,
});

export const stoppedTasksResponseSchema = success({
  stopped: z.int().describe("Runs that were stopped, with those that they had started"),
  hasMore: z.boolean().describe("True when more are left: repeat the request"),
});

const counted = { count: z.int(), bytes: z.int() };

const workspaceStorageSchema = z
  .object({
    workspace: z.object({ id: z.string(), name: z.string(), kind: z.enum(["personal", "team"]) }),
    bytes: z.int().describe("The sum of the following, some of which are estimated"),
    runs: z
      .object(counted)
      .describe("Runs with their input and result; `bytes` is estimated from 50 of every 1,000 runs"),
    journal: z
      .object(counted)
      .describe("Recorded results of steps; both numbers are estimated from 50 of every 1,000 runs"),
    files: z.object(counted).describe("Files between steps"),
    documents: z.object(counted).describe("Uploaded documents"),
    measuredAt: timeSchema,
  })
  .meta({ id: "WorkspaceStorage" });
export type WorkspaceStorage = z.infer<typeof workspaceStorageSchema>;

export const storageResponseSchema = success({
  workspaces: z.array(workspaceStorageSchema).describe("The largest first; those that were measured"),
  nextCursor: nextCursorSchema,
  measuring: z.boolean().describe("True while a measurement runs; read again for its results"),
  databaseBytes: z.int().describe("Size of the database"),
  disk: z.object({ freeBytes: z.int(), totalBytes: z.int() }).describe("The disk of the data folder"),
});
export type InstanceStorage = Omit<z.infer<typeof storageResponseSchema>, "ok">;

const adminWorkspaceSchema = z
  .object({
    id: z.string(),
    name: z.string().describe("The email address of the user, for a personal workspace"),
    kind: z.enum(["personal", "team"]),
    members: z.int(),
    createdAt: timeSchema,
  })
  .meta({ id: "AdminWorkspace" });
export type AdminWorkspace = z.infer<typeof adminWorkspaceSchema>;

export const adminWorkspaceListResponseSchema = success({
  workspaces: z.array(adminWorkspaceSchema),
  nextCursor: nextCursorSchema,
});
