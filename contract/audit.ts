import * as z from "zod";
import {
  emptyAsAbsent,
  nextCursorSchema,
  numberedPageQuerySchema,
  success,
  text,
  timeSchema,
} from "./api.ts";

/**
 * `anonymous` has not logged in; `operator` is a command on the machine of the service; `approval_link` is the holder of a
 * link, with the approver of a personal one; `provider` is the login provider; `system` is Baton itself.
 */
export const ACTOR_KINDS = [
  "user",
  "key",
  "service_account",
  "operator",
  "approval_link",
  "provider",
  "system",
  "anonymous",
] as const;

const stateSchema = z.record(z.string(), z.unknown()).nullable();

export const auditEventSchema = z
  .object({
    sequence: z.int().describe("Position in the chain: 1, 2, 3 …"),
    at: timeSchema,
    stage: z
      .enum(["attempt", "result"])
      .describe(
        "A change is recorded before it is made (`attempt`) and after it (`result`), with one `actionId`; a read only after it",
      ),
    actionId: z.string(),
    action: z
      .string()
      .describe(
        "The `operationId` of the route, `admin.<command>`, or `oidc.<change>` of the login provider",
      ),
    outcome: z
      .enum(["succeeded", "failed"])
      .nullable()
      .describe("Null for an attempt: without a result the process ended during the change"),
    status: z.int().nullable().describe("HTTP status of the response"),
    error: z.string().nullable().describe("Error code of the response"),
    actor: z.object({
      kind: z.enum(ACTOR_KINDS),
      id: z.string().nullable(),
      name: z.string().nullable(),
      keyId: z.string().nullable().describe("The API key that the request came with"),
    }),
    target: z.object({
      kind: z.string().nullable(),
      id: z.string().nullable(),
      name: z.string().nullable(),
    }),
    address: z.string().nullable().describe("IP address of the client"),
    userAgent: z.string().nullable(),
    requestId: z.string().nullable(),
    before: stateSchema.describe(
      "Attempt: the record. Result: the fields that the action changed. Without secrets",
    ),
    after: stateSchema,
    previousHash: z.string().describe("Hash of the event before"),
    hash: z.string().describe("SHA-256 of `previousHash` and the canonical JSON of this event"),
  })
  .meta({ id: "AuditEvent" });
export type AuditEvent = z.infer<typeof auditEventSchema>;

const time = emptyAsAbsent(z.iso.datetime({ offset: true }));

const filters = {
  actor: emptyAsAbsent(text(200)).describe(
    "Id or name of a person or a service account, or id of an API key",
  ),
  action: emptyAsAbsent(text(200)).describe("For example `updateWorkflow`"),
  target: emptyAsAbsent(text(200)).describe("Id or name of a record"),
  from: time.describe("Events at this time or later"),
  to: time.describe("Events before this time"),
};

export const auditFilterSchema = z.object(filters);
export type AuditFilter = z.infer<typeof auditFilterSchema>;

export const auditQuerySchema = numberedPageQuerySchema.extend(filters);
export type AuditQuery = z.infer<typeof auditQuerySchema>;

export const auditExportQuerySchema = z.object({
  ...filters,
  format: z
    .enum(["ndjson", "csv"])
    .default("ndjson")
    .describe("`ndjson`: one event a line, complete; `csv`: for spreadsheets"),
});

export const auditListResponseSchema = success({
  events: z.array(auditEventSchema),
  nextCursor: nextCursorSchema,
});

export const auditVerificationSchema = z
  .object({
    valid: z.boolean(),
    events: z.int().describe("Events that were checked"),
    firstSequence: z.int().nullable().describe("The oldest event that is kept"),
    lastSequence: z.int().describe("The newest event; 0 for an empty chain"),
    lastHash: z.string().describe("Compare it with the hash of an earlier export or of your own copy"),
    problem: z
      .object({ sequence: z.int().describe("The first broken event"), message: z.string() })
      .nullable(),
  })
  .meta({ id: "AuditVerification" });
export type AuditVerification = z.infer<typeof auditVerificationSchema>;

export const auditVerificationResponseSchema = success({ verification: auditVerificationSchema });
