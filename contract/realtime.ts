import * as z from "zod";
import { errorSchema, limitedRecord, success, text } from "./api.ts";
import { documentStatusSchema } from "./documents.ts";
import { usageSchema } from "./models.ts";
import { logLineSchema } from "./step-log.ts";
import { stepStatusSchema, taskErrorSchema, taskStatusSchema } from "./tasks.ts";
import {
  logEntrySchema,
  messageContentSchema,
  recipientSchema,
  sentMessageSchema,
  sessionSchema,
  sessionStatuses,
} from "./teams.ts";

// Socket.IO at `/socket.io`, with the access token in `auth.token` and the workspace in `auth.workspace`, else the personal one. Every request is acknowledged.

const id = text(200, 1);
const seq = z.int().min(0);

export const joinWarRoomSchema = z
  .object({
    teamId: id.optional(),
    sessionId: id.optional(),
    after: z
      .union([seq, limitedRecord(id, seq, 10_000)])
      .optional()
      .describe("The last seq received: of that session, or of each session by its id"),
  })
  .refine(({ teamId, sessionId }) => (teamId === undefined) !== (sessionId === undefined), {
    message: "must have either a teamId or a sessionId",
  });
export type JoinWarRoom = z.infer<typeof joinWarRoomSchema>;

const joinedRoomSchema = z.object({
  room: z.string(),
  teamId: z.string(),
  sessions: z.array(sessionSchema),
  messages: z
    .array(logEntrySchema)
    .describe("Missed entries, oldest first within each session; more may follow as NEW_SWARM_MESSAGE"),
  present: z.int().describe("Number of clients in the room, this one included"),
});
export type JoinedRoom = z.infer<typeof joinedRoomSchema>;

const watchTaskSchema = z.object({ taskId: id });
const watchDocumentSchema = z.object({ documentId: id });

const documentStatusEventSchema = z
  .object({
    documentId: z.string(),
    status: documentStatusSchema,
    pages: z.int(),
    pagesDone: z.int(),
    chunksDone: z.int(),
  })
  .describe("Ingestion progress of a watched document");
export type DocumentStatusEvent = z.infer<typeof documentStatusEventSchema>;

const emptyResponse = z.looseObject({});

/** Requests of a client, and the fields of a successful acknowledgement in addition to `ok: true`. */
export const socketRequests = {
  join_war_room: { request: joinWarRoomSchema, response: joinedRoomSchema },
  leave_war_room: {
    request: z.object({ teamId: id.optional(), sessionId: id.optional() }).nullish(),
    response: emptyResponse,
  },
  send_message: {
    request: z.object({ sessionId: id, to: recipientSchema.optional(), content: messageContentSchema }),
    response: sentMessageSchema,
  },
  watch_task: {
    request: watchTaskSchema,
    response: z.object({ taskId: z.string(), status: taskStatusSchema }),
  },
  unwatch_task: { request: watchTaskSchema, response: emptyResponse },
  watch_document: { request: watchDocumentSchema, response: documentStatusEventSchema },
  unwatch_document: { request: watchDocumentSchema, response: emptyResponse },
} as const satisfies Record<string, { request: z.ZodType; response: z.ZodObject }>;

export type SocketRequestName = keyof typeof socketRequests;
export type SocketRequest<Name extends SocketRequestName> = z.output<
  (typeof socketRequests)[Name]["request"]
>;
export type SocketResponse<Name extends SocketRequestName> = z.output<
  (typeof socketRequests)[Name]["response"]
>;

/** `{ok: true, …}` or `{ok: false, error, message}`: the acknowledgement of a request. */
export function acknowledgementSchema(name: SocketRequestName) {
  return z.discriminatedUnion("ok", [success(socketRequests[name].response.shape), errorSchema]);
}

const swarmStatusSchema = z
  .object({
    sessionId: z.string(),
    teamId: z.string(),
    status: z.enum(sessionStatuses),
    agentId: z.string().optional(),
    detail: z.string().optional(),
    tool: z.string().optional().describe("With detail tool_started: the tool that the agent runs"),
    usage: usageSchema.optional().describe("Tokens of the session so far"),
    turns: z.int().optional().describe("Turns that agents have taken since the last message of a person"),
  })
  .describe("The state of a session, or the activity of one of its agents");
export type SwarmStatus = z.infer<typeof swarmStatusSchema>;

const swarmTextSchema = z
  .object({
    sessionId: z.string(),
    teamId: z.string(),
    agentId: z.string(),
    offset: z.int().describe("Position in the answer; 0 begins a new one"),
    text: z.string(),
  })
  .describe(
    "A piece of an answer that an agent is writing. Live only: the log entry follows with the whole text",
  );
export type SwarmText = z.infer<typeof swarmTextSchema>;

const taskStatusEventSchema = z
  .object({
    taskId: z.string(),
    status: z.union([taskStatusSchema, stepStatusSchema]),
    stepId: z.string().optional().describe("The step path; absent when the task itself changed"),
    type: z.string().optional(),
    seq: z
      .int()
      .optional()
      .describe("Absent when a step has started or written a log line, which are not part of the journal"),
    log: logLineSchema.optional().describe("The line that the running step has written"),
    error: taskErrorSchema.optional(),
  })
  .describe("A change of a watched task or of one of its steps");
export type TaskStatusEvent = z.infer<typeof taskStatusEventSchema>;

/** Events that the server pushes. */
export const socketEvents = {
  NEW_SWARM_MESSAGE: z
    .object({ sessionId: z.string(), teamId: z.string(), message: logEntrySchema })
    .describe("An entry of a session's log, in order within the session"),
  SWARM_STATUS: swarmStatusSchema,
  SWARM_TEXT: swarmTextSchema,
  TASK_STATUS: taskStatusEventSchema,
  DOCUMENT_STATUS: documentStatusEventSchema,
  NOTIFICATIONS_CHANGED: z
    .object({})
    .describe("Notifications of the workspace have changed: read `GET /api/notifications` again"),
  ROOM_PRESENCE: z.object({ teamId: z.string(), present: z.int() }),
} as const satisfies Record<string, z.ZodObject>;

export type NewSwarmMessage = SocketEvent<"NEW_SWARM_MESSAGE">;

export type SocketEventName = keyof typeof socketEvents;
export type SocketEvent<Name extends SocketEventName> = z.output<(typeof socketEvents)[Name]>;

export interface FailedAcknowledgement {
  ok: false;
  error: string;
  message: string;
}
export type Acknowledge<Response> = (response: ({ ok: true } & Response) | FailedAcknowledgement) => void;

/** The event types of a Socket.IO connection, for client and server. */
export type ClientToServer = {
  [Name in SocketRequestName]: (
    request: z.input<(typeof socketRequests)[Name]["request"]>,
    acknowledge?: Acknowledge<SocketResponse<Name>>,
  ) => void;
};
export type ServerToClient = { [Name in SocketEventName]: (event: SocketEvent<Name>) => void };
