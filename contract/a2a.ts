import * as z from "zod";
import { success, text } from "./api.ts";
import { messageTypes } from "./teams.ts";

const party = z.object({ id: text(200, 1), type: text(20, 1) });

/** The body of `POST /webhook/a2a/:teamId`. */
export const a2aMessageSchema = z
  .object({
    sessionId: text(200, 1),
    messageId: text(200, 1).optional().describe("A repeated id is stored once"),
    from: party.describe("An external agent of the team: its name, and the type external"),
    to: z
      .object({ id: text(200, 1), type: text(20, 1).optional() })
      .optional()
      .describe("All agents by default"),
    type: z.enum(messageTypes).exclude(["status"]).default("user_prompt"),
    content: z.record(z.string(), z.unknown()).describe("Free-form"),
  })
  .meta({ id: "A2aMessage" });
export type A2aMessage = z.infer<typeof a2aMessageSchema>;

export const a2aAcceptedSchema = success({ messageId: z.string(), sessionId: z.string(), seq: z.int() });
