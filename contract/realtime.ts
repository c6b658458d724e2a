import * as z from "zod";
import type { Usage } from "./agents.ts";
import { text } from "./api.ts";
import {
  type LogEntry,
  recipientSchema,
  type Session,
  type SessionStatus,
  messageContentSchema,
} from "./teams.ts";

/** Socket.IO at `/socket.io`, the access token in `auth.token`. Every request is acknowledged. */
const seq = z.int().min(0);

export const joinWarRoomSchema = z
  .object({
    teamId: text(200, 1).optional(),
    sessionId: text(200, 1).optional(),
    after: z
      .union([seq, z.record(text(200, 1), seq)])
      .optional()
      .describe("What was seen last: a seq of that session, or one for each session by its id"),
  })
  .refine(({ teamId, sessionId }) => (teamId === undefined) !== (sessionId === undefined), {
    message: "must have either a teamId or a sessionId",
  });
export type JoinWarRoom = z.infer<typeof joinWarRoomSchema>;

export const leaveWarRoomSchema = z
  .object({ teamId: text(200, 1).optional(), sessionId: text(200, 1).optional() })
  .nullish();

export const sendMessageSchema = z.object({
  sessionId: text(200, 1),
  to: recipientSchema.optional(),
  content: messageContentSchema,
});

export const watchTaskSchema = z.object({ taskId: text(200, 1) });
export const watchDocumentSchema = z.object({ documentId: text(200, 1) });

export interface Refused {
  ok: false;
  error: string;
  message: string;
}
export type Acknowledge<Answer> = (answer: ({ ok: true } & Answer) | Refused) => void;

export interface JoinedRoom {
  room: string;
  teamId: string;
  sessions: Session[];
  /** What was missed, oldest first within each session; more of it may follow as NEW_SWARM_MESSAGE. */
  messages: LogEntry[];
  /** How many clients are in the room, this one included. */
  present: number;
}

export interface NewSwarmMessage {
  sessionId: string;
  teamId: string;
  message: LogEntry;
}

export interface SwarmStatus {
  sessionId: string;
  teamId: string;
  status: SessionStatus;
  agentId?: string;
  detail?: string;
  /** Tokens of the session so far. */
  usage?: Usage;
  /** Turns that agents have taken since the last word from outside. */
  turns?: number;
}

export interface TaskStatusEvent {
  taskId: string;
  status: string;
  stepId?: string;
  type?: string;
  seq?: number;
  error?: { code: string; message: string };
}

/** How far a document has been taken in. */
export interface DocumentStatusEvent {
  documentId: string;
  status: string;
  pages: number;
  pagesDone: number;
  chunksDone: number;
}

export interface ClientToServer {
  join_war_room(request: unknown, acknowledge?: Acknowledge<JoinedRoom>): void;
  leave_war_room(request?: unknown, acknowledge?: Acknowledge<object>): void;
  send_message(
    request: unknown,
    acknowledge?: Acknowledge<{ sessionId: string; messageId: string; seq: number }>,
  ): void;
  watch_task(request: unknown, acknowledge?: Acknowledge<{ taskId: string; status: string }>): void;
  unwatch_task(request: unknown, acknowledge?: Acknowledge<object>): void;
  watch_document(request: unknown, acknowledge?: Acknowledge<DocumentStatusEvent>): void;
  unwatch_document(request: unknown, acknowledge?: Acknowledge<object>): void;
}

export interface ServerToClient {
  NEW_SWARM_MESSAGE(event: NewSwarmMessage): void;
  SWARM_STATUS(event: SwarmStatus): void;
  TASK_STATUS(event: TaskStatusEvent): void;
  DOCUMENT_STATUS(event: DocumentStatusEvent): void;
  ROOM_PRESENCE(event: { teamId: string; present: number }): void;
}
