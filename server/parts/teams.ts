import { EventEmitter } from "node:events";
import { a2aRoutes } from "../http/a2a-routes.ts";
import { a2aWebhookRoutes } from "../http/a2a-webhook-routes.ts";
import { sessionRoutes } from "../http/session-routes.ts";
import { teamRoutes } from "../http/team-routes.ts";
import { createRateLimiter } from "../lib/rate-limiter.ts";
import type { DocumentStanding } from "../realtime/document-watch.ts";
import { socketDoor } from "../realtime/socket-door.ts";
import type { Tokens } from "../security/tokens.ts";
import type { Db } from "../storage/db.ts";
import { createSessionStore } from "../storage/session-store.ts";
import { createTeamStore } from "../storage/team-store.ts";
import { createA2aIntake } from "../teams/a2a-intake.ts";
import { createCallExternal } from "../teams/call-external.ts";
import { roomOfTeam } from "../teams/room-of-team.ts";
import { createPresence, type RoomSignal, type RoomSignals } from "../teams/room-signals.ts";
import { createSessionDriver } from "../teams/session-driver.ts";
import { createSessions } from "../teams/sessions.ts";
import { createTakeTurn } from "../teams/take-turn.ts";
import { createTeams } from "../teams/teams.ts";
import type { AgentsPart } from "./agents.ts";
import type { EnginePart } from "./engine.ts";
import type { Ground, Part } from "./part.ts";

const IDLE_MS = 3_600_000;
/** A client of the A2A standard asks more often than a webhook is called: it also reads. */
const A2A_TO_WEBHOOK_RATE = 6;

/** Teams and their sessions, with every way into them: HTTP, sockets, the A2A webhook, the A2A standard. */
export async function createTeamsPart(
  { config, clock, db, egress, report }: Ground,
  { runAgent, registered }: AgentsPart,
  { engine, tasks }: EnginePart,
  tokens: Tokens,
  documentStanding: DocumentStanding,
): Promise<Part> {
  const store = createTeamStore(db);
  const sessionStore = createSessionStore(db);
  const signals = await openSignals(db);
  const presence = createPresence();
  const driver = await createSessionDriver({
    store: sessionStore,
    clock,
    signals,
    limits: { maxTurns: config.teams.maxTurns, maxTokens: config.teams.maxTokens, idleMs: IDLE_MS },
    concurrency: config.workerConcurrency,
    takeTurn: createTakeTurn({
      clock,
      runAgent,
      callExternal: createCallExternal({ egress, clock }),
      onError: report,
    }),
    async seated(teamId) {
      const team = await store.find(teamId);
      return team === undefined
        ? undefined
        : { team, ...roomOfTeam(team, await registered(team.agents, team.ownerId)) };
    },
    onError: report,
  });
  signals.subscribe((signal) => {
    if (signal.kind === "cancelled") driver.cancelled(signal.sessionId);
  });
  const sessions = createSessions({
    store: sessionStore,
    clock,
    signals,
    presence,
    driver,
    ownedTeam: store.owned,
    findTeam: store.find,
    agentNames: async ({ agents, ownerId }) =>
      new Map((await registered(agents, ownerId)).map(({ id, name }) => [id, name])),
    joinWaitMs: config.teams.joinWaitMs,
  });
  const teams = createTeams({ store, clock, registered, beforeRemove: sessions.cancelAll });
  const intake = createA2aIntake({ teams: store, sessions });
  const { webhookPerMinute, webhookBodyBytes } = config.limits;

  return {
    routes(http) {
      teamRoutes(http, { teams, sessions });
      sessionRoutes(http, { sessions, messageBytes: webhookBodyBytes });
      a2aWebhookRoutes(http, {
        intake,
        limiter: createRateLimiter(webhookPerMinute, clock),
        bodyLimitBytes: webhookBodyBytes,
      });
      a2aRoutes(http, {
        intake,
        sessions,
        signals,
        limiter: createRateLimiter(webhookPerMinute * A2A_TO_WEBHOOK_RATE, clock),
        bodyLimitBytes: webhookBodyBytes,
        waitMs: config.syncTimeoutMs,
        findTeam: store.find,
        discovery: ({ ownerId, id }) => teams.discovery(ownerId, id),
        publicUrl: config.publicUrl,
      });
      socketDoor(http, {
        verifyToken: tokens.verify,
        teams,
        sessions,
        presence,
        signals,
        engine,
        taskStatus: tasks.status,
        documentStanding,
        corsOrigins: config.corsOrigins,
        publicUrl: config.publicUrl,
        onError: report,
      });
    },
    stop: () => driver.close(),
  };
}

/** Through the database, so that every process that shares it hears them. */
async function openSignals(db: Db): Promise<RoomSignals> {
  const heard = new EventEmitter().setMaxListeners(0);
  await db.listen("war_room", (payload) => heard.emit("signal", JSON.parse(payload) as RoomSignal));
  return {
    publish: (signal) => db.notify("war_room", JSON.stringify(signal)),
    subscribe(listener) {
      heard.on("signal", listener);
      return () => heard.off("signal", listener);
    },
  };
}
