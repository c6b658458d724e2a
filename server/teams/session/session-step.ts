import type { ControlStep } from "../../engine/run/run.ts";
import { failed } from "../../engine/run/outcome.ts";
import { retryWhileDiskFull } from "../../engine/journal/retry-while-disk-full.ts";
import { Dropped } from "../../engine/journal/recorder.ts";
import type { EngineTask } from "../../engine/store.ts";
import type { StepError } from "../../engine/tasks/task.ts";
import { AppError } from "../../lib/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import {
  type SessionTask,
  type SessionTaskStore,
  type SessionOutcome,
  SESSION_LANE,
  type SessionState,
} from "./session-task.ts";
import { outcomeOf } from "./session-outcome.ts";
import { createLogHeads } from "./log-heads.ts";
import { type Limits, type NextAction, nextAction } from "./next-action.ts";
import type { TeamRoom } from "./team-room.ts";
import type { RoomSignals } from "../room-signals.ts";
import type { MessageHead, MessageRecord, NewMessage } from "../session-record.ts";
import type { createTakeTurn } from "./take-turn.ts";
import type { TeamRecord } from "../team-store.ts";

export interface SessionStepDeps {
  store: SessionTaskStore;
  clock: Clock;
  signals: RoomSignals;
  limits: Limits;
  /** How long a run waits for somebody to join the war room. */
  joinWaitMs: number;
  takeTurn: ReturnType<typeof createTakeTurn>;
  /** The team as it stands now; undefined when it was deleted. */
  loadRoom(teamId: string): Promise<(TeamRoom & { team: TeamRecord }) | undefined>;
  onError(error: unknown, what: string): void;
}

/** Nothing to do before this time; null: before somebody speaks. */
interface Wait {
  due: number | null;
}

interface Drive {
  session: SessionTask;
  signal: AbortSignal;
}

/** How much of a long log a turn gets to see. */
const RECENT = 200;

/**
 * The one step of a session's task: it makes one move after the other, each recorded before the next begins. All
 * state is in the log, so a session that a crash interrupts goes on at the turn that was under way. It never ends by
 * itself: a session that has come to its end is a task that waits for the next word.
 */
export function createSessionStep(deps: SessionStepDeps) {
  const { store, clock, signals, limits, onError } = deps;
  const headsOf = createLogHeads(store.heads);

  const step: ControlStep = async ({ run }) => {
    const { task } = run;
    const { signal } = run.stop;
    if (task.lane !== SESSION_LANE)
      return failed("unknown_step_type", "This service has no step of type session.");
    const drive: Drive = { session: task, signal };
    for (;;) {
      if (signal.aborted || !run.deps.holdsLease()) throw new Dropped();
      const wait = await move(drive).catch((error: unknown) => afterFault(drive, error));
      if (wait !== undefined) return { kind: "waiting", due: wait.due };
    }
  };

  /** One move, decided from the rows alone. */
  async function move(drive: Drive): Promise<Wait | undefined> {
    const { session } = drive;
    const state = await store.state(session);
    if (state === undefined) throw new Dropped();
    if (state.status === "waiting") return begin(session, state);
    if (state.status !== "active") return { due: null };
    const loadRoom = await deps.loadRoom(state.teamId);
    if (loadRoom === undefined) throw new Dropped();
    const heads = await headsOf(session.id);
    const { totalTokens } = state.usage;
    const next = nextAction({ room: loadRoom.room, heads, totalTokens, now: clock.now() }, limits);
    switch (next.kind) {
      case "wait":
        return { due: next.until };
      case "finish": {
        const { ending, messages } = await outcomeOf(next, session, store, clock);
        return finish(drive, state, ending, messages);
      }
      case "turn":
        return turn(drive, state, loadRoom, heads, next);
    }
  }

  /** Nobody in the room has heard of it before: the log is told from its beginning. */
  async function begin(session: SessionTask, { createdAt, teamId }: SessionState): Promise<Wait | undefined> {
    const due = createdAt + deps.joinWaitMs;
    if (clock.now() < due) return { due };
    if (await store.begin(session, clock.now())) {
      signals.publish({ kind: "grown", teamId, sessionId: session.id, firstSeq: 1 });
      signals.publish({ kind: "status", teamId, sessionId: session.id, status: "active" });
    }
    return undefined;
  }

  async function turn(
    { session, signal }: Drive,
    { teamId, usage, turns }: SessionState,
    { team, room, agents, externals }: TeamRoom & { team: TeamRecord },
    heads: readonly MessageHead[],
    { member, triggers }: Extract<NextAction, { kind: "turn" }>,
  ): Promise<undefined> {
    signals.publish({
      kind: "status",
      teamId,
      sessionId: session.id,
      status: "active",
      agentId: member.id,
      detail: "turn_started",
      usage,
      turns,
    });
    const log = await recent(session, heads, triggers);
    const asked = { session, teamName: team.name, room, member, triggers, log, signal };
    const agent = agents.get(member.id);
    const external = externals.get(member.id);
    const outcome =
      member.type === "internal" && agent !== undefined
        ? await deps.takeTurn.internal(asked, agent)
        : await deps.takeTurn.external(asked, { ...external!, url: external!.url! });
    // The turn was taken: only its record keeps it from being taken again, so a full disk is waited out.
    const recorded = await retryWhileDiskFull(
      () => store.record(session, outcome.messages, outcome.usage, clock.now()),
      { signal },
    );
    if (recorded === undefined) throw new Dropped();
    signals.publish({ kind: "grown", teamId, sessionId: session.id, firstSeq: recorded.firstSeq });
  }

  async function finish(
    { session, signal }: Drive,
    { teamId, wake, usage, turns }: SessionState,
    ending: SessionOutcome,
    messages: readonly NewMessage[],
  ): Promise<Wait | undefined> {
    const done = await retryWhileDiskFull(() => store.finish(session, wake, ending, messages, clock.now()), {
      signal,
    });
    // Something was said in the meantime, or the session is another's: the next look tells which.
    if (done === undefined) return undefined;
    const { id: sessionId } = session;
    if (messages.length > 0) signals.publish({ kind: "grown", teamId, sessionId, firstSeq: done.firstSeq });
    signals.publish({ kind: "status", teamId, sessionId, status: ending.status, usage, turns });
    return { due: null };
  }

  async function recent(
    { id }: SessionTask,
    heads: readonly MessageHead[],
    triggers: readonly MessageHead[],
  ): Promise<MessageRecord[]> {
    const last = heads.at(-1)?.seq ?? 0;
    const after = Math.max(0, Math.min(last - RECENT, (triggers[0]?.seq ?? 1) - 1));
    const [objective] = after === 0 ? [] : await store.log(id, 0, 1);
    const log = await store.log(id, after, last - after);
    return objective === undefined ? log : [objective, ...log];
  }

  /** A fault of ours ends the session and not its task, which whoever speaks next wakes as always. */
  async function afterFault({ session, signal }: Drive, error: unknown): Promise<Wait> {
    const passes = error instanceof AppError && error.code === "storage_unavailable";
    if (error instanceof Dropped || signal.aborted || passes) throw error;
    onError(error, `driving session ${session.id}`);
    await fail(session, {
      code: "internal_error",
      message: "The session met an unexpected fault; the log of the service has it.",
    });
    return { due: null };
  }

  async function fail(session: SessionTask, error: StepError): Promise<void> {
    const failed = await store.fail(session, error, clock.now());
    if (failed === undefined) return;
    signals.publish({ kind: "status", teamId: failed.teamId, sessionId: session.id, status: "failed" });
  }

  return {
    step,
    /** A session whose task is given up has failed, for the same reason. */
    async onTaskFailed(task: EngineTask, error: StepError): Promise<void> {
      if (task.lane === SESSION_LANE) await fail(task, error.code === "poison_task" ? POISONED : error);
    },
  };
}

const POISONED: StepError = {
  code: "poison_session",
  message:
    "This session took the service down again and again without getting any further, so it was given up.",
};
