import * as z from "zod";
import { success } from "./api.ts";

interface LimitDefinition {
  /** In metrics and in `GET /api/limits`. */
  name: string;
  /** The environment variable; 0 turns the limit off. */
  setting: string;
  unit:
    | "tasks"
    | "bytes"
    | "calls"
    | "connections"
    | "emails"
    | "events"
    | "expressions"
    | "jobs"
    | "megabytes"
    | "milliseconds"
    | "pages"
    | "checks"
    | "messages"
    | "recipients"
    | "results"
    | "triggers"
    | "values";
  description: string;
  /** The administrator may set another value for a workspace. */
  perWorkspace?: true;
}

/** Every limit on what one owner may use at once (shares) and in total (budgets). */
export const LIMITS = [
  {
    name: "running_tasks",
    setting: "RUNNING_TASKS_PER_OWNER",
    unit: "tasks",
    description: "Tasks of one owner that run at once in a process",
    perWorkspace: true,
  },
  {
    name: "queued_tasks",
    setting: "QUEUED_TASKS_PER_OWNER",
    unit: "tasks",
    description: "Tasks of one owner that are due and wait for a slot",
    perWorkspace: true,
  },
  {
    name: "descendants",
    setting: "DESCENDANTS_PER_TASK",
    unit: "tasks",
    description: "Tasks that one task starts, directly and through its sub-workflows",
  },
  {
    name: "expressions",
    setting: "EXPRESSIONS_PER_OWNER",
    unit: "expressions",
    description: "Expressions of one owner that are evaluated at once in a process",
    perWorkspace: true,
  },
  {
    name: "code",
    setting: "CODE_PER_OWNER",
    unit: "calls",
    description: "Code steps and steps with {{= }} expressions of one owner that run at once in a process",
    perWorkspace: true,
  },
  {
    name: "code_time",
    setting: "CODE_TIMEOUT_MS",
    unit: "milliseconds",
    description: "One run of a code step, or all {{= }} expressions of a step",
  },
  {
    name: "code_memory",
    setting: "CODE_MEMORY_MB",
    unit: "megabytes",
    description: "Memory of one run of a code step, or of the {{= }} expressions of a step",
  },
  {
    name: "database_connections",
    setting: "DATABASE_CONNECTIONS_PER_OWNER",
    unit: "connections",
    description: "Steps of type sql, redis and s3 of one owner that run at once in a process",
    perWorkspace: true,
  },
  {
    name: "model_calls",
    setting: "MODEL_CALLS_PER_OWNER",
    unit: "calls",
    description: "Requests of one owner to language models at once in a process",
    perWorkspace: true,
  },
  {
    name: "embeddings",
    setting: "EMBEDDINGS_PER_OWNER",
    unit: "calls",
    description: "Questions and documents of one owner that are embedded at once in a process",
    perWorkspace: true,
  },
  {
    name: "waiting_jobs",
    setting: "WAITING_JOBS_PER_OWNER",
    unit: "jobs",
    description:
      "Expressions, model calls and other jobs of one owner that wait for their turn, of each kind",
  },
  {
    name: "waiting_passwords",
    setting: "WAITING_PASSWORDS_PER_ADDRESS",
    unit: "jobs",
    description: "Registrations from one address, and logins to one account, that wait for their turn",
  },
  {
    name: "value_bytes",
    setting: "MAX_VALUE_BYTES",
    unit: "bytes",
    description: "The fields of a step after its placeholders are filled in, or one output of a step",
  },
  {
    name: "task_output_bytes",
    setting: "MAX_TASK_OUTPUT_BYTES",
    unit: "bytes",
    description: "All step outputs of one task",
  },
  {
    name: "journal_entries",
    setting: "MAX_JOURNAL_ENTRIES",
    unit: "results",
    description: "Results that one task records, those of loop iterations included",
  },
  {
    name: "secret_bytes",
    setting: "MAX_SECRET_BYTES",
    unit: "bytes",
    description: "The secrets that one workflow uses; each counts at least 1,024",
  },
  {
    name: "response_bytes",
    setting: "MAX_RESPONSE_BYTES",
    unit: "bytes",
    description: "Inputs and outputs in one response of the API",
  },
  {
    name: "streams",
    setting: "STREAMS_PER_USER",
    unit: "connections",
    description: "Event streams and sockets of one workspace that are open in a process",
  },
  {
    name: "address_streams",
    setting: "STREAMS_PER_ADDRESS",
    unit: "connections",
    description:
      "Event streams and sockets from one address, or one IPv6 /64 network, that are open in a process",
  },
  {
    name: "email_recipients",
    setting: "EMAIL_MAX_RECIPIENTS",
    unit: "recipients",
    description: "Recipients of one email",
  },
  {
    name: "emails",
    setting: "EMAILS_PER_HOUR",
    unit: "emails",
    description: "Emails of one owner in an hour, sent by a process",
    perWorkspace: true,
  },
  {
    name: "triggers",
    setting: "TRIGGERS_PER_OWNER",
    unit: "triggers",
    description: "Feed, mailbox and chat triggers of one owner",
    perWorkspace: true,
  },
  {
    name: "trigger_checks",
    setting: "TRIGGER_CHECKS_PER_OWNER",
    unit: "checks",
    description: "Feeds and mailboxes of one owner that are checked at once, in all processes",
  },
  {
    name: "kept_events",
    setting: "KEPT_EVENTS_PER_OWNER",
    unit: "events",
    description: "Events of one owner that no step has taken yet",
    perWorkspace: true,
  },
  {
    name: "kept_event_bytes",
    setting: "KEPT_EVENT_BYTES_PER_OWNER",
    unit: "bytes",
    description: "Data of the events of one owner that no step has taken yet",
    perWorkspace: true,
  },
  {
    name: "chat_messages",
    setting: "CHAT_MESSAGES_PER_OWNER",
    unit: "messages",
    description: "Messages of visitors that the chats of one owner keep",
    perWorkspace: true,
  },
  {
    name: "store_values",
    setting: "STORE_VALUES_PER_OWNER",
    unit: "values",
    description: "Values that the store keeps for one owner",
    perWorkspace: true,
  },
  {
    name: "store_bytes",
    setting: "STORE_BYTES_PER_OWNER",
    unit: "bytes",
    description: "All values that the store keeps for one owner",
    perWorkspace: true,
  },
  {
    name: "store_value_bytes",
    setting: "MAX_STORE_VALUE_BYTES",
    unit: "bytes",
    description: "One value in the store",
  },
  {
    name: "upload_bytes",
    setting: "UPLOAD_BYTES_PER_HOUR",
    unit: "bytes",
    description: "Documents that one owner uploads in an hour to a process",
    perWorkspace: true,
  },
  {
    name: "file_bytes",
    setting: "MAX_FILE_BYTES",
    unit: "bytes",
    description: "One file between steps",
  },
  {
    name: "owner_file_bytes",
    setting: "FILE_BYTES_PER_OWNER",
    unit: "bytes",
    description: "All files between steps that are stored for one owner",
    perWorkspace: true,
  },
  {
    name: "document_pages",
    setting: "DOCUMENT_PAGES_PER_HOUR",
    unit: "pages",
    description: "Pages of one owner's documents that a process reads in an hour",
    perWorkspace: true,
  },
] as const satisfies readonly LimitDefinition[];

export type LimitName = (typeof LIMITS)[number]["name"];
/** Limits that the administrator may set for one workspace. */
export type WorkspaceLimitName = Extract<(typeof LIMITS)[number], { perWorkspace: true }>["name"];
export type LimitSetting = (typeof LIMITS)[number]["setting"];

const limitSchema = z
  .object({
    name: z.string(),
    setting: z.string().describe("The setting that changes the limit"),
    limit: z.int().describe("0: no limit"),
    used: z.int().nullable().describe("Current use by the caller; null where there is nothing to add up"),
    unit: z.string(),
    description: z.string(),
  })
  .meta({ id: "Limit" });
export type Limit = z.infer<typeof limitSchema>;

export const limitListResponseSchema = success({ limits: z.array(limitSchema) });
