import { IDEMPOTENCY_KEY_LIFETIME_MS } from "../../contract/api.ts";
import type { PageQuery } from "../../contract/api.ts";
import { type Party, type Session, SYSTEM } from "../../contract/teams.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { NO_USAGE } from "../models/language-model.ts";
import {
  type PostedMessage,
  type RecipientLookup,
  resolveRecipient,
  toNewMessage,
} from "./posted-message.ts";
import type { Presence } from "./presence.ts";
import type { RoomSignals } from "./room-signals.ts";
import type { Limits } from "./session/next-action.ts";
import { SESSION_LANE } from "./session/session-task.ts";
import { EVERYONE } from "./session/topology.ts";
import type { SessionRecord } from "./session-record.ts";
import { toSession } from "./session-view.ts";
import type { SessionStore } from "./store/session.sql.ts";
import type { TeamRecord } from "./team.sql.ts";

export interface SessionsDeps extends RecipientLookup {
  store: SessionStore;
  clock: Clock;
  signals: RoomSignals;
  presence: Presence;
  engine: Pick<Engine, "nudge" | "cancelled">;
  limits: Limits;
  /** Throws `team_not_found` or `forbidden`. */
  getTeam(id: string, ownerId: string): Promise<TeamRecord>;
  /** Throws `account_disabled`. */
  assertNotSuspended(ownerId: string): void;
  /** How long a new session waits for a client to join the war room. */
  joinWaitMs: number;
}

export interface MessageReceipt {
  sessionId: string;
  messageId: string;
  seq: number;
}

export interface StartOptions {
  /** The first message; without it, the objective. */
  content?: Record<string, unknown>;
  /** A second start of the team with the same key returns the session of the first. */
  dedupeKey?: string;
  /** Does not wait for a client to join: the caller itself waits for the answer. */
  immediately?: boolean;
  /** The protocol over which the session is started; without it, the API. */
  trigger?: "mcp";
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(deps: SessionsDeps) {
  const { store, clock, signals, presence, engine } = deps;

  /** The session is durable when this resolves. It runs as soon as a client is in the room, or after `joinWaitMs`. */
  async function start(
    team: TeamRecord,
    objective: string,
    from: Party,
    options: StartOptions = {},
  ): Promise<SessionRecord> {
    deps.assertNotSuspended(team.ownerId);
    const now = clock.now();
    const isActive = options.immediately === true || presence.count(team.id) > 0 || deps.joinWaitMs === 0;
    const session: SessionRecord = {
      id: createId("sess", now),
      teamId: team.id,
      ownerId: team.ownerId,
      objective,
      status: isActive ? "active" : "waiting",
      result: null,
      error: null,
      usage: NO_USAGE,
      turns: 0,
      lastSeq: 1,
      teamLimits: team.limits,
      createdAt: now,
      startedAt: isActive ? now : null,
      completedAt: null,
    };
    const { content = objective, dedupeKey } = options;
    const message = toNewMessage({ from, to: EVERYONE, content, dedupeKey }, now);
    const runAt = isActive ? now : now + deps.joinWaitMs;
    const existing = await store.insert(
      session,
      message,
      runAt,
      now - IDEMPOTENCY_KEY_LIFETIME_MS,
      options.trigger,
    );
    if (existing !== undefined) {
      if (existing.objective === objective) return existing;
      throw new AppError(
        "idempotency_conflict",
        "This key was used before for another objective; use a new key.",
      );
    }
    if (isActive) announce(team.id, session.id);
    else signals.publish({ kind: "waiting", teamId: team.id });
    engine.nudge(session.id, SESSION_LANE);
    return session;
  }

  /** The session becomes visible in the room: its log is published from the first entry. */
  function announce(teamId: string, sessionId: string): void {
    signals.publish({ kind: "grown", teamId, sessionId, firstSeq: 1 });
    signals.publish({ kind: "status", teamId, sessionId, status: "active" });
  }

  async function post(session: SessionRecord, posted: PostedMessage): Promise<MessageReceipt> {
    const { id: sessionId, teamId } = session;
    deps.assertNotSuspended(session.ownerId);
    const to = await resolveRecipient(teamId, posted.to, deps);
    const message = toNewMessage({ ...posted, to }, clock.now());
    const stored = await store.post(sessionId, message, clock.now());
    if (stored === undefined) {
      const existing =
        posted.dedupeKey === undefined ? undefined : await store.findByDedupeKey(sessionId, posted.dedupeKey);
      if (existing === undefined)
        throw new AppError("session_cancelled", "This session was cancelled; start a new one.");
      return { sessionId, messageId: existing.id, seq: existing.seq };
    }
    // A session that waits for a client is not visible in the room yet; `announce` publishes its whole log.
    if (stored.status !== "waiting")
      signals.publish({ kind: "grown", teamId, sessionId, firstSeq: stored.seq });
    engine.nudge(sessionId, SESSION_LANE);
    return { sessionId, messageId: message.id, seq: stored.seq };
  }

  return {
    start,
    run: async (ownerId: string, teamId: string, objective: string, key?: string) =>
      start(
        await deps.getTeam(teamId, ownerId),
        objective,
        { id: ownerId, type: "user" },
        key === undefined ? {} : { dedupeKey: `run ${key}` },
      ),

    /** The session as the API shows it. */
    view: (session: SessionRecord): Session => toSession(session, deps.limits),
    get: (ownerId: string, id: string) => store.get(id, ownerId),
    trigger: store.trigger,
    findInTeam: (id: string, teamId: string) => store.findInTeam(id, teamId),
    findAllInTeam: (ids: readonly string[], teamId: string) => store.findAllInTeam(ids, teamId),
    async list(ownerId: string, teamId: string, page: PageQuery) {
      await deps.getTeam(teamId, ownerId);
      return store.list(teamId, page);
    },
    listOfTeam: (teamId: string, page: PageQuery) => store.list(teamId, page),
    unfinishedIds: (teamId: string) => store.unfinishedIds(teamId),
    /** Without an ownership check, which the caller has made. */
    log: (id: string, after: number, limit: number) => store.log(id, after, limit),

    /** The message of a session that was posted with this key. */
    findPosted: store.findByDedupeKey,
    openExchange: store.openExchange,
    exchange: store.exchange,

    /** Posts as a person of the workspace that owns the session. */
    postAs: async (
      ownerId: string,
      id: string,
      posted: Omit<PostedMessage, "from">,
      userId: string = ownerId,
    ) => post(await store.get(id, ownerId), { ...posted, from: { id: userId, type: "user" } }),
    post,

    async cancel(ownerId: string, id: string, userId: string = ownerId): Promise<SessionRecord> {
      const session = await store.get(id, ownerId);
      return cancel(session, { id: userId, type: "user" });
    },
    cancelAs: cancel,
    /** For the administrator of the instance. False when it has ended. */
    async stop(ownerId: string, id: string): Promise<boolean> {
      try {
        await cancel(await store.get(id, ownerId), SYSTEM);
        return true;
      } catch (error) {
        ignoreEnded(error);
        return false;
      }
    },

    /** Before a team is deleted: no worker runs a session whose rows are about to be deleted. */
    async cancelAll(teamId: string): Promise<void> {
      for (const id of await store.openIds(teamId)) {
        const session = await store.findInTeam(id, teamId);
        if (session !== undefined) await cancel(session, SYSTEM).catch(ignoreEnded);
      }
    },

    /** A client has joined: starts the team's sessions that wait for one. */
    async onJoined(teamId: string): Promise<void> {
      for (const id of await store.startWaiting(teamId, clock.now())) {
        announce(teamId, id);
        engine.nudge(id, SESSION_LANE);
      }
    },
  };

  async function cancel(session: SessionRecord, by: Party): Promise<SessionRecord> {
    const { id, teamId } = session;
    const cancelled = await store.cancel(id, by, clock.now());
    if (cancelled === undefined) throw sessionEnded(session);
    engine.cancelled(cancelled.tasks);
    signals.publish({ kind: "grown", teamId, sessionId: id, firstSeq: cancelled.firstSeq });
    signals.publish({ kind: "status", teamId, sessionId: id, status: "cancelled" });
    return (await store.findInTeam(id, teamId)) ?? session;
  }
}

function sessionEnded({ status }: SessionRecord): AppError {
  return new AppError(
    "session_ended",
    `Only a session that has not ended can be cancelled; this one is ${status}.`,
  );
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== "session_ended") throw error;
}
