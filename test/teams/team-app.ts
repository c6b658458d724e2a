import { inspect } from "node:util";
import { expect, onTestFinished } from "vitest";
import { io, type Socket } from "socket.io-client";
import type * as z from "zod";
import {
  acknowledgementSchema,
  type SocketEventName,
  socketEvents,
  type SocketRequestName,
  socketRequests,
} from "../../contract/realtime.ts";
import type { LogEntry, Session } from "../../contract/teams.ts";
import type { Clock } from "../../server/lib/clock.ts";
import {
  type ChatRequest,
  type StubModelServer,
  stubModelSettings,
  useStubModelServer,
} from "../support/stub-model-server.ts";
import { registerUser, type RegisteredUser, type TestApp, useTestApp } from "../support/test-app.ts";

export type Ack = Record<string, any> & { ok: boolean };

export interface TeamApp {
  app: TestApp;
  stub: StubModelServer;
  ada: RegisteredUser;
  address: string;
}

export interface TeamAppOptions {
  dataDir?: string;
  clock?: Clock;
}

/** Starts the service with a stub model; by default, runs do not wait for a client. */
export async function useTeamApp(
  settings: Record<string, string> = {},
  options: TeamAppOptions = {},
): Promise<TeamApp> {
  const stub = await useStubModelServer();
  stub.answerWith((request: ChatRequest) => `${speakerOf(request)} has spoken`);
  const app = await useTestApp(
    { ...stubModelSettings(stub), TEAM_JOIN_WAIT_MS: "0", RATE_LIMIT_WEBHOOK_PER_MINUTE: "0", ...settings },
    options,
  );
  const address = await app.listen();
  return { app, stub, ada: await registerUser(app, "ada"), address };
}

/** The name of the agent that a model request is for, from its instructions. */
export function speakerOf({ messages }: ChatRequest): string {
  return /You are (\w+)/.exec(String(messages[0]?.content))?.[1] ?? "nobody";
}

/** The text of a model request without its instructions. */
export function promptOf({ messages }: ChatRequest): string {
  return messages
    .slice(1)
    .map(({ content }) => String(content))
    .join("\n");
}

export async function makeAgents(owner: RegisteredUser, ...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names)
    ids.push((await owner.post("/api/agents", { name, capabilities: [`${name}-work`] })).body.agent.id);
  return ids;
}

export interface MadeTeam {
  id: string;
  a2aSecret: string;
  agents: string[];
}

export async function makeTeam(owner: RegisteredUser, more: Record<string, unknown> = {}): Promise<MadeTeam> {
  const answer = await owner.post("/api/agent-teams", { name: "Crew", description: "", ...more });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.team;
}

export async function run(owner: RegisteredUser, teamId: string, objective = "Do it"): Promise<string> {
  return (await owner.post(`/api/agent-teams/${teamId}/run`, { objective })).body.sessionId;
}

export async function readSession(owner: RegisteredUser, sessionId: string): Promise<Session> {
  return (await owner.get(`/api/agent-teams/sessions/${sessionId}`)).body.session;
}

export async function readLog(owner: RegisteredUser, sessionId: string, after = 0): Promise<LogEntry[]> {
  return (await owner.get(`/api/agent-teams/sessions/${sessionId}/logs?after=${after}`)).body.logs;
}

/** Shorter than a test's timeout, which does not say what is missing. */
const UNTIL_MS = 90_000;

/** Polls until the condition holds; fails with the last value. */
export async function until<T>(read: () => Promise<T> | T, condition: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + UNTIL_MS;
  for (;;) {
    const value = await read();
    if (condition(value)) return value;
    if (Date.now() > deadline)
      throw new Error(`Still not ${condition.toString()}: ${inspect(value, { depth: 5 }).slice(-2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function ended(owner: RegisteredUser, sessionId: string): Promise<Session> {
  return until(
    () => readSession(owner, sessionId),
    ({ status }) => status !== "active" && status !== "waiting",
  );
}

export interface Client {
  socket: Socket;
  /** Every event so far, in the order of arrival. */
  events: [string, Record<string, any>][];
  /** Messages of NEW_SWARM_MESSAGE so far. */
  messages(): LogEntry[];
  ask(event: string, request?: unknown): Promise<Ack>;
}

export async function connect(
  address: string,
  token: string,
  options: Record<string, unknown> = {},
): Promise<Client> {
  const socket = io(address, {
    auth: { token },
    transports: ["websocket"],
    forceNew: true,
    reconnection: false,
    ...options,
  });
  const events: Client["events"] = [];
  onTestFinished(() => {
    socket.disconnect();
    for (const [name, event] of events) expectMatch(socketEvents[name as SocketEventName], event);
  });
  socket.onAny((name: string, event: Record<string, any>) => events.push([name, event]));
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("connect_error", reject);
  });
  return {
    socket,
    events,
    messages: () =>
      events
        .filter(([name]) => name === "NEW_SWARM_MESSAGE")
        .map(([, event]) => event["message"] as LogEntry),
    async ask(event, request) {
      const acknowledged: unknown = await (request === undefined
        ? socket.emitWithAck(event)
        : socket.emitWithAck(event, request));
      if (event in socketRequests)
        expectMatch(acknowledgementSchema(event as SocketRequestName), acknowledged);
      return acknowledged as Ack;
    },
  };
}

/** Every message to a client matches its contract schema, without extra fields. */
function expectMatch(schema: z.ZodType, received: unknown): void {
  expect(schema.parse(received)).toEqual(received);
}

export const seqs = (entries: readonly LogEntry[]): number[] => entries.map(({ seq }) => seq);
export const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
/** Sender, recipient, type and text of each entry. */
export const outline = (log: readonly LogEntry[]): unknown[][] =>
  log.map(({ from, to, type, content }) => [from.id, to.id, type, content["text"]]);
