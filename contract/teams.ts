import * as z from "zod";
import { limitedRecord, nameText, nextCursorSchema, queryNumber, success, text, timeSchema } from "./api.ts";
import { usageSchema } from "./models.ts";

export const BROADCAST = "broadcast";

export const topologies = ["mesh", "hierarchical", "linear"] as const;
export type Topology = (typeof topologies)[number];

const credentialSchema = z
  .object({
    secret: text(100, 1).describe("The name of one of your secret variables"),
    header: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,100}$/, "must be the name of a header")
      .optional()
      .describe("The header that carries the secret; `Authorization: Bearer` when absent"),
  })
  .meta({ id: "ExternalAgentCredential" });

const externalAgentSchema = z
  .object({
    name: nameText(100).refine((name) => name !== BROADCAST, `must not be ${BROADCAST}`),
    capabilities: z.array(text(100, 1)).max(100).default([]),
    url: z
      .url({ protocol: /^https?$/, error: "must be an http or https address" })
      .max(2000)
      .optional()
      .describe("An A2A endpoint or a webhook that receives the messages to this agent"),
    credential: credentialSchema.optional().describe("Sent with every request to `url`"),
    connection: text(200, 1)
      .optional()
      .describe(
        "One of your connections, by id, in place of `credential`. Its credential is sent only to its hosts",
      ),
  })
  .refine(({ credential, connection }) => credential === undefined || connection === undefined, {
    path: ["connection"],
    error: "cannot be combined with credential",
  })
  .meta({
    id: "ExternalAgent",
    examples: [{ name: "Researcher", capabilities: ["research"], url: "https://agents.example.com/a2a" }],
  });
export type ExternalAgent = z.infer<typeof externalAgentSchema>;

const teamLimitsSchema = z
  .object({
    turns: z.int().min(1).max(1000).optional(),
    tokens: z.int().min(100).max(1_000_000_000).optional(),
  })
  .meta({ id: "TeamLimits" })
  .describe("What one session may use; the limits of the service apply as well");
export type TeamLimits = z.infer<typeof teamLimitsSchema>;

const unique = (names: readonly string[]): boolean => new Set(names).size === names.length;
const fields = {
  name: nameText(200),
  description: text(10_000),
  agents: z
    .array(text(200, 1))
    .max(50)
    .refine(unique, "must not name an agent twice")
    .describe(
      "Ids of your agents. hierarchical: the first one leads; linear: each one passes its result to the next",
    ),
  externalAgents: z
    .array(externalAgentSchema)
    .max(50)
    .refine((agents) => unique(agents.map(({ name }) => name)), "must not have one name twice"),
  topology: z
    .enum(topologies)
    .describe(
      "mesh: every agent receives every message; hierarchical: the first delegates; linear: one after the other",
    ),
  limits: teamLimitsSchema,
  memberInstructions: limitedRecord(text(200, 1), text(10_000), 1000).describe(
    "By agent id: instructions that the agent gets in this team, in addition to its own",
  ),
};

export const createTeamSchema = z.object({
  name: fields.name,
  description: fields.description.default(""),
  agents: fields.agents.default([]),
  externalAgents: fields.externalAgents.default([]),
  topology: fields.topology.default("mesh"),
  limits: fields.limits.default({}),
  memberInstructions: fields.memberInstructions.default({}),
});
export type CreateTeam = z.infer<typeof createTeamSchema>;
export type NewTeam = z.input<typeof createTeamSchema>;

export const updateTeamSchema = z.object(fields).partial();
export type UpdateTeam = z.infer<typeof updateTeamSchema>;

export const teamSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    agents: z.array(z.string()),
    externalAgents: z.array(externalAgentSchema),
    topology: z.enum(topologies),
    limits: teamLimitsSchema,
    memberInstructions: z.record(z.string(), z.string()),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: "Team" });
export type Team = z.infer<typeof teamSchema>;

const teamWithSecret = teamSchema
  .extend({ a2aSecret: z.string().describe("Returned only here") })
  .meta({ id: "TeamWithSecret" });

const warningSchema = z
  .object({ code: z.string(), message: z.string(), agentId: z.string() })
  .meta({ id: "TeamWarning" });
export type TeamWarning = z.infer<typeof warningSchema>;

export const teamSecretResponseSchema = success({ team: teamWithSecret, warnings: z.array(warningSchema) });
export const teamResponseSchema = success({ team: teamSchema, warnings: z.array(warningSchema) });
export const teamListResponseSchema = success({ teams: z.array(teamSchema), nextCursor: nextCursorSchema });

/** The secret with which one external agent posts to the team. */
export const externalAgentSecretResponseSchema = success({
  name: z.string(),
  secret: z.string().describe("Returned only here"),
});

export const findAgentCardSchema = z.object({
  url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).max(2000),
});
export const agentCardResponseSchema = success({
  protocol: z.enum(["a2a", "webhook"]).describe("webhook: the address serves no agent card"),
  card: z
    .object({
      name: z.string(),
      description: z.string(),
      skills: z.array(z.string()),
      credentialHeaders: z
        .array(z.string())
        .describe(
          "Headers that carry a credential, as the card lists them; `authorization` for a bearer token",
        ),
    })
    .nullable(),
});

const discoveryEntrySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.enum(["internal", "external"]),
    capabilities: z.array(z.string()),
  })
  .meta({ id: "DiscoveryEntry" });
export type DiscoveryEntry = z.infer<typeof discoveryEntrySchema>;
export const discoveryResponseSchema = success({ discovery: z.array(discoveryEntrySchema) });

export const sessionStatuses = ["waiting", "active", "completed", "failed", "cancelled"] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

const resultSchema = z
  .object({
    output: z.unknown().describe("The last message of the agent that finished the session"),
    from: z.string().nullable(),
    stoppedBy: z.enum(["finished", "turn_limit", "token_limit", "time_limit"]),
  })
  .meta({ id: "SessionResult" });
export type SessionResult = z.infer<typeof resultSchema>;

export const sessionSchema = z
  .object({
    id: z.string(),
    teamId: z.string(),
    objective: z.string(),
    status: z.enum(sessionStatuses),
    result: resultSchema.nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    usage: usageSchema,
    turns: z.int().describe("Turns of agents since the last message from outside the team"),
    limits: z
      .object({ turns: z.int(), tokens: z.int() })
      .describe("The session ends when it reaches one of them"),
    createdAt: timeSchema,
    startedAt: timeSchema.nullable(),
    completedAt: timeSchema.nullable(),
  })
  .meta({ id: "AgentSession" });
export type Session = z.infer<typeof sessionSchema>;

export const messageTypes = [
  "user_prompt",
  "agent_result",
  "agent_message",
  "tool_call",
  "tool_result",
  "status",
  "error",
] as const;
export type MessageType = (typeof messageTypes)[number];

export const partySchema = z
  .object({ id: z.string(), type: z.string().describe("internal, external, user or system") })
  .meta({ id: "Party" });
export type Party = z.infer<typeof partySchema>;

/** The service itself, as the author of an entry. */
export const SYSTEM: Party = { id: "baton", type: "system" };

export const logEntrySchema = z
  .object({
    id: z.string(),
    seq: z.int().describe("1, 2, 3 … without gaps"),
    sessionId: z.string(),
    teamId: z.string(),
    from: partySchema,
    to: partySchema,
    type: z.enum(messageTypes),
    content: z.record(z.string(), z.unknown()),
    createdAt: timeSchema,
  })
  .meta({ id: "LogEntry" });
export type LogEntry = z.infer<typeof logEntrySchema>;

const objective = text(100_000, 1);
export const runTeamSchema = z
  .object({
    objective: objective.optional(),
    input: objective.optional().describe("Alias of objective"),
  })
  .refine((body) => body.objective !== undefined || body.input !== undefined, {
    path: ["objective"],
    message: "is missing: describe what the team should do",
  });
export const teamRunResponseSchema = success({
  sessionId: z.string(),
  teamId: z.string(),
  status: z.enum(sessionStatuses),
});

/** The content of a message: text, or an object that is stored unchanged. */
export const messageContentSchema = z.union([text(1_000_000, 1), z.record(z.string(), z.unknown())]);
export const recipientSchema = z.union([
  text(200, 1),
  z.object({ id: text(200, 1), type: text(20, 1).optional() }),
]);
export const sendSessionMessageSchema = z.object({
  to: recipientSchema.optional().describe("Id or name of an agent; all agents by default"),
  content: messageContentSchema,
});
export type Recipient = z.infer<typeof recipientSchema>;
export type MessageContent = z.infer<typeof messageContentSchema>;

export const sessionResponseSchema = success({ session: sessionSchema });
export const sessionListResponseSchema = success({
  sessions: z.array(sessionSchema),
  nextCursor: nextCursorSchema,
});
export const sentMessageSchema = z.object({ sessionId: z.string(), messageId: z.string(), seq: z.int() });
export const sentMessageResponseSchema = success(sentMessageSchema.shape);
export const logQuerySchema = z.object({
  after: queryNumber().min(0).default(0).describe("Only entries with a greater seq"),
  limit: queryNumber()
    .min(1)
    .max(1000)
    .default(1000)
    .describe("Maximum number of entries; continue with `after` set to the last seq"),
});
export const logResponseSchema = success({ logs: z.array(logEntrySchema) });
