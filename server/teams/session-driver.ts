import { createDueLoop } from "../engine/due-loop.ts";
import { cancelledWork } from "../agents/agent-tools.ts";
import type { Clock } from "../lib/clock.ts";
import { createId } from "../lib/ids.ts";
import { endingOf } from "./ending.ts";
import { type Limits, nextMove } from "./next-move.ts";
import type { SeatedRoom } from "./room-of-team.ts";
import type { RoomSignals } from "./room-signals.ts";
import type { DrivenSession, MessageHead, MessageRecord, SessionStore } from "./session-store.ts";
import type { createTakeTurn } from "./take-turn.ts";
import type { TeamRecord } from "./team-store.ts";

export interface SessionDriverDeps {
  store: SessionStore;
  clock: Clock;
  signals: RoomSignals;
  limits: Limits;
  /** How many sessions are driven at once. */
  concurrency: number;
  takeTurn: ReturnType<typeof createTakeTurn>;
  /** The team as it stands now; undefined when it was deleted. */
  seated(teamId: string): Promise<(SeatedRoom & { team: TeamRecord }) | undefined>;
  onError(error: unknown, what: string): void;
}

export interface SessionDriver {
  /** Something may be due. */
  look(): void;
  /** The work on a cancelled session stops in this process. */
  cancelled(sessionId: string): void;
  close(): Promise<void>;
}

/** A session that took its process down so often without a new entry is failed. */
const MAX_LIVES = 3;
const AFTER_ERROR_MS = 2000;
const CLOSE_GRACE_MS = 5000;
/** How much of a long log a turn gets to see. */
const RECENT = 200;

/**
 * Drives sessions: claims those that are due, makes one move after the other, each recorded before the next
 * begins. All state is in the log, so a session that a crash interrupts goes on at the turn that was under way.
 */
export async function createSessionDriver(deps: SessionDriverDeps): Promise<SessionDriver> {
  const { store, clock, signals, onError } = deps;
  const workerId = createId("worker", clock.now());
  const live = new Map<string, { abort: AbortController; done: Promise<void> }>();
  let closed = false;

  const loop = createDueLoop({
    clock,
    async takeDue() {
      const free = deps.concurrency - live.size;
      if (free <= 0) return true;
      const now = clock.now();
      const sessions = await store.claimDue(workerId, free, now);
      for (const session of sessions) {
        if (session.startedAt === now) announce(session);
        const abort = new AbortController();
        live.set(session.id, { abort, done: drive(session, abort.signal) });
      }
      return sessions.length === free;
    },
    nextDue: () => store.nextDue(),
    onError: (error) => onError(error, "looking for due sessions"),
  });

  /** Nobody in the room has heard of it before: the log is told from its beginning. */
  function announce({ id, teamId }: DrivenSession): void {
    signals.publish({ kind: "grown", teamId, sessionId: id, firstSeq: 1 });
    signals.publish({ kind: "status", teamId, sessionId: id, status: "active" });
  }

  /** Until the session ends, waits, or is another's. Never rejects. */
  async function drive(session: DrivenSession, signal: AbortSignal): Promise<void> {
    try {
      const heads: MessageHead[] = [];
      while (!signal.aborted && (await step(session, heads, signal))) {
        // Each move is durable by now; the next one is decided from the log.
      }
    } catch (error) {
      if (!signal.aborted) await retryLater(session, error);
    } finally {
      live.delete(session.id);
      loop.look();
    }
  }

  /** One move; false when there is nothing more to do here. */
  async function step(session: DrivenSession, heads: MessageHead[], signal: AbortSignal): Promise<boolean> {
    const progress = await store.progress(session);
    const seated = progress === undefined ? undefined : await deps.seated(session.teamId);
    if (progress === undefined || seated === undefined) return false;
    heads.push(...(await store.heads(session.id, heads.at(-1)?.seq ?? 0)));
    const { room, team } = seated;
    const move = nextMove({ room, heads, totalTokens: progress.totalTokens, now: clock.now() }, deps.limits);
    switch (move.kind) {
      case "wait":
        // Not parked: something was said in the meantime.
        return !(await store.park(session, progress.wake, move.until));
      case "finish": {
        const { ending, messages } = await endingOf(move, session, store, clock);
        const done = await store.finish(session, progress.wake, ending, messages, clock.now());
        if (done === undefined) return true;
        if (messages.length > 0) grown(session, done.firstSeq);
        signals.publish({
          kind: "status",
          teamId: session.teamId,
          sessionId: session.id,
          status: ending.status,
        });
        return false;
      }
      case "turn": {
        const { member, triggers } = move;
        signals.publish({
          kind: "status",
          teamId: session.teamId,
          sessionId: session.id,
          status: "active",
          agentId: member.id,
          detail: "turn_started",
        });
        const turn = {
          session,
          teamName: team.name,
          room,
          member,
          triggers,
          log: await recent(session, heads, triggers),
          signal,
        };
        const agent = seated.agents.get(member.id);
        const external = seated.externals.get(member.id);
        const outcome =
          member.type === "internal" && agent !== undefined
            ? await deps.takeTurn.internal(turn, agent)
            : await deps.takeTurn.external(turn, { ...external!, url: external!.url! });
        const recorded = await store.record(session, outcome.messages, outcome.usage, clock.now());
        if (recorded === undefined) return false;
        grown(session, recorded.firstSeq);
        return true;
      }
    }
  }

  function grown({ id, teamId }: DrivenSession, firstSeq: number): void {
    signals.publish({ kind: "grown", teamId, sessionId: id, firstSeq });
  }

  async function recent(
    { id }: DrivenSession,
    heads: readonly MessageHead[],
    triggers: readonly MessageHead[],
  ): Promise<MessageRecord[]> {
    const last = heads.at(-1)?.seq ?? 0;
    const after = Math.max(0, Math.min(last - RECENT, (triggers[0]?.seq ?? 1) - 1));
    const [objective] = after === 0 ? [] : await store.log(id, 0, 1);
    const log = await store.log(id, after, last - after);
    return objective === undefined ? log : [objective, ...log];
  }

  /** The store could not be written: the session stays ours, and goes back to being due once it can. */
  async function retryLater(session: DrivenSession, error: unknown): Promise<void> {
    onError(error, `driving session ${session.id}`);
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, AFTER_ERROR_MS).unref());
      if (closed) return;
      try {
        return await store.release(workerId, [session.id], clock.now());
      } catch (failure) {
        onError(failure, `giving session ${session.id} back`);
      }
    }
  }

  for (const session of await store.recover(MAX_LIVES, clock.now())) {
    const error = {
      code: "poison_session",
      message: `This session took the service down ${MAX_LIVES} times without getting any further, so it was given up.`,
    };
    const progress = await store.progress(session);
    if (progress !== undefined)
      await store.finish(session, progress.wake, { status: "failed", result: null, error }, [], clock.now());
  }
  loop.look();

  return {
    look: () => loop.look(),
    cancelled: (sessionId) => live.get(sessionId)?.abort.abort(cancelledWork()),
    async close() {
      closed = true;
      await loop.close();
      // A turn may be a model that thinks for a minute: it is begun again after the restart.
      const running = Promise.all([...live.values()].map(({ done }) => done));
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, CLOSE_GRACE_MS).unref())]);
      for (const { abort } of live.values()) abort.abort();
      await store.release(workerId, "all", clock.now());
    },
  };
}
