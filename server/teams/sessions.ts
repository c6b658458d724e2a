import { IDEMPOTENCY_KEY_LIFETIME_MS } from "../../contract/api.ts";
import type { PageQuery } from "../../contract/api.ts";
import type { Party, Session } from "../../contract/teams.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { NO_USAGE } from "../models/language-model.ts";
import { SESSION_LANE } from "./session/session-task.ts";
import type { Limits } from "./session/next-action.ts";
import type { Presence } from "./presence.ts";
import type { RoomSignals } from "./room-signals.ts";
import { type NewMessage, type SessionRecord, type SessionStore, toSession } from "./session-record.ts";
import { type RecipientLookup, resolveRecipient, type PostedMessage, toMessage } from "./posted-message.ts";
import type { TeamRecord } from "./team-store.ts";
import { EVERYONE } from "./session/topology.ts";

export interface SessionsDeps extends RecipientLookup {
  store: SessionStore;
  clock: Clock;
  signals: RoomSignals;
  presence: Presence;
  engine: Pick<Engine, "nudge" | "cancelled">;
  limits: Limits;
  /** Throws `team_not_found` or `forbidden`. */
  ownedTeam(id: string, ownerId: string): Promise<TeamRecord>;
  /** How long a run waits for somebody to join the war room. */
  joinWaitMs: number;
}

export interface MessageReceipt {
  sessionId: string;
  messageId: string;
  seq: number;
}

/** How a session begins, where it does not begin with a person's objective. */
export interface StartOptions {
  content?: Record<string, unknown>;
  /** The same one for the same team gives the session that it has begun. */
  dedupeKey?: string;
  /** The one who begins it waits for the answer: nobody else has to join. */
  immediately?: boolean;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(deps: SessionsDeps) {
  const { store, clock, signals, presence, engine } = deps;

  /** The session is on disk when this resolves; it begins at once when somebody watches, else within the wait. */
  async function begin(
    team: TeamRecord,
    objective: string,
    from: Party,
    first: StartOptions = {},
  ): Promise<SessionRecord> {
    const now = clock.now();
    const watched = first.immediately === true || presence.count(team.id) > 0 || deps.joinWaitMs === 0;
    const session: SessionRecord = {
      id: createId("sess", now),
      teamId: team.id,
      ownerId: team.ownerId,
      objective,
      status: watched ? "active" : "waiting",
      result: null,
      error: null,
      usage: NO_USAGE,
      turns: 0,
      lastSeq: 1,
      createdAt: now,
      startedAt: watched ? now : null,
      completedAt: null,
    };
    const { content = objective, dedupeKey } = first;
    const message = toMessage({ from, to: EVERYONE, content, dedupeKey }, now);
    const runAt = watched ? now : now + deps.joinWaitMs;
    const before = await store.insert(session, message, runAt, now - IDEMPOTENCY_KEY_LIFETIME_MS);
    if (before !== undefined) {
      if (before.objective === objective) return before;
      throw new AppError(
        "idempotency_conflict",
        "This key was used before for another objective; use a new key.",
      );
    }
    if (watched) announce(team.id, session.id);
    else signals.publish({ kind: "waiting", teamId: team.id });
    engine.nudge(session.id, SESSION_LANE);
    return session;
  }

  /** Nobody in the room has heard of it before: the log is told from its beginning. */
  function announce(teamId: string, sessionId: string): void {
    signals.publish({ kind: "grown", teamId, sessionId, firstSeq: 1 });
    signals.publish({ kind: "status", teamId, sessionId, status: "active" });
  }

  async function post(session: SessionRecord, speech: PostedMessage): Promise<MessageReceipt> {
    const to = await resolveRecipient(session.teamId, speech.to, deps);
    const message = toMessage({ ...speech, to }, clock.now());
    const said = await store.post(session.id, message, clock.now());
    if (said === undefined) {
      const known =
        speech.dedupeKey === undefined ? undefined : await store.entryByKey(session.id, speech.dedupeKey);
      if (known === undefined)
        throw new AppError("session_cancelled", "This session was cancelled; start a new one.");
      return { sessionId: session.id, messageId: known.id, seq: known.seq };
    }
    // While the run waits for somebody to join, the room hears nothing of it yet.
    if (said.status !== "waiting")
      signals.publish({ kind: "grown", teamId: session.teamId, sessionId: session.id, firstSeq: said.seq });
    engine.nudge(session.id, SESSION_LANE);
    return { sessionId: session.id, messageId: message.id, seq: said.seq };
  }

  return {
    begin,
    run: async (ownerId: string, teamId: string, objective: string, key?: string) =>
      begin(
        await deps.ownedTeam(teamId, ownerId),
        objective,
        { id: ownerId, type: "user" },
        key === undefined ? {} : { dedupeKey: `run ${key}` },
      ),

    /** As the API shows it. */
    view: (session: SessionRecord): Session => toSession(session, deps.limits),
    get: (ownerId: string, id: string) => store.owned(id, ownerId),
    ofTeam: (id: string, teamId: string) => store.ofTeam(id, teamId),
    async list(ownerId: string, teamId: string, page: PageQuery) {
      await deps.ownedTeam(teamId, ownerId);
      return store.list(teamId, page);
    },
    listOfTeam: (teamId: string, page: PageQuery) => store.list(teamId, page),
    openIds: (teamId: string) => store.openIds(teamId),
    async logs(ownerId: string, id: string, after: number, limit: number) {
      await store.owned(id, ownerId);
      return store.log(id, after, limit);
    },
    /** By id alone: the caller has checked whose it is. */
    log: (id: string, after: number, limit: number) => store.log(id, after, limit),

    /** A person speaks. */
    postAs: async (ownerId: string, id: string, speech: Omit<PostedMessage, "from">) =>
      post(await store.owned(id, ownerId), { ...speech, from: { id: ownerId, type: "user" } }),
    post,

    async cancel(ownerId: string, id: string): Promise<SessionRecord> {
      const session = await store.owned(id, ownerId);
      return cancel(session, { id: ownerId, type: "user" });
    },
    cancelAs: cancel,

    /** Before the team goes: nobody works on a session whose rows are about to vanish. */
    async cancelAll(teamId: string): Promise<void> {
      for (const id of await store.openIds(teamId)) {
        const session = await store.ofTeam(id, teamId);
        if (session !== undefined) await cancel(session, { id: "baton", type: "system" }).catch(ignoreEnded);
      }
    },

    /** Somebody has joined: what waited for that begins. */
    async joined(teamId: string): Promise<void> {
      for (const id of await store.startWaiting(teamId, clock.now())) {
        announce(teamId, id);
        engine.nudge(id, SESSION_LANE);
      }
    },
  };

  async function cancel(session: SessionRecord, by: Party): Promise<SessionRecord> {
    const { id, teamId } = session;
    const message: NewMessage = {
      ...toMessage({ from: by, to: EVERYONE, type: "status", content: { status: "cancelled" } }, clock.now()),
      // It asks nobody to speak.
      outside: false,
    };
    const cancelled = await store.cancel(id, message, clock.now());
    if (cancelled === undefined) throw sessionEnded(session);
    engine.cancelled(cancelled.tasks);
    signals.publish({ kind: "grown", teamId, sessionId: id, firstSeq: cancelled.firstSeq });
    signals.publish({ kind: "status", teamId, sessionId: id, status: "cancelled" });
    return (await store.ofTeam(id, teamId)) ?? session;
  }
}

function sessionEnded({ status }: SessionRecord): AppError {
  return new AppError(
    "session_ended",
    `Only a session that is under way can be cancelled; this one is ${status}.`,
  );
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== "session_ended") throw error;
}
