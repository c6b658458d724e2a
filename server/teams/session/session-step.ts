import type { ControlStep } from "../../engine/run/run.ts";
import { failed } from "../../engine/run/outcome.ts";
import { retryWhileStorageUnavailable } from "../../engine/journal/retry-while-storage-unavailable.ts";
import { RunDropped } from "../../engine/journal/recorder.ts";
import type { EngineTask } from "../../engine/tasks/engine-task.ts";
import type { StepError } from "../../engine/tasks/task.ts";
import { AppError } from "../../lib/errors.ts";
import type { AgentRecord } from "../../agents/agent.sql.ts";
import type { Clock } from "../../lib/clock.ts";
import type { RoomSignals } from "../room-signals.ts";
import type { MessageHead, MessageRecord, NewMessage } from "../session-record.ts";
import type { SessionTaskStore } from "../store/session-task.sql.ts";
import type { TeamRecord } from "../team.sql.ts";
import { createLogHeads } from "./log-heads.ts";
import { withExternalTurns } from "./external-turns.ts";
import {
  type Limits,
  nextAction,
  requestedExternalTurns,
  type RequestedTurn,
  withTeamLimits,
} from "./next-action.ts";
import { outcomeOf } from "./session-outcome.ts";
import { SESSION_LANE, type SessionOutcome, type SessionState, type SessionTask } from "./session-task.ts";
import { createLiveText } from "./live-text.ts";
import type { createTakeTurn, Turn, TurnOutcome } from "./take-turn.ts";
import type { TeamRoom } from "./team-room.ts";

export interface SessionStepDeps {
  store: SessionTaskStore;
  clock: Clock;
  signals: RoomSignals;
  limits: Limits;
  /** How long a new session waits for a client to join the war room. */
  joinWaitMs: number;
  takeTurn: ReturnType<typeof createTakeTurn>;
  /** The team's current members; undefined if the team was deleted. */
  loadRoom(teamId: string): Promise<(TeamRoom & { team: TeamRecord }) | undefined>;
  onError(error: unknown, activity: string): void;
}

/** The task parks until this time; null: until a message is posted. */
interface Wait {
  due: number | null;
}

interface Run {
  session: SessionTask;
  signal: AbortSignal;
}

/** Entries of a long log that a turn reads. */
const RECENT_ENTRIES = 200;

/**
 * The only step of a session's task. It takes one action after the other and records each before the next. All state is
 * in the log, so after a crash another process repeats only the turn that was in progress. The step never completes: the
 * task of a session that has ended waits for the next message.
 */
export function createSessionStep(deps: SessionStepDeps) {
  const { store, clock, signals, limits, onError } = deps;
  const headsOf = createLogHeads(store.heads);

  const step: ControlStep = async ({ run }) => {
    const { task } = run;
    const { signal } = run.stop;
    if (task.lane !== SESSION_LANE)
      return failed("unknown_step_type", "This service has no step of type session.");
    for (;;) {
      if (signal.aborted || !run.deps.holdsLease()) throw new RunDropped();
      const current: Run = { session: task, signal };
      const wait = await act(current).catch((error: unknown) => afterError(current, error));
      if (wait !== undefined) return { kind: "waiting", due: wait.due };
    }
  };

  /** Decides and takes one action from the rows alone. */
  async function act(run: Run): Promise<Wait | undefined> {
    const { session } = run;
    const state = await store.state(session);
    if (state === undefined) throw new RunDropped();
    if (state.status === "waiting") return activate(session, state);
    if (state.status !== "active") return { due: null };
    const teamRoom = await deps.loadRoom(state.teamId);
    if (teamRoom === undefined) throw new RunDropped();
    const heads = await headsOf(session.id);
    const { totalTokens } = state.usage;
    const ownLimits = withTeamLimits(limits, teamRoom.team.limits);
    const next = nextAction({ room: teamRoom.room, heads, totalTokens, now: clock.now() }, ownLimits);
    switch (next.kind) {
      case "wait":
        return { due: next.until };
      case "finish": {
        const { outcome, messages } = await outcomeOf(next, session, store, clock);
        return finish(run, state, outcome, messages);
      }
      case "turn": {
        const working = turn(run, state, teamRoom, heads, next);
        return next.member.type === "internal" ? amongExternals(run, state, teamRoom, working) : working;
      }
    }
  }

  /** Starts a session that no client has joined in time. It becomes visible: its log is published from the first entry. */
  async function activate(
    session: SessionTask,
    { createdAt, teamId }: SessionState,
  ): Promise<Wait | undefined> {
    const due = createdAt + deps.joinWaitMs;
    if (clock.now() < due) return { due };
    if (await store.activate(session, clock.now())) {
      signals.publish({ kind: "grown", teamId, sessionId: session.id, firstSeq: 1 });
      signals.publish({ kind: "status", teamId, sessionId: session.id, status: "active" });
    }
    return undefined;
  }

  /** A room without external agents needs no second look at the log. */
  async function amongExternals(
    run: Run,
    state: SessionState,
    teamRoom: TeamRoom & { team: TeamRecord },
    working: Promise<undefined>,
  ): Promise<undefined> {
    const { room } = teamRoom;
    if (!room.members.some(({ type }) => type === "external")) return working;
    const { id: sessionId } = run.session;
    return withExternalTurns(
      {
        sessionId,
        signals,
        heads: () => headsOf(sessionId),
        requested: (heads) =>
          requestedExternalTurns(room, heads, withTeamLimits(limits, teamRoom.team.limits)),
        take: (heads, requested) => turn(run, state, teamRoom, heads, requested),
      },
      working,
    );
  }

  async function turn(
    { session, signal }: Run,
    { teamId, usage, turns }: SessionState,
    { team, room, agents, externals }: TeamRoom & { team: TeamRecord },
    heads: readonly MessageHead[],
    { member, triggers }: RequestedTurn,
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
    const log = await recentLog(session, heads, triggers);
    const readEntry = async (seq: number) => (await store.log(session.id, seq - 1, 1))[0];
    const instructions = team.memberInstructions[member.id] ?? "";
    const context = { session, teamName: team.name, instructions, room, member, signal };
    const request = { ...context, triggers, log, readEntry };
    const agent = agents.get(member.id);
    const external = externals.get(member.id);
    const outcome =
      member.type === "internal" && agent !== undefined
        ? await internalTurn(request, agent, { teamId, sessionId: session.id, agentId: member.id })
        : await deps.takeTurn.external(request, { ...external!, url: external!.url! });
    // The model was paid for this turn. Without its record the turn would be taken again, so a full disk is waited out.
    const recorded = await retryWhileStorageUnavailable(
      () => store.record(session, outcome.messages, outcome.usage, clock.now()),
      { signal },
    );
    if (recorded === undefined) throw new RunDropped();
    signals.publish({ kind: "grown", teamId, sessionId: session.id, firstSeq: recorded.firstSeq });
  }

  /** Publishes the answer while it is written. */
  async function internalTurn(
    request: Turn,
    agent: AgentRecord,
    place: { teamId: string; sessionId: string; agentId: string },
  ): Promise<TurnOutcome> {
    const live = createLiveText({
      text: (offset, text) => signals.publish({ kind: "text", ...place, offset, text }),
      tool: (tool) =>
        signals.publish({ kind: "status", ...place, status: "active", detail: "tool_started", tool }),
    });
    try {
      return await deps.takeTurn.internal({ ...request, onPart: live.onPart }, agent);
    } finally {
      live.close();
    }
  }

  async function finish(
    { session, signal }: Run,
    { teamId, wake, usage, turns }: SessionState,
    outcome: SessionOutcome,
    messages: readonly NewMessage[],
  ): Promise<Wait | undefined> {
    const appended = await retryWhileStorageUnavailable(
      () => store.finish(session, wake, outcome, messages, clock.now()),
      { signal },
    );
    // A message was posted meanwhile, or the claim was lost: the next iteration reads which.
    if (appended === undefined) return undefined;
    const { id: sessionId } = session;
    if (messages.length > 0)
      signals.publish({ kind: "grown", teamId, sessionId, firstSeq: appended.firstSeq });
    signals.publish({ kind: "status", teamId, sessionId, status: outcome.status, usage, turns });
    return { due: null };
  }

  /** The first entry, which is the objective, and the latest ones, if they are small from the oldest trigger on. */
  async function recentLog(
    { id }: SessionTask,
    heads: readonly MessageHead[],
    triggers: readonly MessageHead[],
  ): Promise<MessageRecord[]> {
    const last = heads.at(-1)?.seq ?? 0;
    const after = Math.max(0, Math.min(last - RECENT_ENTRIES, (triggers[0]?.seq ?? 1) - 1));
    const log = await store.recent(id, after);
    const [objective] = log[0]?.seq === 1 ? [] : await store.log(id, 0, 1);
    return objective === undefined ? log : [objective, ...log];
  }

  /** An internal error fails the session but not its task: the next message wakes it as usual. */
  async function afterError({ session, signal }: Run, error: unknown): Promise<Wait> {
    const isTransient = error instanceof AppError && error.code === "storage_unavailable";
    if (error instanceof RunDropped || signal.aborted || isTransient) throw error;
    onError(error, `running session ${session.id}`);
    await fail(session, {
      code: "internal_error",
      message: "The session failed with an internal error. The service log has the details.",
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
    /** The engine fails the task: the session fails for the same reason. */
    async onTaskFailed(task: EngineTask, error: StepError): Promise<void> {
      if (task.lane === SESSION_LANE) await fail(task, error.code === "poison_task" ? POISONED : error);
    },
  };
}

const POISONED: StepError = {
  code: "poison_session",
  message: "This session crashed the service several times without progress, so it was failed.",
};
