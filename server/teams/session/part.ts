import { EventEmitter } from "node:events";
import type { HiddenTasks } from "../../engine/hidden-tasks.ts";
import type { Db } from "../../storage/db.ts";
import { createSessionTaskStore } from "../store/session-task.sql.ts";
import { createTeamStore } from "../team.sql.ts";
import { type A2aClient, createA2aClient } from "../external/a2a-client.ts";
import type { ConnectionsPart } from "../../connections/part.ts";
import { type AgentCards, createAgentCards } from "../external/agent-cards.ts";
import { createReadCredential, type ReadCredential } from "../external/credentials.ts";
import { createRemoteTaskStore, type RemoteTaskStore } from "../external/remote-task.sql.ts";
import type { Vault } from "../../engine/run/run.ts";
import { createCallExternal } from "./call-external.ts";
import { SESSION_LANE, sessionWorkflow } from "./session-task.ts";
import type { Limits } from "./next-action.ts";
import { buildTeamRoom } from "./team-room.ts";
import type { RoomSignal, RoomSignals } from "../room-signals.ts";
import { createSessionStep } from "./session-step.ts";
import { createTakeTurn } from "./take-turn.ts";
import type { TeamStore } from "../team.sql.ts";
import type { AgentsPart } from "../../agents/part.ts";
import type { Platform } from "../../platform/part.ts";

const IDLE_MS = 3_600_000;

/** The channel that announces tasks of external agents that continue after a turn. */
export const REMOTE_TASK_CHANNEL = "remote_task";

/** What calls to external agents need. */
export interface ExternalParts {
  cards: AgentCards;
  client: A2aClient;
  readCredential: ReadCredential;
  remoteTasks: RemoteTaskStore;
}

export interface SessionPart {
  teams: TeamStore;
  signals: RoomSignals;
  limits: Limits;
  /** For the loop that follows tasks of external agents after a turn. */
  external: ExternalParts;
  /** The lane and the step with which the engine runs sessions. */
  hiddenTasks: HiddenTasks;
}

/** Sessions run as tasks of the engine: one step type, in its own lane. The engine is created after this part. */
export async function createSessionPart(
  { config, clock, db, egress, report }: Platform,
  { runAgent, registered }: AgentsPart,
  vault: Pick<Vault, "secrets">,
  { use: useConnection }: Pick<ConnectionsPart, "use">,
): Promise<SessionPart> {
  const external: ExternalParts = {
    cards: createAgentCards({ egress, clock }),
    client: createA2aClient(),
    readCredential: createReadCredential({ egress, vault, useConnection }),
    remoteTasks: createRemoteTaskStore(db),
  };
  const teams = createTeamStore(db);
  const signals = await openSignals(db);
  const limits = { maxTurns: config.teams.maxTurns, maxTokens: config.teams.maxTokens, idleMs: IDLE_MS };
  const { step, onTaskFailed } = createSessionStep({
    store: createSessionTaskStore(db),
    clock,
    signals,
    limits,
    joinWaitMs: config.teams.joinWaitMs,
    takeTurn: createTakeTurn({
      clock,
      runAgent,
      callExternal: createCallExternal({
        clock,
        ...external,
        followLater: () => db.notify(REMOTE_TASK_CHANNEL, ""),
      }),
      onError: report,
    }),
    async loadRoom(teamId) {
      const team = await teams.find(teamId);
      return team === undefined
        ? undefined
        : { team, ...buildTeamRoom(team, await registered(team.agents, team.ownerId)) };
    },
    onError: report,
  });
  return {
    teams,
    signals,
    limits,
    external,
    hiddenTasks: {
      workflow: sessionWorkflow,
      controls: { [sessionWorkflow.graph.steps[0]!.type]: step },
      lanes: { [SESSION_LANE]: config.workerConcurrency },
      beforeFail: onTaskFailed,
    },
  };
}

/** Signals go through the database, so that every process on it receives them. */
async function openSignals(db: Db): Promise<RoomSignals> {
  const received = new EventEmitter().setMaxListeners(0);
  await db.listen("war_room", (payload) =>
    received.emit("signal", payload === "" ? { kind: "missed" } : (JSON.parse(payload) as RoomSignal)),
  );
  return {
    publish: (signal) => db.notify("war_room", JSON.stringify(signal)),
    subscribe(listener) {
      received.on("signal", listener);
      return () => received.off("signal", listener);
    },
  };
}
